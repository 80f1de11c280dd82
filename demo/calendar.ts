/** Dates as texts (YYYY-MM-DD), counted in whole days, free of any time zone. */

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The ISO weekday: 1 (Monday) to 7 (Sunday). */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7
}

/** The first day from a date on that falls on a weekday. */
export function onWeekday(date: string, weekday: number): string {
  return addDays(date, (weekday - weekdayOf(date) + 7) % 7)
}

/** Minutes after midnight as HH:MM. */
export function clockTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** How far a zone's clocks are ahead of UTC at noon of a day, in minutes. */
export function minutesAheadOfUtc(timezone: string, date: string): number {
  const noon = new Date(`${date}T12:00:00Z`)
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
  return (Date.parse(`${local.format(noon).replace(' ', 'T')}Z`) - noon.getTime()) / 60_000
}
