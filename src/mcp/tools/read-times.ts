// A masjid and a stretch of days → its times, in one operation.
import { dateOf, dayNumberOf, daysBetween } from '../../base/civil-date.ts'
import { askUnstored, prayersOfDay } from '../../prayer/on-demand/ask-unstored.ts'
import type { Call } from '../tool.ts'
import { unknownMasjid, whichMasjid } from './masjid-input.ts'
import { PRAYER_FIELDS, type PrayerRow } from './prayer-time.ts'

export interface MasjidTimes {
  readonly slug: string
  readonly name: string
  readonly city: string
  readonly timezone: string
  readonly times: readonly PrayerRow[]
  /** Of these days nothing that the masjid announces is known. */
  readonly calculated: ReadonlySet<string>
}

/** Even with nine sessions of each prayer these days fit one list. */
const DAYS_IN_LIST = 4

type Row = Omit<MasjidTimes, 'times' | 'calculated'> & { readonly id: string } & Readonly<Record<string, unknown>>

/** A month, and the days around a day. */
const MOST_DAYS = 31

const listsFor = (from: string, until: string): readonly { readonly from: string; readonly until: string }[] => {
  const days = daysBetween(dayNumberOf(from), dayNumberOf(until), MOST_DAYS).map(dateOf)
  const starts = days.filter((_, index) => index % DAYS_IN_LIST === 0)
  return starts.map((first, index) => ({
    from: first,
    until: days[Math.min((index + 1) * DAYS_IN_LIST, days.length) - 1] ?? first,
  }))
}

/** The same document for every stretch of the same length, so that its plan is found in the cache. */
const documentFor = (count: number): string => {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const parameters = numbers.map(number => `$from${number}: date!, $until${number}: date!`).join(', ')
  const list = (number: number): string => `times${number}: prayer_times(
      where: {date: {_gte: $from${number}, _lte: $until${number}}},
      order_by: [{date: asc}, {prayer: asc}, {session: asc}]
    ) { ${PRAYER_FIELDS} }`
  return `query Times($which: up_masjids_bool_exp!, ${parameters}) {
  masjids: up_masjids(where: $which, limit: 1) { id slug name city timezone ${numbers.map(list).join('\n    ')} }
}`
}

const byDate = (one: PrayerRow, other: PrayerRow): number => dayNumberOf(one.date) - dayNumberOf(other.date)

/** Both days included. @throws {ToolRefusal} if there is no such masjid. */
export const readTimes = async (
  call: Call,
  masjid: string,
  { from, until }: { readonly from: string; readonly until: string },
): Promise<MasjidTimes> => {
  const lists = listsFor(from, until)
  const days = lists.flatMap((list, number) => [
    [`from${number}`, list.from],
    [`until${number}`, list.until],
  ])
  const { masjids } = await call.ask<{ masjids: readonly Row[] }>({
    query: documentFor(lists.length),
    variables: { which: whichMasjid(masjid), ...Object.fromEntries(days) },
  })
  const [found] = masjids
  if (found === undefined) throw unknownMasjid(masjid)
  const { id, slug, name, city, timezone } = found
  const times = lists.flatMap((_, number) => found[`times${number}`] as PrayerRow[])
  const stored = new Set(times.map(({ date }) => date))
  const others = await askUnstored(call.ask, { masjid: id, from, until }, stored)
  const calculated = new Set(others.map(({ date }) => date))
  return { slug, name, city, timezone, times: [...times, ...others.flatMap(prayersOfDay)].sort(byDate), calculated }
}
