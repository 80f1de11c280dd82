// A masjid and its days that are not stored → their prayers, as the API calculates them.
import { dailyPrayers } from '../daily-prayers.ts'
import { type Days, prayersOf, unstoredIn } from './unstored-days.ts'

type Prayer = (typeof dailyPrayers)[number]

export interface CalculatedDay extends Readonly<Record<Prayer | `${Prayer}_local`, string | null>> {
  readonly date: string
  readonly hijri_year: number
  readonly hijri_month: number
  readonly hijri_day: number
  readonly is_ramadan: boolean
}

export type Ask = <Data>(operation: {
  readonly query: string
  readonly variables: Record<string, unknown>
}) => Promise<Data>

interface Wanted extends Days {
  readonly masjid: string
  /** Columns of a day besides those of its prayers. */
  readonly more?: readonly string[]
}

const documentFor = (more: readonly string[]): string => `query Unstored($masjid: uuid!, $from: date!, $until: date!) {
  days: pc_times_at(args: {masjid_id: $masjid, from: $from, to: $until}) {
    date hijri_year hijri_month hijri_day is_ramadan ${more.join(' ')}
    ${dailyPrayers.map(prayer => `${prayer} ${prayer}_local`).join(' ')}
  }
}`

export const prayersOfDay = ({ date, hijri_year, hijri_month, hijri_day, is_ramadan, ...day }: CalculatedDay) =>
  prayersOf({ date, hijri_year, hijri_month, hijri_day, is_ramadan }, prayer => ({
    adhan_at: day[prayer],
    adhan_local: day[`${prayer}_local`],
  }))

/** Nothing is asked if all are stored. */
export const askUnstored = async <Day extends CalculatedDay = CalculatedDay>(
  ask: Ask,
  { masjid, from, until, more = [] }: Wanted,
  stored: ReadonlySet<string>,
): Promise<readonly Day[]> => {
  const unstored = unstoredIn({ from, until }, stored)
  if (unstored === undefined) return []
  const { days } = await ask<{ readonly days: readonly Day[] }>({
    query: documentFor(more),
    variables: { masjid, ...unstored },
  })
  return days.filter(({ date }) => !stored.has(date))
}
