// A masjid and a moment → its times around that moment and of a month, in one statement; and what comes next.
import { addDays } from '../../base/civil-date.ts'
import { localDateAt, localTimeAt } from '../../base/local-time.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { askUnstored, type CalculatedDay, prayersOfDay } from '../../prayer/on-demand/ask-unstored.ts'
import { askPublic } from '../frame/ask-public.ts'
import { isDaily } from '../hall/prayer-time.ts'
import { type DayStretch, SURE_DAYS, timesLists } from '../hall/times-lists.ts'
import type { PublicMasjid } from './public-masjid.ts'
import { type OtherName, type OtherTimes, otherNames, type PublicTime, type Sunrise } from './public-time.ts'

export interface PublicDay {
  readonly date: string
  readonly times: readonly PublicTime[]
  /** On the masjid's clock, as all of these. */
  readonly sunrise: string | null
  readonly others: OtherTimes
  /** Not among those that are stored: nothing that the masjid announces is known of it. */
  readonly isUnstored: boolean
}

export interface PublicTimes {
  /** The date at the masjid. */
  readonly today: string
  readonly now: Date
  readonly day: PublicDay
  /** The sessions of the next Friday, today included. */
  readonly jumuah: readonly PublicTime[]
  /** Undefined if nothing is known to come. */
  readonly next: PublicTime | undefined
  /** Empty unless asked for. */
  readonly month: readonly PublicDay[]
}

type Moments = Pick<PublicTime, 'iqamah_at' | 'adhan_at'>

const instant = ({ iqamah_at, adhan_at }: Moments): number => Date.parse(iqamah_at ?? adhan_at ?? '')

/** When people come: the iqamah, or the adhan where there is none. Undefined if there is neither. */
export const comesOn = (time: Moments): Date | undefined => {
  const at = instant(time)
  return Number.isNaN(at) ? undefined : new Date(at)
}

/** By instants, so that it is right on the day clocks change, and for an Isha after midnight. */
const nextOf = (times: readonly PublicTime[], now: Date): PublicTime | undefined =>
  times
    .filter(time => instant(time) > now.getTime())
    .sort(
      (left, right) => instant(left) - instant(right) || Number(isDaily(left.prayer)) - Number(isDaily(right.prayer)),
    )[0]

const monthStretch = (month: string): DayStretch => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { from: `${month}-01`, days: new Date(Date.UTC(year, number, 0)).getUTCDate() }
}

/** From yesterday, whose Isha may still be to come, until a week ahead, which has a Friday in it. */
const nearStretch = (today: string): DayStretch => ({ from: addDays(today, -1), days: 9 })

interface DaysRead {
  readonly times: readonly PublicTime[]
  readonly sunrises: readonly Sunrise[]
}

const datesOf = ({ times }: DaysRead): ReadonlySet<string> => new Set(times.map(({ date }) => date))

/** In the order of days. */
const daysOf = ({ timezone }: PublicMasjid, stored: DaysRead, calculated: DaysRead): readonly PublicDay[] => {
  const sunrises = [...stored.sunrises, ...calculated.sunrises]
  const risen = new Map(sunrises.map(sunrise => [sunrise.date, sunrise]))
  const local = (at: string | null | undefined): string | null =>
    at == null ? null : localTimeAt(new Date(at), timezone)
  const unstored = datesOf(calculated)
  const days = [...Map.groupBy([...stored.times, ...calculated.times], ({ date }) => date)].map(([date, times]) => {
    const sun = risen.get(date)
    const others = Object.fromEntries(otherNames.map(name => [name, local(sun?.[name])])) as Record<
      OtherName,
      string | null
    >
    return { date, times, sunrise: local(sun?.sunrise), others, isUnstored: unstored.has(date) }
  })
  return days.sort((one, other) => (one.date < other.date ? -1 : 1))
}

const sunriseList = (name: string): string =>
  `${name}: pc_calculated_times(
    where: {masjid_id: {_eq: $masjid}, date: {_gte: $${name}from, _lt: $${name}until}}, order_by: [{date: asc}]
  ) { date sunrise ${otherNames.join(' ')} }`

const stretchQuery = (name: string, stretch: DayStretch, daysInList: number) => {
  const lists = timesLists<PublicTime>(name, stretch, { more: 'adhan_at iqamah_at', daysInList })
  const sun = `${name}sun`
  return {
    ...lists,
    stretch,
    parameters: `${lists.parameters}, $${sun}from: date!, $${sun}until: date!`,
    fields: `${lists.fields}\n  ${sunriseList(sun)}`,
    variables: {
      ...lists.variables,
      [`${sun}from`]: stretch.from,
      [`${sun}until`]: addDays(stretch.from, stretch.days),
    },
    sunrisesIn: (data: Readonly<Record<string, unknown>>): readonly Sunrise[] => (data[sun] as Sunrise[]) ?? [],
  }
}

/** What is before the first stored day is over, and a page with calculated days is not kept in memory. */
const readUnstored = async (
  engine: Engine,
  { masjid, address }: TimesAsked,
  { stretch, stored }: { readonly stretch: DayStretch; readonly stored: ReadonlySet<string> },
): Promise<DaysRead> => {
  const [from = stretch.from] = stored
  const days = await askUnstored<CalculatedDay & Sunrise>(
    operation => askPublic(engine, { ...operation, address }),
    { masjid: masjid.id, from, until: addDays(stretch.from, stretch.days - 1), more: ['sunrise', ...otherNames] },
    stored,
  )
  return { times: days.flatMap(prayersOfDay), sunrises: days }
}

export interface TimesAsked {
  readonly masjid: PublicMasjid
  readonly now: Date
  /** `2026-12`; undefined if no month is shown. */
  readonly month?: string | undefined
  readonly address: string
}

/** Of almost all masjids these days fit one list. Each list more takes the planner as long as the first. */
const DAYS_OF_MOST = 11

export const readPublicTimes = async (
  engine: Engine,
  asked: TimesAsked,
  daysInList = DAYS_OF_MOST,
): Promise<PublicTimes> => {
  const { masjid, now, address } = asked
  const today = localDateAt(now, masjid.timezone)
  const near = stretchQuery('near', nearStretch(today), daysInList)
  const whole = asked.month === undefined ? undefined : stretchQuery('month', monthStretch(asked.month), daysInList)
  const parts = [near, ...(whole === undefined ? [] : [whole])]
  const data = await askPublic<Record<string, unknown>>(engine, {
    query: `query Times($masjid: uuid!, ${parts.map(({ parameters }) => parameters).join(', ')}) {\n  ${parts.map(({ fields }) => fields).join('\n  ')}\n}`,
    variables: { masjid: masjid.id, ...near.variables, ...whole?.variables },
    address,
  })
  if (daysInList > SURE_DAYS && !parts.every(part => part.isWhole(data)))
    return readPublicTimes(engine, asked, SURE_DAYS)
  const [nearDays = [], month = []] = await Promise.all(
    parts.map(async part => {
      const stored = { times: part.rowsIn(data), sunrises: part.sunrisesIn(data) }
      const unstored = { stretch: part.stretch, stored: datesOf(stored) }
      return daysOf(masjid, stored, await readUnstored(engine, asked, unstored))
    }),
  )
  const times = nearDays.flatMap(({ times }) => times)
  const jumuah = times.filter(({ prayer, date }) => prayer === 'jumuah' && date >= today)
  return {
    today,
    now,
    day: nearDays.find(({ date }) => date === today) ?? {
      date: today,
      times: [],
      sunrise: null,
      others: { imsak: null, duha: null, midnight: null, last_third: null },
      isUnstored: true,
    },
    jumuah: jumuah.filter(({ date }) => date === jumuah[0]?.date),
    next: nextOf(times, now),
    month,
  }
}
