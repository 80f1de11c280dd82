// A question about hijri dates → its answer in JSON, and how long that stays right.
import { type DayNumber, dayNumberAt, dayNumberOf } from '../base/civil-date.ts'
import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import { endOfDay } from '../base/local-time.ts'
import { zoneOffsetOf } from '../base/zone-offset.ts'
import { FIRST_DATE, LAST_DATE } from '../place-times/parameters.ts'
import { refuse } from '../place-times/read-days.ts'
import type { HijriDate } from '../prayer/calculation/hijri.ts'
import { type AskedAuthority, calendarOf, type HijriAuthority, type Span } from './authority.ts'
import { dayOf, FURTHEST } from './find-day.ts'
import { lastLookedAt, nextDays } from './next-days.ts'
import { readAuthority, type Source } from './read-authority.ts'
import { type DaysQuestion, isHijriDate, type NextQuestion, outsideHijri } from './read-hijri-question.ts'
import { startOfTabularMonth } from './tabular.ts'
import { writeDays, writeOccurrences } from './write-hijri.ts'

export interface HijriAnswer {
  readonly json: string
  /** Somebody may announce something else at any time. */
  readonly announced: boolean
  /** When the day that was meant by today ends, in milliseconds; undefined if a day was given. */
  readonly until: number | undefined
}

/** Reads from the database in turns, as others need its connections too. */
type ReadInTurns = <T>(read: () => Promise<T>) => Promise<T>

export interface HijriDesk {
  readonly source: Source
  readonly clock: Clock
  readonly inTurns: ReadInTurns
}

const todayIn = (zone: string, now: number): DayNumber => dayNumberAt(new Date(now + (zoneOffsetOf(zone)?.(now) ?? 0)))

const noSuch = ({ kind }: AskedAuthority): Fault =>
  new Fault({
    code: 'not_found',
    status: 404,
    message: kind === 'masjid' ? 'There is no such masjid.' : '"authority" is no authority that announces months here.',
  })

const settle = async (desk: HijriDesk, asked: AskedAuthority, span: Span): Promise<HijriAuthority> => {
  if (asked.kind === 'calculated') return asked
  const found = await desk.inTurns(() => readAuthority(desk.source, asked, span))
  if (found === undefined) throw noSuch(asked)
  return found
}

const zoneOf = (authority: HijriAuthority, asked: string | undefined): string =>
  asked ?? (authority.kind === 'announced' ? authority.masjid?.timezone : undefined) ?? 'Etc/UTC'

/** Today is within a day of this anywhere. */
const aroundToday = (now: number): Span => {
  const day = dayNumberAt(new Date(now))
  return { from: day - 1, to: day + 1 }
}

const spanOfHijri = ({ year, month }: HijriDate): Span => {
  const near = startOfTabularMonth(year, month)
  return { from: near - FURTHEST, to: near + 30 + FURTHEST }
}

const findHijri = (authority: HijriAuthority, date: HijriDate): DayNumber => {
  const day = dayOf(calendarOf(authority, spanOfHijri(date)), date)
  if (day === undefined) throw refuse('hijri', 'is no day of this calendar: that month has 29 days.')
  if (day < dayNumberOf(FIRST_DATE) || day > dayNumberOf(LAST_DATE)) throw outsideHijri()
  return day
}

/** @throws {Fault} `bad_request`, `not_found` */
export const answerDays = async (desk: HijriDesk, question: DaysQuestion): Promise<HijriAnswer> => {
  const now = desk.clock.now().getTime()
  const { days } = question
  const asked = days === undefined ? aroundToday(now) : isHijriDate(days) ? spanOfHijri(days) : days
  const authority = await settle(desk, question.authority, asked)
  const zone = zoneOf(authority, question.timeZone)
  const single = days === undefined ? todayIn(zone, now) : isHijriDate(days) ? findHijri(authority, days) : undefined
  const span: Span = single === undefined ? asked : { from: single, to: single }
  const listed = Array.from({ length: span.to - span.from + 1 }, (_, index) => span.from + index)
  return {
    json: writeDays(authority, calendarOf(authority, span), listed),
    announced: authority.kind === 'announced',
    until: days === undefined ? endOfDay(span.from, zone) : undefined,
  }
}

/** @throws {Fault} `not_found` */
export const answerNext = async (desk: HijriDesk, question: NextQuestion): Promise<HijriAnswer> => {
  const now = desk.clock.now().getTime()
  const { occasions, count } = question
  const first = question.from ?? aroundToday(now).from
  const asked = { from: first, to: Math.min(lastLookedAt({ from: first, count }), dayNumberOf(LAST_DATE)) }
  const authority = await settle(desk, question.authority, asked)
  const zone = zoneOf(authority, question.timeZone)
  const from = question.from ?? todayIn(zone, now)
  const found = nextDays(calendarOf(authority, asked), { occasions, from, count })
  return {
    json: writeOccurrences(authority, from, found),
    announced: authority.kind === 'announced',
    until: question.from === undefined ? endOfDay(from, zone) : undefined,
  }
}
