// Days → hijri dates: by the Umm al-Qura calendar of ICU, and by the months that authorities and masjids announced.
import { type DayNumber, startOfDay } from '../../base/civil-date.ts'

export interface HijriDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

export type HijriCalendar = (day: DayNumber) => HijriDate

/** A month's number, counted across years: 12 × year + month − 1. */
type MonthNumber = number

/** The announced first days of months, by number. */
export type Announced = ReadonlyMap<MonthNumber, DayNumber>

const RAMADAN = 9
const SHORT = 29
const LONG = 30

const calendar = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
})

const numberOf = (parts: readonly Intl.DateTimeFormatPart[], type: string): number =>
  Number(parts.find(part => part.type === type)?.value)

export const ummAlQura: HijriCalendar = day => {
  const parts = calendar.formatToParts(startOfDay(day))
  return { year: numberOf(parts, 'year'), month: numberOf(parts, 'month'), day: numberOf(parts, 'day') }
}

export const isRamadan = ({ month }: HijriDate): boolean => month === RAMADAN

export const monthNumber = (year: number, month: number): MonthNumber => year * 12 + month - 1

/** The same calendar, cached: thousands of masjids share a few hundred days. */
export const rememberCalendar = (hijriOf: HijriCalendar): HijriCalendar => {
  const known = new Map<DayNumber, HijriDate>()
  return day => {
    const date = known.get(day) ?? hijriOf(day)
    known.set(day, date)
    return date
  }
}

/** `days` ahead: where months begin a day early, today's date is tomorrow's of the calendar. */
export const shiftCalendar = (hijriOf: HijriCalendar, days: number): HijriCalendar =>
  days === 0 ? hijriOf : day => hijriOf(day + days)

/** The first days of consecutive months. */
interface Months {
  readonly first: MonthNumber
  readonly starts: readonly DayNumber[]
}

const monthsOf = (hijriOf: HijriCalendar, from: DayNumber, until: DayNumber): Months => {
  const date = hijriOf(from)
  const starts = [from - date.day + 1]
  const most = Math.ceil((until - from) / SHORT) + 2
  for (let index = 0; index < most; index += 1) {
    const start = starts[index] as DayNumber
    if (start > until) break
    starts.push(start + (hijriOf(start + SHORT).day === 1 ? SHORT : LONG))
  }
  return { first: monthNumber(date.year, date.month), starts }
}

const between = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

/** Announced months begin as announced; the others stay as close to the calendar as months of 29 and 30 days allow. */
const withAnnounced = ({ first, starts }: Months, announced: Announced): Months => {
  const held = starts.map((start, index) => announced.get(first + index) ?? start)
  const isHeld = (index: number): boolean => announced.has(first + index)
  const firstHeld = held.findIndex((_, index) => isHeld(index))
  if (firstHeld === -1) return { first, starts }
  const startAt = (index: number): DayNumber => held[index] as DayNumber
  for (let index = firstHeld - 1; index >= 0; index -= 1)
    held[index] = between(startAt(index), startAt(index + 1) - LONG, startAt(index + 1) - SHORT)
  for (let index = firstHeld + 1; index < held.length; index += 1) {
    if (isHeld(index)) continue
    const next = held.findIndex((_, later) => later > index && isHeld(later))
    const free = between(startAt(index), startAt(index - 1) + SHORT, startAt(index - 1) + LONG)
    held[index] =
      next === -1 ? free : between(free, startAt(next) - LONG * (next - index), startAt(next) - SHORT * (next - index))
  }
  return { first, starts: held }
}

const calendarOf =
  ({ first, starts }: Months): HijriCalendar =>
  day => {
    const index = starts.findLastIndex(start => start <= day)
    const month = first + index
    return { year: Math.floor(month / 12), month: (month % 12) + 1, day: day - (starts[index] ?? day) + 1 }
  }

/** The same calendar between two days, asked once for each month rather than once for each day. */
export const byMonths = (hijriOf: HijriCalendar, from: DayNumber, until: DayNumber): HijriCalendar =>
  calendarOf(monthsOf(hijriOf, from, until))

/** Enough on both sides that the months at the ends have their neighbours. */
const MARGIN = 90

/** The calendar between two days, with some months announced. */
export const announceMonths = (
  hijriOf: HijriCalendar,
  announced: Announced,
  { from, until }: { from: DayNumber; until: DayNumber },
): HijriCalendar =>
  announced.size === 0
    ? hijriOf
    : calendarOf(withAnnounced(monthsOf(hijriOf, from - MARGIN, until + MARGIN), announced))
