// A query as data → the text of a document and its variables, as a client would write them.
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { ExactNumber, exact, type Value, writeExact } from './exact-json.ts'
import type { Call, Condition, Item, List, OrderKey, Query, Range, Root, Totals } from './query.ts'
import { conditionKey, type Named, nameItems, onePerKey } from './response-keys.ts'

export interface WrittenQuery {
  readonly text: string
  /** The request body, with every digit. */
  readonly body: string
}

interface Sheet {
  readonly schema: GraphQLSchema
  readonly valuesAsVariables: boolean
  readonly definitions: string[]
  readonly variables: Record<string, Value>
  readonly fragments: string[]
}

const inputType = ({ schema }: Sheet, name: string): GraphQLInputType => {
  const type = schema.getType(name)
  if (!isInputObjectType(type) && !isEnumType(type)) throw new Error(`the schema has no input type ${name}`)
  return type
}

const variable = (sheet: Sheet, value: Value, type: string): string => {
  const name = `v${sheet.definitions.length}`
  sheet.definitions.push(`$${name}: ${type}`)
  sheet.variables[name] = value
  return `$${name}`
}

/** A value without a declared type: JSON in GraphQL notation. */
const writePlain = (value: Value): string => {
  if (value instanceof ExactNumber) return value.text
  if (Array.isArray(value)) return `[${value.map(writePlain).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, part]) => `${key}: ${writePlain(part)}`)
    .join(', ')}}`
}

const writeLiteral = (sheet: Sheet, value: Value, type: GraphQLInputType): string => {
  if (isNonNullType(type)) return writeLiteral(sheet, value, type.ofType)
  if (isListType(type) && Array.isArray(value))
    return `[${value.map(item => writeLiteral(sheet, item, type.ofType)).join(', ')}]`
  if (isEnumType(type)) return String(value)
  if (!isInputObjectType(type)) return writePlain(value)
  const asVariables = sheet.valuesAsVariables && type.name.endsWith('_comparison_exp')
  const fields = Object.entries(value as Record<string, Value>).map(([key, part]) => {
    const field = type.getFields()[key]
    if (field === undefined) throw new Error(`${type.name} has no field ${key}`)
    return `${key}: ${asVariables ? variable(sheet, part, String(field.type)) : writeLiteral(sheet, part, field.type)}`
  })
  return `{${fields.join(', ')}}`
}

const comparisonsValue = (comparisons: readonly { operator: string; operand: Value }[]): Value =>
  Object.fromEntries(onePerKey(comparisons, ({ operator }) => operator).map(one => [one.operator, one.operand]))

const totalValue = (condition: Condition & { kind: 'total' }): Value => {
  const { call, comparison, filter } = condition
  const predicate = comparisonsValue([comparison])
  const filtering = filter === undefined ? {} : { filter: conditionValue(filter) }
  if (call.name !== 'count') return { [call.name]: { predicate: { [call.column]: predicate }, ...filtering } }
  const columns = call.columns.length === 0 ? {} : { arguments: [...call.columns] }
  return { count: { predicate, distinct: call.distinct, ...columns, ...filtering } }
}

const valueUnderKey = (condition: Condition): Value => {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.map(conditionValue)
    case 'not':
      return conditionValue(condition.part)
    case 'all':
      return [conditionValue(condition)]
    case 'column':
      return comparisonsValue(condition.comparisons)
    case 'related':
      return conditionValue(condition.condition)
    case 'total':
      return totalValue(condition)
  }
}

const conditionValue = (condition: Condition): Value => {
  const parts = condition.kind === 'all' ? onePerKey(condition.parts, conditionKey) : [condition]
  return Object.fromEntries(parts.map(part => [conditionKey(part), valueUnderKey(part)]))
}

const orderValue = ({ path, by, direction }: OrderKey): Value => {
  const callValue = (call: Call): Value =>
    call.name === 'count' ? { count: direction } : { [call.name]: { [call.column]: direction } }
  const own: Value =
    by.kind === 'column' ? { [by.column]: direction } : { [`${by.relation}_aggregate`]: callValue(by.call) }
  return path.reduceRight<Value>((inner, relation) => ({ [relation]: inner }), own)
}

const writeNumber = (sheet: Sheet, number: number): string =>
  sheet.valuesAsVariables ? variable(sheet, exact(number), 'Int') : String(number)

const writeInput = (sheet: Sheet, range: Range, value: Value, type: { name: string; list: boolean }): string => {
  const named = inputType(sheet, type.name)
  if (range.whereAsVariable) return variable(sheet, value, type.list ? `[${type.name}!]` : type.name)
  return Array.isArray(value)
    ? `[${value.map(item => writeLiteral(sheet, item, named)).join(', ')}]`
    : writeLiteral(sheet, value, named)
}

const rangeArguments = (sheet: Sheet, range: Range): string[] => {
  const { table, where, order, distinctOn, limit, offset } = range
  const order_by = { name: `${table}_order_by`, list: true }
  return [
    ...(distinctOn.length === 0 ? [] : [`distinct_on: [${distinctOn.join(', ')}]`]),
    ...(limit === undefined ? [] : [`limit: ${writeNumber(sheet, limit)}`]),
    ...(offset === undefined ? [] : [`offset: ${writeNumber(sheet, offset)}`]),
    ...(order.length === 0 ? [] : [`order_by: ${writeInput(sheet, range, order.map(orderValue), order_by)}`]),
    ...(where === undefined
      ? []
      : [`where: ${writeInput(sheet, range, conditionValue(where), { name: `${table}_bool_exp`, list: false })}`]),
  ]
}

const inBrackets = (all: readonly string[]): string => (all.length === 0 ? '' : `(${all.join(', ')})`)

const writeCall = (call: Call, index: number): string => {
  if (call.name !== 'count') return `k${index}: ${call.name} { ${call.column} }`
  const given = [
    ...(call.columns.length === 0 ? [] : [`columns: [${call.columns.join(', ')}]`]),
    ...(call.distinct ? ['distinct: true'] : []),
  ]
  return `k${index}: count${inBrackets(given)}`
}

const writeTotals = (sheet: Sheet, field: string, totals: Totals, directive = ''): string => {
  const { groupBy, calls, nodes, table } = totals
  const given = rangeArguments(sheet, totals)
  const grouping = groupBy.length === 0 ? [] : [`group_by: [${groupBy.join(', ')}]`]
  const aggregate = `aggregate { ${calls.map(writeCall).join(' ')} }`
  const parts = [
    aggregate,
    ...(nodes.length === 0 ? [] : [`nodes ${writeItems(sheet, table, nameItems(nodes))}`]),
    ...(groupBy.length === 0 ? [] : [`groups { keys { ${groupBy.join(' ')} } ${aggregate} }`]),
  ]
  return `${field}${inBrackets([...given, ...grouping])}${directive} { ${parts.join(' ')} }`
}

const writeList = (sheet: Sheet, field: string, list: List): string =>
  `${field}${inBrackets(rangeArguments(sheet, list))} ${writeItems(sheet, list.table, nameItems(list.items))}`

const writeDirective = (sheet: Sheet, { directive }: Item): string => {
  if (directive === undefined) return ''
  const { name, condition, asVariable } = directive
  return ` @${name}(if: ${asVariable ? variable(sheet, condition, 'Boolean!') : condition})`
}

const writeFragment = (
  sheet: Sheet,
  table: string,
  { item, parts }: Named & { item: { kind: 'fragment' } },
): string => {
  const directive = writeDirective(sheet, item)
  const set = writeItems(sheet, table, parts)
  if (!item.named) return `... on ${table}${directive} ${set}`
  const name = `F${sheet.fragments.length}`
  sheet.fragments.push(`fragment ${name} on ${table} ${set}`)
  return `...${name}${directive}`
}

const targetOf = (sheet: Sheet, table: string, relation: string): string => {
  const type = sheet.schema.getType(table)
  const field = type !== undefined && 'getFields' in type ? type.getFields()[relation] : undefined
  return String(field?.type).replace(/[[\]!]/g, '')
}

const writeItem = (sheet: Sheet, table: string, named: Named): string => {
  const { item, key } = named
  if (item.kind === 'fragment') return writeFragment(sheet, table, { ...named, item })
  const directive = writeDirective(sheet, item)
  const alias = (field: string): string => (key === field ? field : `${key}: ${field}`)
  switch (item.kind) {
    case 'typename':
      return `${alias('__typename')}${directive}`
    case 'column':
      return `${alias(item.column)}${item.path === undefined ? '' : `(path: ${JSON.stringify(item.path)})`}${directive}`
    case 'object': {
      const set = writeItems(sheet, targetOf(sheet, table, item.relation), nameItems(item.items))
      return `${alias(item.relation)}${directive} ${set}`
    }
    case 'array': {
      const { list } = item
      const given = inBrackets(rangeArguments(sheet, list))
      return `${alias(item.relation)}${given}${directive} ${writeItems(sheet, list.table, nameItems(list.items))}`
    }
    case 'totals':
      return writeTotals(sheet, alias(`${item.relation}_aggregate`), item.totals, directive)
  }
}

const writeItems = (sheet: Sheet, table: string, items: readonly Named[]): string =>
  `{ ${items.map(item => writeItem(sheet, table, item)).join(' ')} }`

const writeRoot = (sheet: Sheet, root: Root, index: number): string => {
  if (root.kind === 'list') return `r${index}: ${writeList(sheet, root.list.table, root.list)}`
  if (root.kind === 'totals') return `r${index}: ${writeTotals(sheet, `${root.totals.table}_aggregate`, root.totals)}`
  const field = sheet.schema.getQueryType()?.getFields()[`${root.table}_by_pk`]
  const given = Object.entries(root.key).map(([name, value]) => {
    const type = field?.args.find(argument => argument.name === name)?.type
    if (type === undefined) throw new Error(`${root.table}_by_pk has no argument ${name}`)
    return `${name}: ${sheet.valuesAsVariables ? variable(sheet, value, String(type)) : writeLiteral(sheet, value, type)}`
  })
  return `r${index}: ${root.table}_by_pk${inBrackets(given)} ${writeItems(sheet, root.table, nameItems(root.items))}`
}

const newSheet = (schema: GraphQLSchema, valuesAsVariables: boolean): Sheet => ({
  schema,
  valuesAsVariables,
  definitions: [],
  variables: {},
  fragments: [],
})

const finish = (sheet: Sheet, roots: readonly string[]): WrittenQuery => {
  const head = `query Random${inBrackets(sheet.definitions)}`
  const text = [`${head} {\n  ${roots.join('\n  ')}\n}`, ...sheet.fragments].join('\n')
  return { text, body: `{"query":${JSON.stringify(text)},"variables":${writeExact(sheet.variables)}}` }
}

export const writeQuery = (query: Query, schema: GraphQLSchema): WrittenQuery => {
  const sheet = newSheet(schema, query.values === 'variables')
  return finish(
    sheet,
    query.roots.map((root, index) => writeRoot(sheet, root, index)),
  )
}

/** One page of a list: its key columns, and the cursor to continue from. */
export const writePage = (
  schema: GraphQLSchema,
  range: Range,
  key: readonly string[],
  cursor: string | undefined,
): WrittenQuery => {
  const sheet = newSheet(schema, false)
  const given = rangeArguments(sheet, range)
  const going = cursor === undefined ? [] : [`after: ${variable(sheet, cursor, 'String')}`]
  return finish(sheet, [`rows: ${range.table}${inBrackets([...given, ...going])} { ${key.join(' ')} _cursor }`])
}
