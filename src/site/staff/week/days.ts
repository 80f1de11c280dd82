// Days of a calendar, as `2026-11-16`.
import { addDays } from '../../../base/civil-date.ts'

/** The first Friday on or after a day. */
export const fridayFrom = (date: string): string =>
  addDays(date, (12 - (new Date(`${date}T00:00:00Z`).getUTCDay() || 7)) % 7)
