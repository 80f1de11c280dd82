// A model and scopes → the part of it that they can read and write, which is what introspection shows.
import type { Model, Table } from './model.ts'
import { withoutTables } from './without-tables.ts'

type Scopes = ReadonlySet<string>

const opens = (scopes: Scopes, needed: readonly string[]): boolean => needed.every(scope => scopes.has(scope))

const mayWrite = ({ writing }: Table, scopes: Scopes): boolean => writing !== undefined && opens(scopes, writing.scopes)

const visibleParts = (table: Table, scopes: Scopes): Table => ({
  ...table,
  writing: mayWrite(table, scopes) ? table.writing : undefined,
  computed: new Map([...table.computed].filter(([, field]) => opens(scopes, field.scopes))),
  computedRows: new Map([...table.computedRows].filter(([, field]) => opens(scopes, field.scopes))),
})

export const visibleTo = (model: Model, scopes: Scopes): Model => {
  const closed = [...model.tables.values()].filter(table => !opens(scopes, table.scopes))
  const open = withoutTables(model, new Set(closed.map(({ name }) => name)))
  return {
    ...open,
    tables: new Map([...open.tables].map(([name, table]) => [name, visibleParts(table, scopes)])),
    functions: new Map([...open.functions].filter(([, one]) => opens(scopes, one.scopes))),
    actions: new Map([...open.actions].filter(([, one]) => opens(scopes, one.scopes))),
    writeOnly: new Map(closed.filter(table => mayWrite(table, scopes)).map(table => [table.name, table])),
  }
}
