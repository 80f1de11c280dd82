// A stretch of days → the GraphQL lists that read a masjid's times of it, at most 100 rows each, and the rows of their answer.
import { addDays } from '../../base/civil-date.ts'
import { type PrayerTime, prayerTimeFields } from './prayer-time.ts'

export interface DayStretch {
  readonly from: string
  readonly days: number
}

export interface TimesLists<Row> {
  /** Of the operation, beside `$masjid: uuid!`. */
  readonly parameters: string
  readonly fields: string
  readonly variables: Readonly<Record<string, string>>
  rowsIn(data: Readonly<Record<string, unknown>>): Row[]
  /** False if a list has as many rows as lists may have: there may be more of them. */
  isWhole(data: Readonly<Record<string, unknown>>): boolean
}

const MOST_ROWS = 100
/** With four sessions of each prayer these days fit one list. */
const DAYS_IN_LIST = 4
/** Even with nine of the five prayers and of Jumu'ah. */
export const SURE_DAYS = 2

export interface ListsAsked {
  /** Fields besides the usual ones. */
  readonly more?: string
  /** More than the usual ones may be too many for a list: see `isWhole`. */
  readonly daysInList?: number
}

/** `name` starts the names of lists and variables: an operation may read several stretches. */
export const timesLists = <Row extends PrayerTime = PrayerTime>(
  name: string,
  { from, days }: DayStretch,
  { more = '', daysInList = DAYS_IN_LIST }: ListsAsked = {},
): TimesLists<Row> => {
  const parts = Array.from({ length: Math.ceil(days / daysInList) }, (_, index) => ({
    list: `${name}${index}`,
    from: addDays(from, index * daysInList),
    until: addDays(from, Math.min(days, (index + 1) * daysInList)),
  }))
  const rowsOf = (data: Readonly<Record<string, unknown>>, list: string): Row[] =>
    (data[list] as Row[] | undefined) ?? []
  return {
    parameters: parts.map(({ list }) => `$${list}from: date!, $${list}until: date!`).join(', '),
    fields: parts
      .map(
        ({
          list,
        }) => `${list}: pc_prayer_times(where: {masjid_id: {_eq: $masjid}, date: {_gte: $${list}from, _lt: $${list}until}},
    order_by: [{date: asc}, {prayer: asc}, {session: asc}]) { ${prayerTimeFields} ${more} }`,
      )
      .join('\n  '),
    variables: Object.fromEntries(
      parts.flatMap(part => [
        [`${part.list}from`, part.from],
        [`${part.list}until`, part.until],
      ]),
    ),
    rowsIn: data => parts.flatMap(({ list }) => rowsOf(data, list)),
    isWhole: data => parts.every(({ list }) => rowsOf(data, list).length < MOST_ROWS),
  }
}
