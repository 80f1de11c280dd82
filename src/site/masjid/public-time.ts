// The prayers of a masjid as its public page has them, and the times of the sun and the night beside them.
import type { PrayerTime } from '../hall/prayer-time.ts'

export interface PublicTime extends PrayerTime {
  readonly adhan_at: string | null
  readonly iqamah_at: string | null
}

export const otherNames = ['imsak', 'duha', 'midnight', 'last_third'] as const

export type OtherName = (typeof otherNames)[number]

/** What is no prayer, and what people ask for beside them. */
export type OtherTimes = Readonly<Record<OtherName, string | null>>

/** Instants. */
export interface Sunrise extends OtherTimes {
  readonly date: string
  readonly sunrise: string | null
}
