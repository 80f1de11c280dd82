// A `where` → a condition. Every table that it names is recorded: scopes apply inside filters too.
import {
  type AggregateName,
  aggregateNames,
  aggregateType,
  booleanType,
  integerType,
  textType,
} from '../../catalog/aggregates.ts'
import type { Column, ComputedField, ComputedRows, Relation, Table } from '../../catalog/model.ts'
import { type Operator, operatorsOf } from '../../catalog/operators.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import { limits } from '../limits/limits.ts'
import {
  countCondition,
  type Place,
  type PlanContext,
  refuse,
  spend,
  useColumn,
  useComputed,
  withinRelationship,
} from './context.ts'
import { countOf } from './count-of.ts'
import { readGivenArguments } from './given-arguments.ts'
import { type Input, inputFields, inputItems, inputSource, isNullInput, knownInput } from './input.ts'
import type { Call, Condition, Expression, Value } from './plan.ts'
import { type OfRow, planComputedRows, planRelation, type Related } from './plan-related.ts'

const all = (parts: readonly Condition[]): Condition | undefined =>
  parts.length > 1 ? { kind: 'and', parts } : parts[0]

const TRUE: Condition = { kind: 'and', parts: [] }

/** Comparing with null matches every row in some other systems: here it is refused. */
const notNull = (place: Place, name: string, input: Input): Input => {
  if (isNullInput(input))
    throw refuse(
      place,
      'validation-failed',
      `Null cannot stand for "${name}" in a filter. Leave it out, or use _is_null.`,
    )
  return input
}

/** Another type of the schema that has the operators: PostgreSQL parses its values from text. */
const otherType = ({ operators }: ValueType, name: string): ValueType => ({
  ...textType,
  sql: `${quoteIdentifier(operators ?? 'pg_catalog')}.${quoteIdentifier(name)}`,
})

const operandType = (type: ValueType, { operand, readAs }: Operator): ValueType => {
  if (readAs !== undefined) return { ...textType, sql: `"pg_catalog".${quoteIdentifier(readAs)}` }
  if (operand === 'text') return textType
  if (operand === 'texts') return { ...textType, sql: '"pg_catalog"."text"[]', element: textType }
  if (operand === 'lists') return { ...type, sql: '"pg_catalog"."text"[]', element: type }
  return operand === 'list' ? { ...type, sql: `${type.sql}[]`, element: type } : type
}

const measureOf = ({ name, operand, search }: Operator): Pick<Value, 'measure'> => {
  if (search) return { measure: { kind: 'search', name } }
  return operand === 'same' || operand === 'text' ? {} : { measure: { kind: 'values', name } }
}

const operandValue = (type: ValueType, operator: Operator, input: Input): Value => {
  const { operand } = operator
  const other = operator.of === undefined ? undefined : otherType(type, operator.of)
  const own = other !== undefined && operand === 'text' ? other : operandType(other ?? type, operator)
  const value = { source: inputSource(input), type: own, ...measureOf(operator) }
  if (operand === 'lists') return { ...value, encoding: 'lists' }
  return operand === 'list' || operand === 'texts' ? { ...value, encoding: 'list' } : value
}

const planComparison = (place: Place, left: Expression, type: ValueType, input: Input): Condition[] => {
  const operators = operatorsOf(type)
  return inputFields(input).flatMap(([name, value]): Condition[] => {
    const operand = notNull(place, name, value)
    if (name === '_is_null') return [{ kind: 'null', left, isNull: knownInput(operand) === true }]
    if (name === '_cast') return planCast(place, left, operand)
    const operator = operators.find(one => one.name === name)
    if (operator === undefined) throw new Error(`no operator ${name}`)
    return [{ kind: 'compare', left, type, operator, right: operandValue(type, operator, operand) }]
  })
}

/** `{_cast: {String: {_like: "…"}}}` */
const planCast = (place: Place, left: Expression, input: Input): Condition[] =>
  inputFields(input).flatMap(([name, comparison]) =>
    planComparison(
      place,
      { kind: 'cast', expression: left, type: textType },
      textType,
      notNull(place, name, comparison),
    ),
  )

interface TotalParts {
  readonly predicate: Input | undefined
  readonly filter: Condition | undefined
  readonly distinct: boolean
  readonly columns: readonly Column[]
}

/** Each once, however often it is named. */
export const planColumns = (context: PlanContext, table: Table, input: Input | undefined): Column[] => {
  const items = input === undefined || isNullInput(input) ? [] : inputItems(input)
  const columns = items.flatMap(item => table.columns.get(String(knownInput(item))) ?? [])
  return [...new Set(columns)].map(column => useColumn(context, column))
}

const readTotal = (context: PlanContext, place: Place, table: Table, input: Input): TotalParts => {
  const fields = new Map(inputFields(input))
  const filter = fields.get('filter')
  const distinct = fields.get('distinct')
  return {
    predicate: fields.get('predicate'),
    filter: filter === undefined ? undefined : planWhere(context, place, table, notNull(place, 'filter', filter)),
    distinct: distinct !== undefined && knownInput(distinct) === true,
    columns: planColumns(context, table, fields.get('arguments')),
  }
}

/** `events_aggregate: {count: {predicate: {_gt: 3}}}` and, for min, max, sum and avg, a predicate per column. */
const planTotals = (context: PlanContext, place: Place, relation: Relation, input: Input): Condition[] => {
  const related = planRelation(context, place, relation)
  const { table } = related.from
  spend(context, place, limits.totalCost * place.times)
  const left = (call: Call, where: Condition | undefined): Expression => ({
    kind: 'total',
    ...related,
    where,
    call,
  })
  return inputFields(input).flatMap(([name, value]) => {
    const read = (): TotalParts => readTotal(context, place, table, notNull(place, name, value))
    const { predicate, filter, distinct, columns } = withinRelationship(context, place, read)
    if (predicate === undefined) return []
    if (name === 'count')
      return planComparison(place, left(countOf(place, columns, distinct), filter), integerType, predicate)
    if (name === 'bool_and' || name === 'bool_or')
      return columns.flatMap(column => {
        const call: Call = { kind: 'operation', name, column, distinct, type: booleanType }
        return planComparison(place, left(call, filter), booleanType, predicate)
      })
    const operation = aggregateNames.find(one => one === name) as AggregateName
    return inputFields(notNull(place, 'predicate', predicate)).flatMap(([columnName, comparison]) => {
      const column = table.columns.get(columnName)
      if (column === undefined) return []
      const type = aggregateType(operation, useColumn(context, column))
      const call: Call = { kind: 'operation', name: operation, column, distinct, type }
      return planComparison(place, left(call, filter), type, notNull(place, columnName, comparison))
    })
  })
}

const planExists = (context: PlanContext, place: Place, related: Related, input: Input): Condition => {
  spend(context, place, place.times)
  const where = withinRelationship(context, place, () => planWhere(context, place, related.from.table, input))
  return { kind: 'exists', ...related, where }
}

interface Computed {
  readonly table: Table
  readonly field: ComputedField
}

interface Asked {
  readonly args: Input | undefined
  readonly predicate: Input | undefined
}

/** With arguments: `{distance_km: {args: {…}, predicate: {_lt: 5}}}`; without, just the predicate. */
const askedOf = (place: Place, { arguments: all }: ComputedField | ComputedRows, input: Input): Asked => {
  if (all.length === 0) return { args: undefined, predicate: input }
  const parts = new Map(inputFields(input))
  const predicate = parts.get('predicate')
  return { args: parts.get('args'), predicate: predicate && notNull(place, 'predicate', predicate) }
}

const planComputed = (context: PlanContext, place: Place, { table, field }: Computed, input: Input): Condition[] => {
  const { args, predicate } = askedOf(place, field, input)
  const given = readGivenArguments(place, field.arguments, args)
  const left: Expression = { kind: 'computed', table, field: useComputed(context, table, field), arguments: given }
  return predicate === undefined ? [] : planComparison(place, left, field.type, predicate)
}

/** True if the function returns such a row. */
const planRowsOfRow = (context: PlanContext, place: Place, ofRow: OfRow, input: Input): Condition[] => {
  const { args, predicate } = askedOf(place, ofRow.computed, input)
  const related = planComputedRows(context, place, ofRow, args)
  return predicate === undefined ? [] : [planExists(context, place, related, predicate)]
}

const planField = (context: PlanContext, place: Place, table: Table, name: string, input: Input): Condition[] => {
  const value = notNull(place, name, input)
  countCondition(context, place)
  const branch = (item: Input): Condition => planWhere(context, place, table, notNull(place, name, item)) ?? TRUE
  if (name === '_and') return [{ kind: 'and', parts: inputItems(value).map(branch) }]
  if (name === '_or') return [{ kind: 'or', parts: inputItems(value).map(branch) }]
  if (name === '_not') return [{ kind: 'not', part: branch(value) }]
  const column = table.columns.get(name)
  if (column !== undefined)
    return planComparison(place, { kind: 'column', column: useColumn(context, column) }, column.type, value)
  const field = table.computed.get(name)
  if (field !== undefined) return planComputed(context, place, { table, field }, value)
  const computed = table.computedRows.get(name)
  if (computed !== undefined) return planRowsOfRow(context, place, { table, computed }, value)
  const relation = table.relations.get(name)
  if (relation !== undefined) return [planExists(context, place, planRelation(context, place, relation), value)]
  const totals = table.relations.get(name.replace(/_aggregate$/, ''))
  return totals === undefined ? [] : planTotals(context, place, totals, value)
}

/** Undefined: no condition, like `{}`. */
export const planWhere = (context: PlanContext, place: Place, table: Table, input: Input): Condition | undefined =>
  all(inputFields(input).flatMap(([name, value]) => planField(context, place, table, name, value)))
