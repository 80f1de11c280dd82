// Days or occasions on the calendar of an authority → their answer, in JSON.
import { type DayNumber, dateOf } from '../base/civil-date.ts'
import type { HijriCalendar, HijriDate } from '../prayer/calculation/hijri.ts'
import { deciderOf, type HijriAuthority } from './authority.ts'
import { lengthOfMonth } from './find-day.ts'
import { monthNames } from './month-names.ts'
import type { Occurrence } from './next-days.ts'

const two = (value: number): string => String(value).padStart(2, '0')

const hijriText = ({ year, month, day }: HijriDate): string => `${year}-${two(month)}-${two(day)}`

const describeAuthority = (authority: HijriAuthority) =>
  authority.kind === 'calculated'
    ? { authority: authority.name, authority_name: null, masjid: null, adjustment: 0 }
    : {
        authority: authority.authority?.id ?? 'umm_al_qura',
        authority_name: authority.authority?.name ?? null,
        masjid: authority.masjid?.slug ?? null,
        adjustment: authority.hijri_adjustment,
      }

/** Only a few months are ever asked about. */
const lengths = (calendar: HijriCalendar) => {
  const known = new Map<string, number | null>()
  return (date: HijriDate): number | null => {
    const key = `${date.year} ${date.month}`
    const length = known.get(key) ?? lengthOfMonth(calendar, date) ?? null
    known.set(key, length)
    return length
  }
}

export const writeDays = (authority: HijriAuthority, calendar: HijriCalendar, days: readonly DayNumber[]): string => {
  const lengthOf = lengths(calendar)
  const written = days.map(day => {
    const date = calendar(day)
    const begins = day - date.day + 1
    return {
      date: dateOf(day),
      hijri: hijriText(date),
      ...date,
      month_name: monthNames[date.month - 1],
      month_begins: dateOf(begins),
      month_days: lengthOf(date),
      decided_by: deciderOf(authority, date, begins),
    }
  })
  return JSON.stringify({ ...describeAuthority(authority), days: written })
}

export const writeOccurrences = (
  authority: HijriAuthority,
  from: DayNumber,
  occurrences: readonly Occurrence[],
): string => {
  const written = occurrences.map(({ occasion, first, last, hijri }) => ({
    day: occasion,
    first: dateOf(first),
    last: dateOf(last),
    hijri_first: hijriText(hijri.first),
    hijri_last: hijriText(hijri.last),
    under_way: first <= from,
    decided_by: deciderOf(authority, hijri.first, first - hijri.first.day + 1),
  }))
  return JSON.stringify({ ...describeAuthority(authority), from: dateOf(from), occurrences: written })
}
