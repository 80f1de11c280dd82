// A `_stream` field → the rows beyond its initial value, and those after the last row that was sent, in the order of one column.
import type { Column, Table } from '../../catalog/model.ts'
import { operatorsOf } from '../../catalog/operators.ts'
import { limits } from '../limits/limits.ts'
import type { CollectedField } from './collected-field.ts'
import { type Place, type PlanContext, refuse, useColumn } from './context.ts'
import { type Input, inputFields, inputItems, inputSource, isNullInput, knownInput, type Source } from './input.ts'
import type { Condition, Order, Range, Rows } from './plan.ts'
import { withFields } from './plan-rows.ts'
import { type Arguments, readArguments, readWhere } from './read-arguments.ts'

/** Where the cursor of the last row is bound. No variable of a document can have this name. */
export const CURSOR_VARIABLE = '#cursor'

interface Followed {
  readonly column: Column
  readonly value: Input
  readonly direction: Order['direction']
}

const readBatchSize = (place: Place, given: Arguments): number => {
  const input = given.get('batch_size')
  const size = input === undefined ? Number.NaN : Number(knownInput(input))
  if (size >= 1 && size <= limits.page) return size
  throw refuse(
    place,
    'page-out-of-range',
    `batch_size is ${size}; a stream sends from 1 to ${limits.page} rows at a time.`,
  )
}

const oneColumn = (place: Place): Error =>
  refuse(
    place,
    'validation-failed',
    'cursor names exactly one column, with the value to start from: {initial_value: {id: 0}}.',
  )

const readFollowed = (context: PlanContext, place: Place, table: Table, given: Arguments): Followed => {
  const cursors = inputItems(given.get('cursor') as Input)
  const [cursor] = cursors
  if (cursors.length !== 1 || cursor === undefined || isNullInput(cursor)) throw oneColumn(place)
  const parts = new Map(inputFields(cursor))
  const values = inputFields(parts.get('initial_value') as Input)
  const [[name, value] = []] = values
  const column = name === undefined ? undefined : table.columns.get(name)
  if (values.length !== 1 || column === undefined || value === undefined || isNullInput(value)) throw oneColumn(place)
  const ordering = parts.get('ordering')
  const isDescending = ordering !== undefined && knownInput(ordering) === 'DESC'
  return { column: useColumn(context, column), value, direction: isDescending ? 'desc' : 'asc' }
}

/** Rows with equal values are told apart by the primary key, so that a batch may end between them. */
const orderOf = (table: Table, { column, direction }: Followed): Order[] =>
  [...new Set([column, ...(table.primaryKey ?? [])])].map(one => ({
    expression: { kind: 'column', column: one },
    type: one.type,
    direction,
    nulls: direction === 'asc' ? 'last' : 'first',
    notNull: true,
  }))

const isBeyond = ({ column, value, direction }: Followed): Condition => {
  const name = direction === 'asc' ? '_gt' : '_lt'
  const operator = operatorsOf(column.type).find(one => one.name === name)
  if (operator === undefined) throw new Error(`values of ${column.name} cannot be compared`)
  const right = { source: inputSource(value), type: column.type }
  return { kind: 'compare', left: { kind: 'column', column }, type: column.type, operator, right }
}

const all = (parts: readonly (Condition | undefined)[]): Condition => ({
  kind: 'and',
  parts: parts.filter(part => part !== undefined),
})

export const planStream = (
  context: PlanContext,
  place: Place,
  table: Table,
  field: CollectedField,
): { readonly first: Rows; readonly next: Rows } => {
  const given = readArguments(context, place)
  const followed = readFollowed(context, place, table, given)
  const after = given.get('after')
  const where = readWhere(context, place, table, given)
  const present: Condition = { kind: 'null', left: { kind: 'column', column: followed.column }, isNull: false }
  const range: Range = {
    from: { kind: 'table', table },
    where: all([where, present]),
    order: orderOf(table, followed),
    distinctOn: [],
    limit: readBatchSize(place, given),
    offset: undefined,
    after: undefined,
  }
  const rows = withFields(context, place, range, field.selections)
  const sent: Source = { kind: 'variable', path: [CURSOR_VARIABLE] }
  const first = after === undefined ? { where: all([where, isBeyond(followed)]) } : { after: inputSource(after) }
  return { first: { ...rows, ...first }, next: { ...rows, after: sent } }
}
