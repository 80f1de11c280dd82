// Instants that lie close to a date of their row (`@near`): a condition or an order by them implies which dates can matter at all. Those
// are found by the index of the dates; of the instants there is none where rows are worked out.
import type { Column, NearDate } from '../../catalog/model.ts'
import type { Condition, Expression, Order, Range } from '../plan/plan.ts'
import type { Row } from './row.ts'
import { columnOf, shownColumn, valueParameter, type Writer } from './writer.ts'

interface NearColumn extends Column {
  readonly near: NearDate
}

const nearColumn = (expression: Expression): NearColumn | undefined =>
  expression.kind === 'column' && expression.column.near !== undefined ? (expression.column as NearColumn) : undefined

/** The parts that hold for every row. */
const partsOf = (where: Condition | undefined): readonly Condition[] =>
  where === undefined ? [] : where.kind === 'and' ? where.parts.flatMap(partsOf) : [where]

const implied = (writer: Writer, part: Condition, row: Row): string | undefined => {
  if (part.kind !== 'compare') return undefined
  const { near } = nearColumn(part.left) ?? {}
  if (near === undefined) return undefined
  const day = (): string => `(${valueParameter(writer, part.right)} at time zone 'UTC')::date`
  const date = columnOf(row.alias, near.date)
  if (['_gt', '_gte', '_eq'].includes(part.operator.name)) return `${date} >= ${day()} - ${near.after}`
  if (['_lt', '_lte'].includes(part.operator.name)) return `${date} <= ${day()} + ${near.before}`
  return undefined
}

/** `adhan_at >= x` implies `date >= x - 3`. */
export const impliedDates = (writer: Writer, { where }: Range, row: Row): string[] =>
  partsOf(where).flatMap(part => implied(writer, part, row) ?? [])

const isEqualTo = (part: Condition, column: string): boolean =>
  part.kind === 'compare' &&
  part.operator.name === '_eq' &&
  part.left.kind === 'column' &&
  part.left.column.column === column

/** Of one parent row, or of one value of the key's first column: otherwise, looking for the dates may cost as much as it saves. */
const isOfOne = ({ from, where }: Range, isHeld: boolean): boolean => {
  const [first] = from.table.primaryKey ?? []
  return isHeld || (first !== undefined && partsOf(where).some(part => isEqualTo(part, first.column)))
}

const isEarliestFirst = ({ direction, nulls }: Order): boolean => direction === 'asc' && nulls === 'last'

export interface Sighting {
  readonly row: Row
  /** `from … where …` for another alias, with a further condition. */
  from(row: Row, condition: string): string
}

/**
 * The first rows by an instant are among those of the first dates. With the dates of as many rows as are wanted, the last of them is d:
 * each of their instants is before d + after, and those of dates from d + after + before on are not.
 */
export const nearestDates = (range: Range, isHeld: boolean, { row, from }: Sighting): string | undefined => {
  const [first] = range.order
  const column = first === undefined || !isEarliestFirst(first) ? undefined : nearColumn(first.expression)
  if (column === undefined || !range.limit || range.backward === true || range.from.kind !== 'table') return undefined
  if (!isOfOne(range, isHeld)) return undefined
  const { date, before, after } = column.near
  const near: Row = { alias: `${row.alias}n`, row: `"${row.alias}n".*` }
  const dates = `select ${columnOf(near.alias, date)} as "date" ${from(near, `${shownColumn(near.alias, column)} is not null`)}`
  const some = `${dates} order by ${columnOf(near.alias, date)} limit ${Number(range.limit)}`
  const last = `case when count(*) = ${Number(range.limit)} then max("date") + ${before + after} else 'infinity' end`
  return `${columnOf(row.alias, date)} <= (select ${last} from (${some}) "dates")`
}
