// The pages that people look at, and the requests for them: of the 25 masjids of one city, in the languages that browsers ask for.
import { masjidsOfCity } from '../../data/announce.ts'
import type { Sizes } from '../../data/tables.ts'
import { browserHeaders } from '../../load/clients.ts'
import { requestText } from '../../load/request.ts'

export interface Page {
  /** `masjid`: its scenario is `pages.masjid`. */
  readonly name: string
  readonly title: string
  readonly paths: readonly string[]
}

const CITY = 0

/** Whose pages are asked for, and whose rules change. */
export const shownMasjids = (sizes: Sizes): readonly number[] => masjidsOfCity(sizes, CITY)

const nextMonth = (): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 7)
}

export const pages = (sizes: Sizes): readonly Page[] => {
  const shown = shownMasjids(sizes)
  const month = nextMonth()
  return [
    { name: 'masjid', title: 'A masjid’s page', paths: shown.map(number => `/m/masjid-${number}`) },
    { name: 'month', title: 'Another month of it', paths: shown.map(number => `/m/masjid-${number}?month=${month}`) },
    { name: 'find', title: 'The finder, by name', paths: shown.map(number => `/find?q=masjid+${number}`) },
    {
      name: 'calendar',
      title: 'A masjid’s calendar of 92 days',
      paths: shown.map(number => `/m/masjid-${number}/prayer-times.ics`),
    },
    { name: 'landing', title: 'The landing page', paths: ['/'] },
  ]
}

/** Every page is asked for in each language. */
const CLIENTS = 10

export const pageRequests = ({ paths }: Page): readonly string[] =>
  paths.flatMap(path =>
    Array.from({ length: CLIENTS }, (_, number) =>
      requestText({ method: 'GET', path, headers: browserHeaders(number) }),
    ),
  )
