// Rows of pc_prayer_times as pages read them, and what is called what.
import { dailyPrayers } from '../../prayer/daily-prayers.ts'
import { type Session, sessionName } from '../../prayer/session-name.ts'
import type { Texts } from '../texts/texts.ts'

export type Prayer = keyof Texts['staff']['prayers']

/** Local times are those of the masjid, as `2026-11-16T05:12:00`. */
export interface PrayerTime {
  readonly date: string
  readonly prayer: Prayer
  readonly session: number
  readonly label: string | null
  readonly adhan_local: string | null
  readonly iqamah_local: string | null
  readonly khutbah_local: string | null
  readonly imam: string | null
  readonly language: string | null
  readonly source: 'calculated' | 'manual' | 'uploaded' | 'ical' | 'api'
  readonly schedule_id: string | null
  readonly hijri_year: number
  readonly hijri_month: number
  readonly hijri_day: number
  readonly is_ramadan: boolean
}

/** What a GraphQL document selects of a row. */
export const prayerTimeFields = `date prayer session label adhan_local iqamah_local khutbah_local imam language source
  schedule_id hijri_year hijri_month hijri_day is_ramadan`

export const prayers: readonly Prayer[] = [...dailyPrayers, 'jumuah', 'taraweeh', 'eid_fitr', 'eid_adha']

export const isDaily = (prayer: Prayer): boolean => (dailyPrayers as readonly Prayer[]).includes(prayer)

export const nameOf = ({ staff }: Texts, { prayer, ...session }: Session & Pick<PrayerTime, 'prayer'>): string =>
  sessionName(staff.prayers[prayer], session)

/** When people come: the iqamah, or the adhan where there is none. */
export const comesAt = ({ iqamah_local, adhan_local }: PrayerTime): string => iqamah_local ?? adhan_local ?? ''

export const inOrder = (times: readonly PrayerTime[]): PrayerTime[] =>
  times.toSorted((left, right) => comesAt(left).localeCompare(comesAt(right)) || left.session - right.session)
