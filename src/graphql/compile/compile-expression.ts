// Conditions, expressions and aggregates → SQL. Wherever a table is named, its deleted rows are left out.
import type { Condition, Expression, Value } from '../plan/plan.ts'
import { compileFunction } from './compile-arguments.ts'
import { compileCall } from './compile-call.ts'
import { compileNode } from './compile-node.ts'
import { sourceConditions, sourceOf } from './compile-source.ts'
import { castFirst, type Row, rowAs, whereOf } from './row.ts'
import { countedRows, enoughPeople, takesWholeGroups } from './small-groups.ts'
import { nextAlias, shownColumn, valueParameter, type Writer } from './writer.ts'

const compileTotal = (writer: Writer, total: Expression & { kind: 'total' }, outer: Row): string => {
  const { from, join } = total
  const { table } = from
  const hold = { join, outer }
  const row = rowAs(`t${nextAlias(writer)}`)
  const narrowed = (target: Row): (string | undefined)[] => [
    ...sourceConditions(writer, from, target, hold),
    total.where === undefined ? undefined : compileCondition(writer, total.where, target),
  ]
  const whole = from.kind === 'table' && takesWholeGroups(table, { where: total.where, join })
  const where = whereOf([...narrowed(row), countedRows(writer, table, { row, narrowed: whole ? narrowed : undefined })])
  const enough = enoughPeople(writer, table, row)
  const having = enough === undefined ? '' : ` having ${enough}`
  return `(select ${compileCall(writer, total.call, { table, row })} from ${sourceOf(writer, from, row, hold)}${where}${having})`
}

const compileRelated = (writer: Writer, related: Expression & { kind: 'related' }, outer: Row): string => {
  const row = rowAs(`t${nextAlias(writer)}`)
  const hold = { join: related.join, outer }
  const where = whereOf(sourceConditions(writer, related.from, row, hold))
  const expression = compileExpression(writer, related.expression, row)
  return `(select ${expression} from ${sourceOf(writer, related.from, row, hold)}${where} limit 1)`
}

export const compileExpression = (writer: Writer, expression: Expression, row: Row): string => {
  switch (expression.kind) {
    case 'column':
      return shownColumn(row.alias, expression.column)
    case 'computed':
      return compileFunction(writer, {
        schema: expression.table.schema,
        function: expression.field.function,
        of: { row: row.row, argument: expression.field.row },
        arguments: expression.arguments,
      })
    case 'cast':
      return `(${compileExpression(writer, expression.expression, row)})::${expression.type.sql}`
    case 'related':
      return compileRelated(writer, expression, row)
    case 'total':
      return compileTotal(writer, expression, row)
  }
}

/**
 * PostgreSQL turns every `exists` into a join, which is fast to run; but planning time grows with the square of their
 * number: 90 take seconds. Those beyond a handful are isolated by `offset 0`, and planned one by one.
 */
const MOST_JOINED = 6

/** Inside an isolated subquery PostgreSQL plans separately, so counting starts over. */
const compileExists = (writer: Writer, condition: Condition & { kind: 'exists' }, outer: Row): string => {
  const count = writer.existences + 1
  const apart = count > MOST_JOINED
  writer.existences = apart ? 0 : count
  const row = rowAs(`t${nextAlias(writer)}`)
  const hold = { join: condition.join, outer }
  const where = whereOf([
    ...sourceConditions(writer, condition.from, row, hold),
    condition.where === undefined ? undefined : compileCondition(writer, condition.where, row),
  ])
  if (apart) writer.existences = count
  return `exists (select from ${sourceOf(writer, condition.from, row, hold)}${where}${apart ? ' offset 0' : ''})`
}

const compileParts = (writer: Writer, { kind, parts }: Condition & { kind: 'and' | 'or' }, row: Row): string => {
  if (parts.length === 0) return kind === 'and' ? 'true' : 'false'
  return `(${parts.map(part => compileCondition(writer, part, row)).join(` ${kind} `)})`
}

/** Lists as text → lists. */
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
    case 'node':
      return compileNode(writer, condition, row)
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
