// A scalar's name and family → a GraphQL scalar that accepts what PostgreSQL could parse; PostgreSQL itself checks the rest.
import {
  type ConstValueNode,
  GraphQLBoolean,
  GraphQLError,
  GraphQLFloat,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
  Kind,
} from 'graphql'
import type { Family } from '../../catalog/value-type.ts'

const descriptions: Readonly<Record<string, string>> = {
  bigint: 'A whole number of up to 64 bits, with all its digits. Given as a number or, to be safe, as a string.',
  numeric: 'A decimal number with all its digits. Given as a number or, to be safe, as a string.',
  date: 'A day: 2026-02-18.',
  time: 'A time of day: 13:30:00.',
  timestamp: 'A local date and time: 2026-02-18T13:30:00.',
  timestamptz: 'A moment, ISO 8601: 2026-02-18T13:30:00+00:00.',
  money: 'An amount of money, as PostgreSQL writes it: $1,234.50. Given as a number or a string.',
  interval: 'A span of time, as PostgreSQL writes it: 1 day 02:00:00.',
  uuid: 'A UUID.',
  json: 'Any JSON.',
  jsonb: 'Any JSON.',
  daterange: 'Days from … to, as PostgreSQL writes it: [2026-02-18,2026-03-20).',
}

/** `node`: where the value is written, if it is a literal. */
const refuse = (name: string, shown: string, node?: ConstValueNode): never => {
  throw new GraphQLError(`${name} cannot represent this value: ${shown}`, { nodes: node ?? null })
}

const wholeNumber = /^[+-]?\d+$/
const decimalNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
/** Other numeric values of PostgreSQL: JSON has no numbers for these, so they are strings. */
const beyondNumbers = /^[+-]?infinity$|^nan$/i

const isBeyondNumbers = (value: unknown): value is string => typeof value === 'string' && beyondNumbers.test(value)

const isAnything = (family: Family): boolean => family === 'json' || family === 'jsonb'

const accepts = (family: Family, value: unknown): boolean => {
  if (isAnything(family)) return true
  if (family === 'composite') return typeof value === 'object' && !Array.isArray(value)
  if (family === 'bigint')
    return (
      typeof value === 'bigint' || Number.isInteger(value) || (typeof value === 'string' && wholeNumber.test(value))
    )
  if (family === 'numeric')
    return (
      typeof value === 'bigint' ||
      Number.isFinite(value) ||
      (typeof value === 'string' && decimalNumber.test(value)) ||
      isBeyondNumbers(value)
    )
  if (family === 'money') return typeof value === 'bigint' || Number.isFinite(value) || typeof value === 'string'
  return typeof value === 'string'
}

const acceptsLiteral = (family: Family, node: ConstValueNode): boolean => {
  if (isAnything(family)) return true
  if (family === 'composite') return node.kind === Kind.OBJECT
  if (node.kind === Kind.INT) return family === 'bigint' || family === 'numeric' || family === 'money'
  if (node.kind === Kind.FLOAT) return family === 'numeric' || family === 'money'
  return node.kind === Kind.STRING && accepts(family, node.value)
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

export const createScalar = (name: string, family: Family, description: string | undefined): GraphQLScalarType =>
  new GraphQLScalarType({
    name,
    description: description ?? descriptions[name] ?? 'As PostgreSQL writes it.',
    coerceInputValue: value =>
      accepts(family, value) ? value : refuse(name, shorten(JSON.stringify(value) ?? typeof value)),
    coerceInputLiteral: node =>
      acceptsLiteral(family, node)
        ? true
        : refuse(name, shorten('value' in node ? String(node.value) : node.kind), node),
  })

const float = GraphQLFloat.toConfig()

/** GraphQL's own, extended by the special values of PostgreSQL. */
const floatScalar = new GraphQLScalarType<unknown, unknown>({
  ...float,
  coerceInputValue: value => (isBeyondNumbers(value) ? value : float.coerceInputValue(value)),
  coerceInputLiteral: node =>
    node.kind === Kind.STRING && isBeyondNumbers(node.value) ? node.value : GraphQLFloat.coerceInputLiteral?.(node),
})

export const builtInScalars: Readonly<Record<string, GraphQLScalarType>> = {
  Int: GraphQLInt,
  Float: floatScalar,
  String: GraphQLString,
  Boolean: GraphQLBoolean,
}
