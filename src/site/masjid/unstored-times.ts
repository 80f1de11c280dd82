// A masjid's days that are not stored → their prayers, as the API calculates them: of a masjid that nobody looks after, and of days beyond
// those that are kept.
import { addDays } from '../../base/civil-date.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { askPublic } from '../frame/ask-public.ts'
import { dailyPrayers } from '../hall/prayer-time.ts'
import type { DayStretch } from '../hall/times-lists.ts'
import { type OtherTimes, otherNames, type PublicTime, type Sunrise } from './public-time.ts'

type Prayer = (typeof dailyPrayers)[number]

interface Row extends OtherTimes, Readonly<Record<Prayer | `${Prayer}_local`, string | null>> {
  readonly date: string
  readonly sunrise: string | null
  readonly hijri_year: number
  readonly hijri_month: number
  readonly hijri_day: number
  readonly is_ramadan: boolean
}

export interface UnstoredTimes {
  readonly times: readonly PublicTime[]
  readonly sunrises: readonly Sunrise[]
}

const UNSTORED = `query Unstored($masjid: uuid!, $from: date!, $to: date!) {
  days: pc_times_at(args: {masjid_id: $masjid, from: $from, to: $to}) {
    date sunrise ${otherNames.join(' ')} hijri_year hijri_month hijri_day is_ramadan
    ${dailyPrayers.map(name => `${name} ${name}_local`).join(' ')}
  }
}`

const timesOf = ({ date, hijri_year, hijri_month, hijri_day, is_ramadan, ...row }: Row): PublicTime[] =>
  dailyPrayers.map(prayer => ({
    date,
    prayer,
    session: 1,
    label: null,
    adhan_at: row[prayer],
    adhan_local: row[`${prayer}_local`],
    iqamah_at: null,
    iqamah_local: null,
    khutbah_local: null,
    imam: null,
    language: null,
    source: 'calculated',
    schedule_id: null,
    hijri_year,
    hijri_month,
    hijri_day,
    is_ramadan,
  }))

const missingFrom = (stretch: DayStretch, stored: ReadonlySet<string>): string | undefined => {
  const dates = Array.from({ length: stretch.days }, (_, index) => addDays(stretch.from, index))
  // What is before the first stored day is over, and a page with calculated days is not kept in memory.
  const asked = stored.size === 0 ? dates : dates.slice(dates.findIndex(date => stored.has(date)))
  return asked.find(date => !stored.has(date))
}

/** Of the stretch, what `stored` does not have; nothing is asked if it has all. */
export const readUnstored = async (
  engine: Engine,
  { masjid, stretch, address }: { readonly masjid: string; readonly stretch: DayStretch; readonly address: string },
  stored: ReadonlySet<string>,
): Promise<UnstoredTimes> => {
  const from = missingFrom(stretch, stored)
  if (from === undefined) return { times: [], sunrises: [] }
  const variables = { masjid, from, to: addDays(stretch.from, stretch.days - 1) }
  const { days } = await askPublic<{ readonly days: readonly Row[] }>(engine, { query: UNSTORED, variables, address })
  const others = days.filter(({ date }) => !stored.has(date))
  return { times: others.flatMap(timesOf), sunrises: others }
}
