// Conditions, expressions and totals → SQL. Wherever a table is named, its deleted rows are left out.
import type { Table } from '../../catalog/model.ts'
import { operatorSign } from '../../catalog/operators.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import { limits } from '../limits/limits.ts'
import type { Call, Condition, Expression, Join, Value } from '../plan/plan.ts'
import { columnOf, nextAlias, valueParameter, type Writer } from './writer.ts'

/** A row of a table under an alias; `row` stands for the whole of it as an argument of a function. */
export interface Row {
  readonly alias: string
  readonly row: string
}

/** With `.*`, since the alias alone would be taken for a column of that name, of this table or of one around it. */
export const rowAs = (alias: string): Row => ({ alias, row: `${quoteIdentifier(alias)}.*` })

export const tableName = (table: Table): string => `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.relation)}`

export const whereOf = (conditions: readonly (string | undefined)[]): string => {
  const present = conditions.filter(condition => condition !== undefined)
  return present.length === 0 ? '' : ` where ${present.join(' and ')}`
}

/** Row-level security says the same; but its plan is made for everybody, and would walk through all rows. */
const userCondition = (table: Table, row: Row): string => {
  const pairs = table.userRows.map(
    ([column, name]) =>
      `${columnOf(row.alias, column)} = any ((select ${quoteIdentifier(table.schema)}.${quoteIdentifier(name)}())::uuid[])`,
  )
  return `(${pairs.join(' or ')})`
}

/** What holds for every row of a table that is ever looked at. */
export const rowConditions = (writer: Writer, table: Table, row: Row): string[] => [
  ...(table.softDelete === undefined ? [] : [`${columnOf(row.alias, table.softDelete)} is null`]),
  ...(writer.forUser && table.userRows.length > 0 ? [userCondition(table, row)] : []),
]

/** How rows hang on the row around them. */
export interface Hold {
  readonly join: Join
  readonly outer: Row
}

/** As PostgreSQL can compare it. */
export const castFirst = (expression: string, type: ValueType): string =>
  type.castFirst ? `(${expression})::${type.sql}` : expression

/** Only the target's type is known here: what points to an enum may be a domain over it. */
const isJoined = (own: string, target: string, type: ValueType | undefined): string => {
  if (type === undefined) return `${target} = ${own}`
  const pointer = castFirst(own, type.family === 'enum' ? { ...type, castFirst: true } : type)
  return `${castFirst(target, type)} ${operatorSign('=', type)} ${pointer}`
}

export const joinConditions = ({ join, outer }: Hold, table: Table, row: Row): string[] =>
  join.map(([own, target]) => {
    const found = [...table.columns.values()].find(({ column }) => column === target)
    return isJoined(columnOf(outer.alias, own), columnOf(row.alias, target), found?.type)
  })

/** How many people the rows are about. */
const countPeople = (table: Table, row: Row): string => {
  const columns = (table.personal?.personColumns ?? []).map(column => columnOf(row.alias, column))
  if (columns.length === 0) return 'count(*)'
  return columns.length === 1
    ? `count(distinct ${columns[0]})`
    : `count(distinct coalesce(${columns.map(column => `${column}::text`).join(', ')}))`
}

/** No total over fewer than five people. */
export const enoughPeople = (table: Table, row: Row): string | undefined =>
  table.personal === undefined ? undefined : `${countPeople(table, row)} >= ${limits.people}`

const compileCount = (call: Call & { kind: 'count' }, row: Row): string => {
  const columns = call.columns.map(({ column }) => columnOf(row.alias, column))
  if (columns.length === 0) return 'count(*)'
  const present = columns.map(column => `${column} is not null`).join(' and ')
  if (columns.length === 1) return `count(${call.distinct ? 'distinct ' : ''}${columns[0]})`
  return `count(${call.distinct ? `distinct (${columns.join(', ')})` : '*'}) filter (where ${present})`
}

export const compileCall = (call: Call, row: Row): string => {
  if (call.kind === 'count') return compileCount(call, row)
  // The least and greatest of a type that brings its own operators are aggregates of its own, beside them.
  const { operators } = call.type
  const name = operators === undefined ? call.name : `${quoteIdentifier(operators)}.${call.name}`
  const column = castFirst(columnOf(row.alias, call.column.column), call.column.type)
  return `${name}(${call.distinct ? 'distinct ' : ''}${column})`
}

const compileTotal = (writer: Writer, total: Expression & { kind: 'total' }, outer: Row): string => {
  const row = rowAs(`t${nextAlias(writer)}`)
  const enough = enoughPeople(total.table, row)
  const where = whereOf([
    ...joinConditions({ join: total.join, outer }, total.table, row),
    ...rowConditions(writer, total.table, row),
    total.where === undefined ? undefined : compileCondition(writer, total.where, row),
  ])
  const having = enough === undefined ? '' : ` having ${enough}`
  return `(select ${compileCall(total.call, row)} from ${tableName(total.table)} ${quoteIdentifier(row.alias)}${where}${having})`
}

const compileRelated = (writer: Writer, related: Expression & { kind: 'related' }, outer: Row): string => {
  const row = rowAs(`t${nextAlias(writer)}`)
  const where = whereOf([
    ...joinConditions({ join: related.join, outer }, related.table, row),
    ...rowConditions(writer, related.table, row),
  ])
  const expression = compileExpression(writer, related.expression, row)
  return `(select ${expression} from ${tableName(related.table)} ${quoteIdentifier(row.alias)}${where} limit 1)`
}

export const compileExpression = (writer: Writer, expression: Expression, row: Row): string => {
  switch (expression.kind) {
    case 'column':
      return columnOf(row.alias, expression.column.column)
    case 'computed':
      return `${quoteIdentifier(expression.table.schema)}.${quoteIdentifier(expression.field.function)}(${row.row})`
    case 'related':
      return compileRelated(writer, expression, row)
    case 'total':
      return compileTotal(writer, expression, row)
  }
}

/**
 * PostgreSQL makes a join of every `exists`, which is fast to run; but the time it takes to plan them grows with the square of
 * their number: 90 take seconds. Those beyond a handful are kept apart by `offset 0`, and planned one by one.
 */
const MOST_JOINED = 6

/** Within one that is kept apart, PostgreSQL plans anew: there, counting starts over. */
const compileExists = (writer: Writer, condition: Condition & { kind: 'exists' }, outer: Row): string => {
  const count = writer.existences + 1
  const apart = count > MOST_JOINED
  writer.existences = apart ? 0 : count
  const row = rowAs(`t${nextAlias(writer)}`)
  const where = whereOf([
    ...joinConditions({ join: condition.join, outer }, condition.table, row),
    ...rowConditions(writer, condition.table, row),
    condition.where === undefined ? undefined : compileCondition(writer, condition.where, row),
  ])
  if (apart) writer.existences = count
  return `exists (select from ${tableName(condition.table)} ${quoteIdentifier(row.alias)}${where}${apart ? ' offset 0' : ''})`
}

const compileParts = (writer: Writer, { kind, parts }: Condition & { kind: 'and' | 'or' }, row: Row): string => {
  if (parts.length === 0) return kind === 'and' ? 'true' : 'false'
  return `(${parts.map(part => compileCondition(writer, part, row)).join(` ${kind} `)})`
}

/** Texts that are lists → lists. */
const asLists = (operand: string, { type }: Value): string =>
  `select "list"::${type.element?.sql} from unnest(${operand}) "list"`

export const compileCondition = (writer: Writer, condition: Condition, row: Row): string => {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return compileParts(writer, condition, row)
    case 'not':
      return `not (${compileCondition(writer, condition.part, row)})`
    case 'null':
      return `${compileExpression(writer, condition.left, row)} is ${condition.isNull ? '' : 'not '}null`
    case 'exists':
      return compileExists(writer, condition, row)
    case 'compare': {
      const { left, type, operator, right } = condition
      const operand = valueParameter(writer, right)
      const shown = operator.enclosed ? `(${right.encoding === 'lists' ? asLists(operand, right) : operand})` : operand
      return `(${castFirst(compileExpression(writer, left, row), type)} ${operator.sql} ${shown})`
    }
  }
}
