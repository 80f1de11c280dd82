// An instant as PostgreSQL writes it in a session in UTC, `2026-11-19 10:00:00+00` → a date. Calendars read thousands, and the driver's own
// reading of them takes longer than the rest of a row.

const LENGTH = 22

const digits = (text: string, at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48

/** Undefined for every other form: fractions of seconds, other zones, years of five digits or before Christ. */
export const readInstant = (text: string): Date | undefined => {
  if (text.length !== LENGTH || !text.endsWith('+00') || text[4] !== '-' || text[10] !== ' ') return undefined
  const year = digits(text, 0) * 100 + digits(text, 2)
  if (!(year > 99)) return undefined
  const month = digits(text, 5) - 1
  return new Date(Date.UTC(year, month, digits(text, 8), digits(text, 11), digits(text, 14), digits(text, 17)))
}
