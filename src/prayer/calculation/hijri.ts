// A day and a masjid's own adjustment → its hijri date, by the Umm al-Qura calendar of ICU.
import { type DayNumber, startOfDay } from '../../base/civil-date.ts'

export interface HijriDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

const RAMADAN = 9

const calendar = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
})

const numberOf = (parts: readonly Intl.DateTimeFormatPart[], type: string): number =>
  Number(parts.find(part => part.type === type)?.value)

/** `adjustment` days ahead: where the masjid began the month a day early, its date is tomorrow's of the calendar. */
export const hijriDate = (day: DayNumber, adjustment: number): HijriDate => {
  const parts = calendar.formatToParts(startOfDay(day + adjustment))
  return { year: numberOf(parts, 'year'), month: numberOf(parts, 'month'), day: numberOf(parts, 'day') }
}

export const isRamadan = ({ month }: HijriDate): boolean => month === RAMADAN

/** The same, remembered: thousands of masjids share a few hundred days. */
export const createHijriCalendar = (): typeof hijriDate => {
  const known = new Map<DayNumber, HijriDate>()
  return (day, adjustment) => {
    const remembered = known.get(day + adjustment)
    if (remembered !== undefined) return remembered
    const date = hijriDate(day, adjustment)
    known.set(day + adjustment, date)
    return date
  }
}
