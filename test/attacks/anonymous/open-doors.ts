// The routes of a running service → the table of what can be asked without a credential, and the dearest request we know for each.
import type { Charge } from '../../../src/http/charges/charge.ts'
import type { DeclaredRoute } from '../../../src/http/charges/charge-addresses.ts'
import type { ListenerName } from '../../../src/metrics/watching.ts'

export interface Door {
  readonly listener: ListenerName
  readonly methods: readonly string[]
  readonly url: string
  readonly charge: Charge
}

/** One for each address and charge; HEAD costs what GET does. */
export const doorsOf = (listener: ListenerName, routes: readonly DeclaredRoute[]): Door[] => {
  const doors = new Map<string, Door & { readonly methods: string[] }>()
  for (const { method, url, charge } of routes) {
    if (method === 'HEAD') continue
    const name = JSON.stringify([url, charge])
    const door = doors.get(name) ?? { listener, methods: [], url, charge }
    if (!door.methods.includes(method)) door.methods.push(method)
    doors.set(name, door)
  }
  return [...doors.values()]
}

const wordsOf = (charge: Charge): string => {
  if (charge.kind === 'free') return `free: ${charge.because}`
  if (charge.kind === 'own') return charge.limit
  return `${charge.points} ${charge.points === 1 ? 'point' : 'points'}${charge.who === 'stranger' ? ' without a valid credential' : ''}`
}

/** Pages behind sign-in and files are many, and alike: their groups are named, so that another page changes nothing here. */
const groupOf = ({ url, methods, charge }: Door): string => {
  if (charge.kind === 'free' && charge.because.startsWith('a file')) return 'files in memory'
  if (charge.kind === 'free' && methods.every(method => method === 'OPTIONS')) return 'preflights'
  if (
    charge.kind === 'points' &&
    charge.who === 'stranger' &&
    charge.points === 2 &&
    !/^\/(v1|oauth|screen|api|\.well-known)\//.test(url)
  )
    return 'pages and forms behind sign-in'
  return `${methods.toSorted().join(', ')} \`${url}\``
}

export interface Row {
  readonly listener: ListenerName
  readonly asked: string
  readonly charged: string
}

export const rowsOf = (doors: readonly Door[]): Row[] => {
  const rows = new Map<string, Row>()
  for (const door of doors) {
    const row = { listener: door.listener, asked: groupOf(door), charged: wordsOf(door.charge) }
    rows.set(JSON.stringify(row), row)
  }
  return [...rows.values()].toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

export interface Known {
  /** One for each round: a calendar is kept until something of its masjid changes. */
  readonly slugs: readonly string[]
  readonly masjid: string
  /** The path of a date of an event. */
  readonly date: string
  /** Of the sandbox. */
  readonly invented: string
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** As many short words as fit, each the beginning of many. */
const beginnings = ['re', 'co', 'in', 'de', 'pr', 'st', 'un', 'ma', 'se', 'ex', 'ac', 'ap', 'fi', 'th', 'an', 'to']

/** By address; whatever is not here is asked with its parameters filled in. A day that nobody has asked for keeps feeds out of memory. */
const dearest: Readonly<Record<string, (known: Known, round: number) => readonly string[]>> = {
  '/docs/search': () => [
    `/docs/search?q=${beginnings.join('+')}`,
    `/docs/search?q=${Array.from({ length: 100 }, (_, index) => letters[index % 26]).join('+')}`,
    `/docs/search?q=${Array.from({ length: 12 }, (_, index) => `${letters[index]}uthorisations`).join('+')}`,
  ],
  '/m/:slug/prayer-times.ics': ({ slugs }, round) => [
    `/m/${slugs[(round + 1) % slugs.length]}/prayer-times.ics?days=400`,
  ],
  '/v1/masjids/:masjid/prayer-times.ics': ({ invented }, round) => [
    `/v1/masjids/${invented}/prayer-times.ics?days=400&from=${dayFrom(round)}`,
  ],
  '/v1/masjids/:masjid/prayer-times.csv': ({ invented }, round) => [
    `/v1/masjids/${invented}/prayer-times.csv?days=400&from=${dayFrom(round)}`,
  ],
  '/v1/masjids/:masjid/events.ics': ({ invented }, round) => [
    `/v1/masjids/${invented}/events.ics?days=400&from=${dayFrom(round)}`,
  ],
  '/v1/masjids/:masjid/events.csv': ({ invented }, round) => [
    `/v1/masjids/${invented}/events.csv?days=400&from=${dayFrom(round)}`,
  ],
  '/v1/times': (_known, round) =>
    ['ics', 'json', 'csv'].map(
      format =>
        `/v1/times?latitude=59.9${round}&longitude=10.75&from=${dayFrom(round)}&to=${dayFrom(round - 399)}&format=${format}`,
    ),
  '/v1/hijri': ({ invented }, round) => [
    `/v1/hijri?from=${dayFrom(round)}&to=${dayFrom(round - 399)}`,
    `/v1/hijri?masjid=${invented}&from=${dayFrom(round)}&to=${dayFrom(round - 399)}`,
  ],
  '/v1/hijri/next': ({ invented }, round) => [
    `/v1/hijri/next?date=${dayFrom(round)}&count=10`,
    `/v1/hijri/next?masjid=${invented}&date=${dayFrom(round)}&count=10`,
  ],
  '/m/:slug/events/:id': ({ date }) => [date],
  '/find': () => ['/find?q=masjid', '/find?q=a+e+i+o+u+n+r+s+t+l', '/find?near=35.77,-78.63'],
  '/find/suggestions': (_known, round) => [
    `/find/suggestions?q=mas${round}`,
    '/find/suggestions?q=a+e+i+o+u+n+r+s+t+l',
  ],
  '/docs/*': () => ['/docs/reference/up_masjids', '/docs/authorization-code', '/docs/error-codes'],
  '/docs/:page.md': () => ['/docs/authorization-code.md'],
  '/docs/ar/:page.md': () => ['/docs/ar/authorization-code.md'],
  '/docs/reference/:table.md': () => ['/docs/reference/up_masjids.md'],
  '/sitemap-:number.xml': () => ['/sitemap-1.xml'],
  '/screen/qr/:code.svg': () => ['/screen/qr/BCDF-GHJK.svg'],
  '/explorer': () => [`/explorer?query=${encodeURIComponent('{ up_masjids { id } } '.repeat(300))}`],
  '/': () => ['/', `/?query=${encodeURIComponent('{ up_masjids { id } } '.repeat(300))}`],
}

const DAY_MS = 86_400_000

const dayFrom = (round: number): string => new Date(Date.now() - (round + 3) * DAY_MS).toISOString().slice(0, 10)

const filled = (url: string, { slugs, masjid }: Known, round: number): string =>
  url
    .replaceAll(':slug', slugs[(round + 1) % slugs.length] ?? '')
    .replaceAll(':masjid', masjid)
    .replaceAll(':id', masjid)
    .replaceAll(':name', 'a'.repeat(64))
    .replaceAll(/:[a-z]+/gi, 'x')
    .replaceAll('*', 'x')

export const requestsFor = ({ url }: Door, known: Known, round: number): readonly string[] =>
  dearest[url]?.(known, round) ?? [filled(url, known, round)]

/** What the sandbox's tools are asked, with as much of everything as they take. */
export const dearestCalls = ({ invented }: Known): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  const today = new Date()
  return {
    find_masjids: { words: 'a e i o u n r s t l masjid', limit: 20 },
    get_prayer_times: { masjid: invented, month: today.toISOString().slice(0, 7) },
    get_next_prayer: { masjid: invented },
    get_jumuah: { masjid: invented },
    list_events: { masjid: invented, limit: 20 },
    search_schema: {
      question: letters
        .map(letter => `${letter}e ${letter}a`)
        .join(' ')
        .slice(0, 300),
      limit: 6,
    },
    query: {
      query: '{ up_masjids(limit: 50) { id name city } up_events(limit: 100) { id title } }',
    },
  }
}
