// Dates and moments → short words, for tables and lists.
import type { View } from '../../frame/view.ts'

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
