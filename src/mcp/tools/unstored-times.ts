// A masjid's days that are not stored → their prayers, as the API calculates them, without anything that the masjid announces.
import type { Call } from '../tool.ts'
import type { PrayerRow } from './prayer-time.ts'

const prayers = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const

type Prayer = (typeof prayers)[number]

type Row = Pick<PrayerRow, 'date' | 'hijri_year' | 'hijri_month' | 'hijri_day'> &
  Readonly<Record<Prayer | `${Prayer}_local`, string | null>>

const UNSTORED = `query Unstored($masjid: uuid!, $from: date!, $until: date!) {
  days: pc_times_at(args: {masjid_id: $masjid, from: $from, to: $until}) {
    date hijri_year hijri_month hijri_day ${prayers.map(name => `${name} ${name}_local`).join(' ')}
  }
}`

const rowsOf = ({ date, hijri_year, hijri_month, hijri_day, ...row }: Row): PrayerRow[] =>
  prayers.map(prayer => ({
    date,
    prayer,
    session: 1,
    label: null,
    adhan_at: row[prayer],
    iqamah_at: null,
    adhan_local: row[`${prayer}_local`],
    iqamah_local: null,
    khutbah_local: null,
    imam: null,
    language: null,
    hijri_year,
    hijri_month,
    hijri_day,
  }))

/** Both days included; those that `stored` has are left out. */
export const readUnstored = async (
  { ask }: Call,
  asked: { readonly masjid: string; readonly from: string; readonly until: string },
  stored: ReadonlySet<string>,
): Promise<PrayerRow[]> => {
  const { days } = await ask<{ days: readonly Row[] }>({ query: UNSTORED, variables: asked })
  return days.filter(({ date }) => !stored.has(date)).flatMap(rowsOf)
}
