// The names that tables, keys and types take in GraphQL: root fields and types.
import { aggregateNames, booleanAggregates } from './aggregates.ts'
import type { UniqueKey } from './model.ts'

/** Types that always exist. */
export const reservedTypeNames: readonly string[] = [
  'Int',
  'Float',
  'String',
  'Boolean',
  'ID',
  'query_root',
  'mutation_root',
  'subscription_root',
  'order_by',
  'cursor_ordering',
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
  ...booleanAggregates.map(name => `_aggregate_bool_exp_${name}`),
  '_group',
  '_group_keys',
  '_group_order_by',
  '_group_keys_order_by',
  '_stream_cursor_input',
  '_stream_cursor_value_input',
  ...aggregateNames.flatMap(name => [
    `_${name}_fields`,
    `_${name}_order_by`,
    `_${name}_bool_exp`,
    `_aggregate_bool_exp_${name}`,
  ]),
]

/** The columns available to a filter by `bool_and` or `bool_or`. */
export const booleanColumnsName = (table: string, aggregate: string): string =>
  `${table}_select_column_${table}_aggregate_bool_exp_${aggregate}_arguments_columns`

export const typeNamesOf = (table: string): string[] => [
  ...typeSuffixes.map(suffix => table + suffix),
  ...booleanAggregates.map(name => booleanColumnsName(table, name)),
]

/** The operators of an update, each with an input type of its own. */
const updateOperators = ['set', 'inc', 'append', 'prepend', 'delete_key', 'delete_elem', 'delete_at_path'] as const

export type UpdateOperator = (typeof updateOperators)[number]

/** The types that only a table that may be written needs. */
export const writingTypeNamesOf = (table: string): string[] =>
  [
    'insert_input',
    'obj_rel_insert_input',
    'arr_rel_insert_input',
    'on_conflict',
    'constraint',
    'update_column',
    ...updateOperators.map(operator => `${operator}_input`),
    'pk_columns_input',
    'updates',
    'mutation_response',
  ].map(suffix => `${table}_${suffix}`)

export const mutationsOf = (table: string): string[] => [
  `insert_${table}`,
  `insert_${table}_one`,
  `update_${table}`,
  `update_${table}_by_pk`,
  `update_${table}_many`,
  `delete_${table}`,
  `delete_${table}_by_pk`,
  `restore_${table}_by_pk`,
]

/** A value type, its comparisons, and the comparisons of lists of it. */
export const valueTypeNamesOf = (type: string): string[] =>
  ['', '_comparison_exp', '_array_comparison_exp', '_array_array_comparison_exp', '_cast_exp'].map(
    suffix => type + suffix,
  )

export const tableRootsOf = (name: string): string[] => [name, `${name}_aggregate`]

/** Only among subscriptions, and only if no table or function has the name. */
export const streamRootOf = (table: string): string => `${table}_stream`

export const primaryRootOf = (table: string): string => `${table}_by_pk`

export const keyRootOf = (table: string, key: UniqueKey): string => `${table}_by_${key.name}`
