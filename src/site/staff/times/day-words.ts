// Dates and moments → short words, for tables and lists.
import type { View } from '../../frame/view.ts'
import { dateWords } from '../../hall/date-words.ts'

/** `2026-11-16` → `Mon 16 Nov 2026`. */
export const shortDay = ({ language }: View, date: string): string =>
  new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
    numberingSystem: 'latn',
  }).format(new Date(`${date}T00:00:00Z`))

/** On the masjid's clock. */
export const shortMoment = ({ language }: View, timezone: string, moment: Date): string =>
  new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: timezone,
    numberingSystem: 'latn',
  }).format(moment)

/** In a sentence: `18 November`, and `1 January 2027` if that is not the year it is. */
export const nearDay = ({ language }: Pick<View, 'language'>, date: string, today: string): string =>
  dateWords(language, date, date.slice(0, 4) === today.slice(0, 4) ? 'date' : 'dateOfYear')
