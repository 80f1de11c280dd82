// The aggregates of a table: which columns each accepts, and its result type.
import type { Column, Table } from './model.ts'
import type { Family, ValueType } from './value-type.ts'

export type AggregateName =
  | 'avg'
  | 'max'
  | 'min'
  | 'stddev'
  | 'stddev_pop'
  | 'stddev_samp'
  | 'sum'
  | 'var_pop'
  | 'var_samp'
  | 'variance'

/** In filters only, as in Hasura. */
export const booleanAggregates = ['bool_and', 'bool_or'] as const
export type BooleanAggregate = (typeof booleanAggregates)[number]

export const aggregateNames: readonly AggregateName[] = [
  'avg',
  'max',
  'min',
  'stddev',
  'stddev_pop',
  'stddev_samp',
  'sum',
  'var_pop',
  'var_samp',
  'variance',
]

const builtIn = (graphql: string, sql: string, family: Family): ValueType => ({
  graphql,
  sql: `"pg_catalog"."${sql}"`,
  family,
  ordered: true,
  operators: undefined,
  below: '<',
  above: '>',
  castFirst: false,
  patterns: 'all',
  labels: undefined,
  description: undefined,
  element: undefined,
  dimensions: 1,
})

export const integerType = builtIn('Int', 'int4', 'integer')
export const bigintType = builtIn('bigint', 'int8', 'bigint')
const numericType = builtIn('numeric', 'numeric', 'numeric')
const floatType = builtIn('Float', 'float8', 'float')
export const booleanType = builtIn('Boolean', 'bool', 'boolean')
export const textType = builtIn('String', 'text', 'text')

const numbers: readonly Family[] = ['integer', 'bigint', 'numeric', 'float']
const extremes: readonly Family[] = [...numbers, 'money', 'text', 'temporal', 'interval', 'enum']

const aggregates = (name: AggregateName, { type }: Column): boolean => {
  if (type.element !== undefined) return false
  if (name === 'min' || name === 'max') return extremes.includes(type.family)
  if (name === 'sum' && type.family === 'money') return true
  if (name === 'sum' || name === 'avg') return numbers.includes(type.family) || type.family === 'interval'
  return numbers.includes(type.family)
}

const sumTypes: Partial<Record<Family, ValueType>> = { integer: bigintType, bigint: numericType, numeric: numericType }

/** A sum has room for every digit; an average is a Float to the reader, and as exact as PostgreSQL's. */
export const aggregateType = (name: AggregateName, { type }: Column): ValueType => {
  if (name === 'min' || name === 'max' || type.family === 'interval') return type
  if (name === 'sum') return sumTypes[type.family] ?? type
  return type.family === 'float' ? floatType : { ...numericType, graphql: 'Float' }
}

export const booleanColumns = ({ columns }: Table): readonly Column[] =>
  [...columns.values()].filter(({ type }) => type.family === 'boolean' && type.element === undefined)

export const aggregateColumns = (name: AggregateName, table: Table): readonly Column[] =>
  [...table.columns.values()].filter(column => aggregates(name, column))
