// A PostgreSQL type → its GraphQL representation, its SQL cast, and the operations it supports.
import { quoteIdentifier } from '../db/sql.ts'
import { isGraphqlName } from './names.ts'
import type { Patterns, RawType } from './raw-catalog.ts'

export type Family =
  | 'boolean'
  | 'integer'
  | 'bigint'
  | 'numeric'
  | 'money'
  | 'float'
  | 'text'
  | 'temporal'
  | 'interval'
  | 'enum'
  | 'range'
  | 'json'
  | 'jsonb'
  | 'composite'
  | 'ltree'
  | 'other'

export interface ValueType {
  /** The GraphQL name; for a list, that of its elements. */
  readonly graphql: string
  /** The name to cast to, quoted and qualified. */
  readonly sql: string
  readonly family: Family
  /** Values can be compared and sorted. */
  readonly ordered: boolean
  /** The schema of its operators, if it is not pg_catalog. */
  readonly operators: string | undefined
  /** The operators that sort its values: < and > unless the type has others, as hstore has. */
  readonly below: string
  readonly above: string
  /** A domain over an enum: PostgreSQL finds its operators only if the value is cast to `sql` first. */
  readonly castFirst: boolean
  /** The patterns that its collation supports. */
  readonly patterns: Patterns
  readonly labels: readonly string[] | undefined
  readonly description: string | undefined
  readonly element: ValueType | undefined
  /** For a list: 2 for a list of lists, and so on. */
  readonly dimensions: number
}

const families: Readonly<Record<string, readonly [graphql: string, family: Family]>> = {
  bool: ['Boolean', 'boolean'],
  int2: ['Int', 'integer'],
  int4: ['Int', 'integer'],
  int8: ['bigint', 'bigint'],
  numeric: ['numeric', 'numeric'],
  money: ['money', 'money'],
  float4: ['Float', 'float'],
  float8: ['Float', 'float'],
  text: ['String', 'text'],
  varchar: ['String', 'text'],
  bpchar: ['String', 'text'],
  citext: ['String', 'text'],
  name: ['String', 'text'],
  date: ['date', 'temporal'],
  time: ['time', 'temporal'],
  timetz: ['timetz', 'temporal'],
  timestamp: ['timestamp', 'temporal'],
  timestamptz: ['timestamptz', 'temporal'],
  interval: ['interval', 'interval'],
  json: ['json', 'json'],
  jsonb: ['jsonb', 'jsonb'],
}

const familyOf = (type: RawType): readonly [string, Family] => {
  if (type.kind === 'e') return [type.name, 'enum']
  if (type.kind === 'r' || type.kind === 'm') return [type.name, 'range']
  if (type.kind === 'c') return [type.name, 'composite']
  if (type.name === 'ltree' && type.kind === 'b' && type.operators !== null) return ['ltree', 'ltree']
  const known = type.schema === 'pg_catalog' || type.name === 'citext' ? families[type.name] : undefined
  return known ?? [type.name, 'other']
}

const reservedLabels = ['true', 'false', 'null']

/** If labels are not valid GraphQL names, the type is a plain scalar with string values. */
const enumLabels = (type: RawType): readonly string[] | undefined => {
  const labels = type.labels ?? []
  const fit = labels.length > 0 && labels.every(label => isGraphqlName(label) && !reservedLabels.includes(label))
  return fit ? labels : undefined
}

/** Quoted and qualified. */
export const typeName = ({ schema, name }: Pick<RawType, 'schema' | 'name'>): string =>
  `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`

const scalarOf = (type: RawType): ValueType | undefined => {
  const [graphql, family] = familyOf(type)
  if (!isGraphqlName(graphql) || type.kind === 'p' || !type.usable) return undefined
  const labels = family === 'enum' ? enumLabels(type) : undefined
  return {
    graphql,
    sql: typeName(type),
    family: family === 'enum' && labels === undefined ? 'other' : family,
    ordered: type.ordered || family === 'text',
    operators: type.operators ?? undefined,
    below: type.below ?? '<',
    above: type.above ?? '>',
    castFirst: false,
    patterns: 'all',
    labels,
    description: type.comment ?? undefined,
    element: undefined,
    dimensions: 1,
  }
}

const domainOver = (kind: RawType['kind'] | undefined, base: ValueType | undefined): ValueType | undefined =>
  base === undefined || kind !== 'e' ? base : { ...base, castFirst: true }

/** Lists are compared by operators of pg_catalog, whatever their elements. */
const listOperators = { operators: undefined, below: '<', above: '>', castFirst: false } as const

export type TypeLookup = (oid: number) => ValueType | undefined

/** Undefined for a type that cannot be exposed. */
export const createTypeLookup = (types: readonly RawType[]): TypeLookup => {
  const raw = new Map(types.map(type => [type.oid, type]))
  const lookup: TypeLookup = oid => {
    const type = raw.get(oid)
    if (type === undefined) return undefined
    if (type.kind === 'd' && type.base !== null) return domainOver(raw.get(type.base)?.kind, lookup(type.base))
    if (type.element === null) return scalarOf(type)
    const element = lookup(type.element)
    if (element === undefined) return undefined
    return { ...element, ...listOperators, sql: typeName(type), labels: undefined, element }
  }
  return lookup
}
