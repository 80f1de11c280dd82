// A stretch of a masjid's days → those that are not stored; and such a day → its five prayers as rows, like those that are stored.
import { dateOf, dayNumberOf, daysBetween } from '../../base/civil-date.ts'
import { FIRST_DATE, LAST_DATE } from '../calculation/known-dates.ts'
import { dailyPrayers } from '../daily-prayers.ts'

/** Both included. */
export interface Days {
  readonly from: string
  readonly until: string
}

/** Feeds have the most: some 400. */
const MOST_DAYS = 1000

/** Undefined if all are stored that can be calculated. There may be stored days between the first and the last. */
export const unstoredIn = ({ from, until }: Days, stored: ReadonlySet<string>): Days | undefined => {
  const [first, last] = [from > FIRST_DATE ? from : FIRST_DATE, until < LAST_DATE ? until : LAST_DATE]
  const days = daysBetween(dayNumberOf(first), dayNumberOf(last), MOST_DAYS).map(dateOf)
  const unstored = days.filter(date => !stored.has(date))
  const [earliest, latest] = [unstored[0], unstored.at(-1)]
  return earliest === undefined || latest === undefined ? undefined : { from: earliest, until: latest }
}

/** Nothing that a masjid announces is known of these days. */
const unannounced = {
  session: 1,
  label: null,
  iqamah_at: null,
  iqamah_local: null,
  khutbah_local: null,
  imam: null,
  language: null,
  source: 'calculated',
  schedule_id: null,
} as const

/** @param day what the five have in common */
export const prayersOf = <Day extends object, Adhan extends object>(
  day: Day,
  adhanOf: (prayer: (typeof dailyPrayers)[number]) => Adhan,
) => dailyPrayers.map(prayer => ({ ...unannounced, ...day, prayer, ...adhanOf(prayer) }))
