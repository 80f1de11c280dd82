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

export const yearCsv = ({ start = TOMORROW, days = 365, isha = () => '22:30' }: YearInput = {}): string =>
  [
    'Date,Fajr Iqamah,Dhuhr Iqamah,Asr Iqamah,Maghrib Adhan,Isha Iqamah,Jumuah',
    ...Array.from({ length: days }, (_, index) => `${dayFrom(start, index)},06:20,13:30,18:00,,${isha(index)},13:15`),
  ].join('\n')
