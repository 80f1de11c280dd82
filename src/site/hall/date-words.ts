// Dates and hijri dates of a masjid → words in a language.
import type { Language } from '../../accounts/languages.ts'
import { fillText } from '../pieces/fill.ts'
import type { Texts } from '../texts/texts.ts'
import { madeOnce } from './formats.ts'

const utc = { timeZone: 'UTC' } as const

const styles = {
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  date: { day: 'numeric', month: 'long' },
  dateOfYear: { day: 'numeric', month: 'long', year: 'numeric' },
  day: { day: 'numeric' },
  weekday: { weekday: 'short' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

/** Day before month in every English. */
export const dateLocale = (language: Language): string => (language === 'en' ? 'en-GB' : language)

type Style = keyof typeof styles

const dateFormat = madeOnce((key: `${Language} ${Style}`) => {
  const [language, style] = key.split(' ') as [Language, Style]
  return new Intl.DateTimeFormat(dateLocale(language), { ...styles[style], ...utc })
})

/** `2026-11-20` → `Friday 20 November` */
export const dateWords = (language: Language, date: string, style: Style = 'long'): string =>
  dateFormat(`${language} ${style}`).format(new Date(`${date}T00:00:00Z`))

const numberFormat = madeOnce((language: Language) => new Intl.NumberFormat(language, { useGrouping: false }))

export const numberWords = (language: Language, value: number): string => numberFormat(language).format(value)

export const languageWords = (language: Language, tag: string): string => {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

export interface HijriDay {
  readonly hijri_year: number
  readonly hijri_month: number
  readonly hijri_day: number
}

export const monthName = ({ hall }: Texts, month: number): string =>
  hall.hijriMonths[`m${month}` as keyof Texts['hall']['hijriMonths']]

export const hijriWords = (language: Language, texts: Texts, date: HijriDay): string =>
  fillText(texts.hall.hijriDate, {
    day: numberWords(language, date.hijri_day),
    month: monthName(texts, date.hijri_month),
    year: numberWords(language, date.hijri_year),
  })
