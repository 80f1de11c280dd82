// A schema → every way a query can name a table: as a root field, through relationships, in filters, orders, aggregates, variables.
import {
  type GraphQLField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql'
import type { Question } from '../support/graphql.ts'

export interface Way {
  readonly name: string
  /** The other table whose relationship leads here, if any. */
  readonly through: string | undefined
  readonly question: Question
}

type Field = GraphQLField<unknown, unknown>

const samples: Readonly<Record<string, string>> = {
  Int: '1',
  Float: '1.5',
  String: '"x"',
  Boolean: 'true',
  uuid: '"00000000-0000-0000-0000-000000000000"',
  date: '"2026-01-01"',
  timestamp: '"2026-01-01T00:00:00"',
  timestamptz: '"2026-01-01T00:00:00Z"',
  bigint: '1',
}

const sampleOf = (type: GraphQLInputType): string => {
  const named = getNamedType(type)
  if (isEnumType(named)) return named.getValues()[0]?.name ?? ''
  if (!isInputObjectType(named)) return samples[named.name] ?? '"x"'
  // The arguments of a function may be null, but not be left out.
  const isNeeded = (field: { type: GraphQLInputType }): boolean =>
    named.name.endsWith('_args') || field.type instanceof GraphQLNonNull
  const required = Object.values(named.getFields()).filter(isNeeded)
  return `{${required.map(field => `${field.name}: ${sampleOf(field.type)}`).join(', ')}}`
}

const requiredArguments = ({ args }: Field): string => {
  const required = args.filter(argument => argument.type instanceof GraphQLNonNull)
  return required.length === 0 ? '' : `(${required.map(one => `${one.name}: ${sampleOf(one.type)}`).join(', ')})`
}

const selectionFor = (schema: GraphQLSchema, table: string, field: Field): string | undefined => {
  const named = getNamedType(field.type).name
  if (named === table) return '{ __typename }'
  return named === `${table}_aggregate` && schema.getType(named) !== undefined ? '{ aggregate { count } }' : undefined
}

const fieldsOf = (schema: GraphQLSchema, name: string): Field[] => {
  const type = schema.getType(name)
  return isObjectType(type) ? Object.values(type.getFields()) : []
}

const rootWays = (schema: GraphQLSchema, table: string): Way[] =>
  fieldsOf(schema, 'query_root').flatMap(field => {
    const selection = selectionFor(schema, table, field)
    if (selection === undefined) return []
    const root = `${field.name}${requiredArguments(field)} ${selection}`
    const way = (name: string, question: Question): Way => ({
      name: `${name} ${field.name}`,
      through: undefined,
      question,
    })
    return [
      way('root', { query: `{ ${root} }` }),
      way('alias', { query: `{ other: ${root} }` }),
      way('fragment', { query: `{ ...F } fragment F on query_root { ${root} }` }),
      way('inline fragment', { query: `{ ... on query_root { ... { ${root} } } }` }),
      way('included by a variable', {
        query: `query ($yes: Boolean!) { ... @include(if: $yes) { ${root} } }`,
        variables: { yes: true },
      }),
      way('beside another root', { query: `{ __typename ${root} }` }),
    ]
  })

const aggregateWays = (table: string, column: string): Way[] =>
  [
    ['nodes', `{ ${table}_aggregate { nodes { ${column} } } }`],
    ['groups', `{ ${table}_aggregate(group_by: ${column}) { groups { keys { ${column} } aggregate { count } } } }`],
    ['only __typename', `{ ${table}_aggregate { __typename } }`],
  ].map(([name, query]) => ({ name: `totals: ${name}`, through: undefined, question: { query: query ?? '' } }))

interface Hop {
  readonly from: string
  readonly relation: string
  readonly isList: boolean
  readonly column: string
}

/** The filter and the order type of the table. */
const conditionsOf = ({ relation, isList }: Hop): string[] =>
  isList ? [`{${relation}: {}}`, `{${relation}_aggregate: {count: {predicate: {_gte: 0}}}}`] : [`{${relation}: {}}`]

const ordersOf = ({ relation, isList, column }: Hop): string[] =>
  isList ? [`{${relation}_aggregate: {count: desc}}`] : [`{${relation}: {${column}: asc}}`]

/** A literal of the few kinds above → the same value as JSON. */
const toJson = (literal: string): unknown =>
  JSON.parse(literal.replace(/(\w+):/g, '"$1":').replace(/: ([a-z]+)/g, ': "$1"'))

const hopWays = (hop: Hop): Way[] => {
  const { from, relation, isList } = hop
  const way = (name: string, question: Question): Way => ({
    name: `${name} ${from}.${relation}`,
    through: from,
    question,
  })
  const list = (argument: string): string => `{ ${from}(${argument}, limit: 1) { __typename } }`
  return [
    way('relationship', { query: `{ ${from}(limit: 1) { ${relation} { __typename } } }` }),
    way('in a fragment', {
      query: `{ ${from}(limit: 1) { ...F } } fragment F on ${from} { other: ${relation} { __typename } }`,
    }),
    way('under nodes', { query: `{ ${from}_aggregate(limit: 1) { nodes { ${relation} { __typename } } } }` }),
    ...(isList
      ? [way('totals of', { query: `{ ${from}(limit: 1) { ${relation}_aggregate { aggregate { count } } } }` })]
      : []),
    ...conditionsOf(hop).flatMap(condition => [
      way(`where ${condition}`, { query: list(`where: ${condition}`) }),
      way(`where _not ${condition}`, { query: list(`where: {_not: ${condition}}`) }),
      way(`where _or ${condition}`, { query: list(`where: {_or: [{}, {_and: [${condition}]}]}`) }),
      way(`totals where ${condition}`, { query: `{ ${from}_aggregate(where: ${condition}) { aggregate { count } } }` }),
      way(`variable ${condition}`, {
        query: `query ($w: ${from}_bool_exp) { ${from}(where: $w, limit: 1) { __typename } }`,
        variables: { w: toJson(condition) },
      }),
      way(`default of a variable ${condition}`, {
        query: `query ($w: ${from}_bool_exp = ${condition}) { ${from}(where: $w, limit: 1) { __typename } }`,
      }),
    ]),
    ...ordersOf(hop).flatMap(order => [
      way(`order_by ${order}`, { query: list(`order_by: ${order}`) }),
      way(`order_by in a variable ${order}`, {
        query: `query ($o: [${from}_order_by!]) { ${from}(order_by: $o, limit: 1) { __typename } }`,
        variables: { o: [toJson(order)] },
      }),
    ]),
  ]
}

/** A column that supports sorting and grouping. */
const plainColumn = (schema: GraphQLSchema, table: string): string => {
  const type = schema.getType(`${table}_select_column`)
  return (isEnumType(type) ? type.getValues()[0]?.name : undefined) ?? 'id'
}

/** Rows of a table can be queried at the root, under the table's name. */
export const isTable = (schema: GraphQLSchema, name: string): boolean =>
  fieldsOf(schema, 'query_root').some(field => field.name === name && String(field.type) === `[${name}!]!`)

const hopsTo = (schema: GraphQLSchema, table: string): Hop[] =>
  Object.values(schema.getTypeMap()).flatMap(type => {
    if (!isTable(schema, type.name)) return []
    const related = fieldsOf(schema, type.name).filter(field => getNamedType(field.type).name === table)
    return related.map(field => ({
      from: type.name,
      relation: field.name,
      isList: isListType(field.type) || (field.type instanceof GraphQLNonNull && isListType(field.type.ofType)),
      column: plainColumn(schema, table),
    }))
  })

export const waysToName = (schema: GraphQLSchema, table: string): Way[] => [
  ...rootWays(schema, table),
  ...aggregateWays(table, plainColumn(schema, table)),
  ...hopsTo(schema, table).flatMap(hopWays),
]
