// The schema of a service → every possible query on each column of a table, one root field each.
import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql'

export interface Question {
  /** The root field, without its alias. */
  readonly field: string
  /** The types of its variables, by name. */
  readonly variables: Readonly<Record<string, { readonly type: string; readonly value: unknown }>>
}

const inputFields = (schema: GraphQLSchema, name: string): string[] => {
  const type = schema.getType(name)
  return isInputObjectType(type) ? Object.keys(type.getFields()) : []
}

const objectFields = (schema: GraphQLSchema, name: string): string[] => {
  const type = schema.getType(name)
  return isObjectType(type) ? Object.keys(type.getFields()) : []
}

const operand = (type: unknown, name: string, value: unknown): unknown => {
  if (name === '_is_null') return true
  if (name === '_in' || name === '_nin') return [value]
  const named = String(type)
  if (named === 'String') return typeof value === 'string' ? value : 'a'
  return named === '[String!]' && !Array.isArray(value) ? ['a'] : value
}

const filters = (schema: GraphQLSchema, table: string, column: string, value: unknown): Question[] => {
  const where = schema.getType(`${table}_bool_exp`) as GraphQLInputObjectType
  const comparison = where.getFields()[column]?.type
  const named = comparison === undefined ? undefined : getNamedType(comparison)
  if (!isInputObjectType(named)) return []
  return Object.values(named.getFields())
    .filter(({ type }) => !isInputObjectType(type))
    .map(({ name, type }) => ({
      field: `${table}(where: {${column}: {${name}: $v${name}}}) { id }`,
      variables: { [`v${name}`]: { type: String(type), value: operand(type, name, value) } },
    }))
}

const orders = (schema: GraphQLSchema, table: string, column: string): string[] => {
  if (!isSortable(schema, table, column)) return []
  return ['asc', 'desc_nulls_last'].flatMap(direction => [
    `${table}(order_by: {${column}: ${direction}}) { id _cursor }`,
    `${table}(order_by: {parent: {${column}: ${direction}}}) { id _cursor }`,
  ])
}

const distincts = (schema: GraphQLSchema, table: string, column: string): string[] =>
  objectFields(schema, `${table}_group_keys`).includes(column)
    ? [
        `${table}(distinct_on: ${column}) { ${column} }`,
        `${table}_aggregate { aggregate { count(columns: ${column}, distinct: true) } }`,
        `${table}_aggregate(group_by: ${column}) { groups(order_by: {keys: {${column}: desc}}) { keys { ${column} } } }`,
      ]
    : []

const totals = (schema: GraphQLSchema, table: string, column: string): string[] =>
  objectFields(schema, `${table}_aggregate_fields`).flatMap(name =>
    objectFields(schema, `${table}_${name}_fields`).includes(column)
      ? [
          `${table}_aggregate { aggregate { ${name} { ${column} } } }`,
          `${table}(order_by: {${table.slice(3)}_aggregate: {${name}: {${column}: asc}}}) { id }`,
        ]
      : [],
  )

const totalFilters = (schema: GraphQLSchema, table: string, column: string, value: unknown): Question[] =>
  inputFields(schema, `${table}_aggregate_bool_exp`).flatMap(name => {
    const predicate = schema.getType(`${table}_${name}_bool_exp`)
    const comparison = isInputObjectType(predicate) ? predicate.getFields()[column]?.type : undefined
    const named = comparison === undefined ? undefined : getNamedType(comparison)
    if (!isInputObjectType(named)) return []
    return Object.values(named.getFields())
      .filter(({ name: operator }) => ['_eq', '_gt', '_in', '_contains'].includes(operator))
      .map(one => ({
        field: `${table}(where: {${table.slice(3)}_aggregate: {${name}: {predicate: {${column}: {${one.name}: $v${one.name}}}}}}) { id }`,
        variables: { [`v${one.name}`]: { type: String(one.type), value: operand(one.type, one.name, value) } },
      }))
  })

const keys = (schema: GraphQLSchema, table: string, column: string, value: unknown): Question[] => {
  const field = schema.getQueryType()?.getFields()[`${table}_by_${column}_id`]
  const type = field?.args.find(({ name }) => name === column)?.type
  if (type === undefined || value === null) return []
  return [
    {
      field: `${table}_by_${column}_id(${column}: $key, id: 1) { id }`,
      variables: { key: { type: String(type), value } },
    },
  ]
}

/** `value` is the column's value in a row, as the service writes it. */
export const questionsAbout = (schema: GraphQLSchema, table: string, column: string, value: unknown): Question[] => [
  ...filters(schema, table, column, value),
  ...totalFilters(schema, table, column, value),
  ...keys(schema, table, column, value),
  ...[
    ...orders(schema, table, column),
    ...distincts(schema, table, column),
    ...totals(schema, table, column),
    `${table}_aggregate { aggregate { count(columns: ${column}) } }`,
  ].map(field => ({ field, variables: {} })),
]

/** Text that no type can parse, wherever a value of any type is accepted. */
export const nonsenseAbout = (schema: GraphQLSchema, table: string, column: string): Question[] =>
  filters(schema, table, column, '& no such ( thing').filter(({ field }) =>
    /_eq:|_in:|_contains:|_regex:|_matches:/.test(field),
  )

/** The columns of a table, and its computed fields that return values rather than rows. */
export const valueFields = (schema: GraphQLSchema, table: string): string[] =>
  Object.values((schema.getType(table) as GraphQLObjectType).getFields())
    .filter(({ type, name }) => !['_cursor', 'id', 'parent_id'].includes(name) && !isObjectType(getNamedType(type)))
    .map(({ name }) => name)

export const isSortable = (schema: GraphQLSchema, table: string, field: string): boolean =>
  inputFields(schema, `${table}_order_by`).includes(field)
