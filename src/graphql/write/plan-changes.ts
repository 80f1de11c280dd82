// The operators of an update (`_set`, `_inc` and so on) → how each column changes.
import { integerType, textType } from '../../catalog/aggregates.ts'
import type { Column, Table } from '../../catalog/model.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import { type Place, refuse } from '../plan/context.ts'
import { type Input, inputFields, inputSource, isNullInput } from '../plan/input.ts'
import type { Arguments } from '../plan/read-arguments.ts'
import { sentValue } from './sent-value.ts'
import type { Change, UpdateOperator } from './write-plan.ts'

const texts: ValueType = { ...textType, sql: '"pg_catalog"."text"[]', element: textType }

/** The type of the operand; undefined if it is the column's own. */
const operators: Readonly<Record<UpdateOperator, ValueType | undefined>> = {
  _set: undefined,
  _inc: undefined,
  _append: undefined,
  _prepend: undefined,
  _delete_key: textType,
  _delete_elem: integerType,
  _delete_at_path: texts,
}

const names = Object.keys(operators) as readonly UpdateOperator[]

const changeOf = (place: Place, operator: UpdateOperator, column: Column, input: Input): Change => {
  if (operator === '_set') return { operator, ...sentValue(column, input) }
  if (isNullInput(input))
    throw refuse(place, 'validation-failed', `Null cannot be given for ${column.name} in ${operator}. Leave it out.`)
  const value = { source: inputSource(input), type: operators[operator] ?? column.type }
  return { operator, column, value: operator === '_delete_at_path' ? { ...value, encoding: 'list' } : value }
}

/** None for empty operators, as of a form in which nothing was edited. @throws if a column changes twice, or there is no operator. */
export const planChanges = (place: Place, { writing }: Table, given: Arguments): Change[] => {
  const changes = names.flatMap(operator => {
    const input = given.get(operator)
    return (input === undefined ? [] : inputFields(input)).map(([name, value]) => {
      const column = writing?.updateColumns.find(one => one.name === name)
      if (column === undefined) throw new Error(`${name} cannot be updated`)
      return changeOf(place, operator, column, value)
    })
  })
  const twice = changes.find(({ column }, index) => changes.findIndex(one => one.column === column) < index)
  if (twice !== undefined)
    throw refuse(place, 'validation-failed', `The column ${twice.column.name} is in more than one operator.`)
  if (!names.some(operator => given.has(operator)))
    throw refuse(place, 'validation-failed', `Nothing would change. Give at least one column in ${names.join(', ')}.`)
  return changes
}
