// A model and scopes → the part of it that they can read, which is what introspection shows.
import type { Model, Table } from './model.ts'
import { withoutTables } from './without-tables.ts'

type Scopes = ReadonlySet<string>

const opens = (scopes: Scopes, needed: readonly string[]): boolean => needed.every(scope => scopes.has(scope))

const visibleFields = (table: Table, scopes: Scopes): Table => ({
  ...table,
  computed: new Map([...table.computed].filter(([, field]) => opens(scopes, field.scopes))),
  computedRows: new Map([...table.computedRows].filter(([, field]) => opens(scopes, field.scopes))),
})

export const visibleTo = (model: Model, scopes: Scopes): Model => {
  const closed = [...model.tables.values()].filter(table => !opens(scopes, table.scopes)).map(({ name }) => name)
  const open = withoutTables(model, new Set(closed))
  return {
    ...open,
    tables: new Map([...open.tables].map(([name, table]) => [name, visibleFields(table, scopes)])),
    functions: new Map([...open.functions].filter(([, one]) => opens(scopes, one.scopes))),
  }
}
