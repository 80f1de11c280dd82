// A model → the root fields of its mutations, by name.
import type { Model, Table, TableFunction } from '../../catalog/model.ts'

export type MutationRoot =
  | {
      readonly kind:
        | 'insert'
        | 'insert-one'
        | 'update'
        | 'update-key'
        | 'update-many'
        | 'delete'
        | 'delete-key'
        | 'restore'
      readonly table: Table
    }
  | { readonly kind: 'action'; readonly function: TableFunction; readonly table: Table }

const rootsOfTable = (table: Table): (readonly [string, MutationRoot])[] => {
  const { name, writing, softDelete } = table
  if (writing === undefined) return []
  const root = (kind: Exclude<MutationRoot['kind'], 'action'>): MutationRoot => ({ kind, table })
  const hasKey = table.primaryKey !== undefined
  return [
    ...(writing.insert
      ? [[`insert_${name}`, root('insert')] as const, [`insert_${name}_one`, root('insert-one')] as const]
      : []),
    ...(writing.update
      ? [[`update_${name}`, root('update')] as const, [`update_${name}_many`, root('update-many')] as const]
      : []),
    ...(writing.update && hasKey ? [[`update_${name}_by_pk`, root('update-key')] as const] : []),
    ...(writing.delete ? [[`delete_${name}`, root('delete')] as const] : []),
    ...(writing.delete && hasKey ? [[`delete_${name}_by_pk`, root('delete-key')] as const] : []),
    ...(writing.delete && hasKey && softDelete !== undefined
      ? [[`restore_${name}_by_pk`, root('restore')] as const]
      : []),
  ]
}

export const mutationRootsOf = (model: Model): ReadonlyMap<string, MutationRoot> =>
  new Map([
    ...[...model.tables.values()].flatMap(rootsOfTable),
    ...[...model.actions.values()].flatMap((one): (readonly [string, MutationRoot])[] => {
      const table = model.tables.get(one.table)
      return table === undefined ? [] : [[one.name, { kind: 'action', function: one, table }]]
    }),
  ])
