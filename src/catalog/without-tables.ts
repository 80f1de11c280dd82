// A model → the same without some of its tables and everything that leads to them.
import type { Model, Table } from './model.ts'

const withoutLinks = (table: Table, gone: (name: string) => boolean): Table => ({
  ...table,
  relations: new Map([...table.relations].filter(([, relation]) => !gone(relation.target))),
  computedRows: new Map([...table.computedRows].filter(([, field]) => !gone(field.target))),
})

export const withoutTables = (model: Model, names: ReadonlySet<string>): Model => {
  const gone = (name: string): boolean => names.has(name)
  return {
    ...model,
    tables: new Map(
      [...model.tables].filter(([name]) => !gone(name)).map(([name, table]) => [name, withoutLinks(table, gone)]),
    ),
    functions: new Map([...model.functions].filter(([, one]) => !gone(one.table))),
    actions: new Map([...model.actions].filter(([, one]) => !gone(one.table))),
  }
}
