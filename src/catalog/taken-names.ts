// The names that a table takes in GraphQL: its root fields and its types.
import { aggregateNames } from './aggregates.ts'
import type { UniqueKey } from './model.ts'

/** Types that exist whatever the database holds. */
export const reservedTypeNames: readonly string[] = [
  'Int',
  'Float',
  'String',
  'Boolean',
  'ID',
  'query_root',
  'order_by',
]

const typeSuffixes: readonly string[] = [
  '',
  '_bool_exp',
  '_order_by',
  '_select_column',
  '_aggregate',
  '_aggregate_fields',
  '_aggregate_bool_exp',
  '_aggregate_bool_exp_count',
  '_aggregate_order_by',
  '_group',
  '_group_keys',
  '_group_order_by',
  '_group_keys_order_by',
  ...aggregateNames.flatMap(name => [
    `_${name}_fields`,
    `_${name}_order_by`,
    `_${name}_bool_exp`,
    `_aggregate_bool_exp_${name}`,
  ]),
]

export const typeNamesOf = (table: string): string[] => typeSuffixes.map(suffix => table + suffix)

interface Keyed {
  readonly name: string
  readonly primaryKey: readonly unknown[] | undefined
  readonly uniqueKeys: readonly UniqueKey[]
}

export const rootFieldsOf = ({ name, primaryKey, uniqueKeys }: Keyed): string[] => [
  name,
  `${name}_aggregate`,
  ...(primaryKey === undefined ? [] : [`${name}_by_pk`]),
  ...uniqueKeys.map(key => `${name}_by_${key.name}`),
]
