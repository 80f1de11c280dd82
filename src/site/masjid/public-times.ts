// A masjid and a moment → its times around that moment and of a month, in one statement; and what comes next.
import { addDays } from '../../base/civil-date.ts'
import { localDateAt, localTimeAt } from '../../base/local-time.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { askPublic } from '../frame/ask-public.ts'
import { isDaily, type PrayerTime } from '../hall/prayer-time.ts'
import { type DayStretch, SURE_DAYS, timesLists } from '../hall/times-lists.ts'
import type { PublicMasjid } from './public-masjid.ts'

export interface PublicTime extends PrayerTime {
  readonly adhan_at: string | null
  readonly iqamah_at: string | null
}

export interface PublicDay {
  readonly date: string
  readonly times: readonly PublicTime[]
  /** On the masjid's clock. */
  readonly sunrise: string | null
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

const instant = ({ iqamah_at, adhan_at }: PublicTime): number => Date.parse(iqamah_at ?? adhan_at ?? '')

/** When people come: the iqamah, or the adhan where there is none. Undefined if there is neither. */
export const comesOn = (time: PublicTime): Date | undefined => {
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

interface Sunrise {
  readonly date: string
  readonly sunrise: string | null
}

const daysOf = (
  { timezone }: PublicMasjid,
  times: readonly PublicTime[],
  sunrises: readonly Sunrise[],
): readonly PublicDay[] => {
  const risen = new Map(sunrises.map(({ date, sunrise }) => [date, sunrise]))
  return [...Map.groupBy(times, ({ date }) => date)].map(([date, ofDay]) => {
    const sunrise = risen.get(date) ?? null
    return { date, times: ofDay, sunrise: sunrise === null ? null : localTimeAt(new Date(sunrise), timezone) }
  })
}

const sunriseList = (name: string): string =>
  `${name}: pc_calculated_times(where: {masjid_id: {_eq: $masjid}, date: {_gte: $${name}from, _lt: $${name}until}}, order_by: [{date: asc}]) { date sunrise }`

const stretchQuery = (name: string, stretch: DayStretch, daysInList: number) => {
  const lists = timesLists<PublicTime>(name, stretch, { more: 'adhan_at iqamah_at', daysInList })
  const sun = `${name}sun`
  return {
    ...lists,
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
  const { masjid, now, month, address } = asked
  const today = localDateAt(now, masjid.timezone)
  const near = stretchQuery('near', nearStretch(today), daysInList)
  const whole = month === undefined ? undefined : stretchQuery('month', monthStretch(month), daysInList)
  const parts = [near, ...(whole === undefined ? [] : [whole])]
  const data = await askPublic<Record<string, unknown>>(engine, {
    query: `query Times($masjid: uuid!, ${parts.map(({ parameters }) => parameters).join(', ')}) {\n  ${parts.map(({ fields }) => fields).join('\n  ')}\n}`,
    variables: { masjid: masjid.id, ...near.variables, ...whole?.variables },
    address,
  })
  if (daysInList > SURE_DAYS && !parts.every(part => part.isWhole(data)))
    return readPublicTimes(engine, asked, SURE_DAYS)
  const times = near.rowsIn(data)
  const days = daysOf(masjid, times, near.sunrisesIn(data))
  const jumuah = times.filter(({ prayer, date }) => prayer === 'jumuah' && date >= today)
  return {
    today,
    now,
    day: days.find(({ date }) => date === today) ?? { date: today, times: [], sunrise: null },
    jumuah: jumuah.filter(({ date }) => date === jumuah[0]?.date),
    next: nextOf(times, now),
    month: whole === undefined ? [] : daysOf(masjid, whole.rowsIn(data), whole.sunrisesIn(data)),
  }
}
