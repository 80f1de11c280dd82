// Rows of pc_prayer_times → times as tools answer them: in words, on the masjid's clock, with its zone.
import * as z from 'zod'
import { BY_OTHERS_NOTE, byOthers, clockOf, withoutNulls } from '../words.ts'

export interface PrayerRow {
  readonly date: string
  readonly prayer: string
  readonly session: number
  readonly label: string | null
  readonly adhan_at: string | null
  readonly iqamah_at: string | null
  readonly adhan_local: string | null
  readonly iqamah_local: string | null
  readonly khutbah_local: string | null
  readonly imam: string | null
  readonly language: string | null
  readonly hijri_year: number
  readonly hijri_month: number
  readonly hijri_day: number
}

export const PRAYER_FIELDS = `date prayer session label adhan_at iqamah_at adhan_local iqamah_local khutbah_local imam language
  hijri_year hijri_month hijri_day`

export const prayerSchema = z.object({
  prayer: z
    .string()
    .describe(
      'fajr, dhuhr, asr, maghrib, isha, jumuah, taraweeh, eid_fitr or eid_adha; of a place also imsak, sunrise, midnight and last_third',
    ),
  session: z.number().describe('1 for the first congregation of the prayer, 2 for the second'),
  adhan: z.string().optional().describe('When its time begins, on the clock of the masjid, as HH:MM'),
  iqamah: z.string().optional().describe('When the congregation prays, on the clock of the masjid, as HH:MM'),
  khutbah: z.string().optional().describe('When the khutbah begins, as HH:MM'),
  adhan_at: z.string().optional().describe('The same moment with its offset'),
  iqamah_at: z.string().optional().describe('The same moment with its offset'),
  language: z.string().optional().describe('Language of the khutbah'),
  written_by_others: z.object({ label: z.string().optional(), imam: z.string().optional() }).optional(),
})

const names: Readonly<Record<string, string>> = {
  fajr: 'Fajr',
  dhuhr: 'Dhuhr',
  asr: 'Asr',
  maghrib: 'Maghrib',
  isha: 'Isha',
  jumuah: "Jumu'ah",
  taraweeh: 'Taraweeh',
  eid_fitr: 'Eid al-Fitr',
  eid_adha: 'Eid al-Adha',
}

const prayerName = ({ prayer, session }: Pick<PrayerRow, 'prayer' | 'session'>): string =>
  `${names[prayer] ?? prayer}${session > 1 ? ` (${session})` : ''}`

/** Beside its own name, what the masjid calls the session. */
export const sessionInWords = (row: Pick<PrayerRow, 'prayer' | 'session' | 'label'>): string =>
  row.label === null ? prayerName(row) : `${prayerName(row)} ${byOthers(row.label)}`

/** What is to be said of names by others, where there are any. */
export const noteOnNames = (rows: readonly Pick<PrayerRow, 'label'>[]): readonly string[] =>
  rows.some(({ label }) => label !== null) ? [BY_OTHERS_NOTE] : []

const clock = (local: string | null): string | undefined => (local === null ? undefined : clockOf(local))

export const prayerData = (row: PrayerRow): Record<string, unknown> => {
  const others = withoutNulls({ label: row.label, imam: row.imam })
  return withoutNulls({
    prayer: row.prayer,
    session: row.session,
    adhan: clock(row.adhan_local),
    iqamah: clock(row.iqamah_local),
    khutbah: clock(row.khutbah_local),
    adhan_at: row.adhan_at,
    iqamah_at: row.iqamah_at,
    language: row.language,
    written_by_others: Object.keys(others).length === 0 ? undefined : others,
  })
}

/** `Fajr: adhan 05:12, iqamah 06:00` */
export const prayerInWords = (row: PrayerRow): string => {
  const parts = [
    row.adhan_local !== null && `adhan ${clockOf(row.adhan_local)}`,
    row.khutbah_local !== null && `khutbah ${clockOf(row.khutbah_local)}`,
    row.iqamah_local !== null && `iqamah ${clockOf(row.iqamah_local)}`,
  ].filter(part => part !== false)
  return `${sessionInWords(row)}: ${parts.length === 0 ? 'no time given' : parts.join(', ')}`
}

/** When people come: the iqamah, or the adhan where there is none. */
export const comesAt = ({ iqamah_at, adhan_at }: PrayerRow): Date | undefined => {
  const text = iqamah_at ?? adhan_at
  return text === null ? undefined : new Date(text)
}

export const hijriDate = ({ hijri_year, hijri_month, hijri_day }: PrayerRow): string =>
  [hijri_year, String(hijri_month).padStart(2, '0'), String(hijri_day).padStart(2, '0')].join('-')
