// A year of times for tests, as a masjid would write them.
const DAY_MS = 86_400_000

export const dayFrom = (start: string, days: number): string =>
  new Date(Date.parse(start) + days * DAY_MS).toISOString().slice(0, 10)

/** Tomorrow, in UTC: near enough to any masjid's own. */
export const TOMORROW = dayFrom(new Date().toISOString().slice(0, 10), 1)

export interface YearInput {
  readonly start?: string
  readonly days?: number
  /** The iqamah of each day. */
  readonly isha?: (index: number) => string
}

const event = (date: string, title: string, clock: string): string =>
  [
    'BEGIN:VEVENT',
    `UID:${date}-${title}@example.org`,
    `DTSTART:${date.replaceAll('-', '')}T${clock.replace(':', '')}00`,
    `SUMMARY:${title}`,
    'END:VEVENT',
  ].join('\r\n')

/** The same as a calendar, on the masjid's clock. */
export const yearIcs = ({ start = TOMORROW, days = 365, isha = () => '22:30' }: YearInput = {}): string => {
  const events = Array.from({ length: days }, (_, index) => {
    const date = dayFrom(start, index)
    return [event(date, 'Fajr Iqamah', '06:20'), event(date, 'Isha Iqamah', isha(index))]
  })
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//times', ...events.flat(), 'END:VCALENDAR'].join('\r\n')
}

export const yearCsv = ({ start = TOMORROW, days = 365, isha = () => '22:30' }: YearInput = {}): string =>
  [
    'Date,Fajr Iqamah,Dhuhr Iqamah,Asr Iqamah,Maghrib Adhan,Isha Iqamah,Jumuah',
    ...Array.from({ length: days }, (_, index) => `${dayFrom(start, index)},06:20,13:30,18:00,,${isha(index)},13:15`),
  ].join('\n')
