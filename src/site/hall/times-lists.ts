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
}

/** Even with nine sessions of each prayer these days fit one list. */
const DAYS_IN_LIST = 4

/** `name` starts the names of lists and variables: an operation may read several stretches. `more` are fields besides the usual ones. */
export const timesLists = <Row extends PrayerTime = PrayerTime>(
  name: string,
  { from, days }: DayStretch,
  more = '',
): TimesLists<Row> => {
  const parts = Array.from({ length: Math.ceil(days / DAYS_IN_LIST) }, (_, index) => ({
    list: `${name}${index}`,
    from: addDays(from, index * DAYS_IN_LIST),
    until: addDays(from, Math.min(days, (index + 1) * DAYS_IN_LIST)),
  }))
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
    rowsIn: data => parts.flatMap(({ list }) => (data[list] as Row[] | undefined) ?? []),
  }
}
