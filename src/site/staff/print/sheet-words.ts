// Times of a sheet → words: clock of 12 or 24 hours, names in one language or two.
import type { Language } from '../../../accounts/languages.ts'
import { dailyPrayers } from '../../../prayer/daily-prayers.ts'
import { tableClock } from '../../hall/clock.ts'
import { nameOf, type Prayer, type PrayerTime } from '../../hall/prayer-time.ts'
import { fillText } from '../../pieces/fill.ts'
import { type Texts, textsFor } from '../../texts/texts.ts'
import type { SheetDay } from './read-sheet.ts'
import type { SheetOptions } from './sheet-options.ts'

export const sheetClock = (language: Language, { clock }: Pick<SheetOptions, 'clock'>, local: string | null): string =>
  tableClock(language, local, clock === 'h12' ? 'h12' : 'h23')

export const timeOf = ({ times }: SheetDay, prayer: Prayer): PrayerTime | undefined =>
  times.find(time => time.prayer === prayer && time.session === 1)

export const minutesBefore = (local: string | null, minutes: number): string | null =>
  local === null ? null : new Date(Date.parse(`${local.slice(0, 19)}Z`) - minutes * 60_000).toISOString().slice(0, 19)

type Words = (texts: Texts) => string

export const inEach = (languages: readonly Language[], words: Words): readonly { language: Language; text: string }[] =>
  languages.map(language => ({ language, text: words(textsFor(language)) }))

/** "Second Jumu'ah 14:15, khutbah 13:50, Sh. Yusuf". */
export const sessionWords = (language: Language, options: Pick<SheetOptions, 'clock'>, time: PrayerTime): string => {
  const texts = textsFor(language)
  const clock = (local: string | null): string => sheetClock(language, options, local)
  return [
    `${nameOf(texts, time)} ${clock(time.iqamah_local ?? time.adhan_local)}`,
    time.khutbah_local === null ? null : fillText(texts.print.khutbahAt, { time: clock(time.khutbah_local) }),
    time.imam,
  ]
    .filter(part => part !== null)
    .join(language === 'ar' ? '، ' : ', ')
}

const isDaily = ({ prayer }: PrayerTime): boolean => (dailyPrayers as readonly Prayer[]).includes(prayer)

/** What is prayed besides the five on these days. */
export const specialTimes = (days: readonly SheetDay[]): readonly PrayerTime[] =>
  days.flatMap(({ times }) => times.filter(time => !isDaily(time) && time.prayer !== 'taraweeh'))
