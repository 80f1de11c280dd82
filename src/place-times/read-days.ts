// Parameters that name days and a zone → the days from one to another and the zone, or a sentence that names the parameter.
import { type DayNumber, dayNumberOf, isDate } from '../base/civil-date.ts'
import { Fault } from '../base/fault.ts'
import { zoneClockOf } from '../base/zone-clock.ts'
import { FIRST_DATE, LAST_DATE, MOST_DAYS } from './parameters.ts'
import type { DayRange } from './question.ts'

/** By name: text of a URL, or values of a query. Undefined, null and nothing at all mean the same. */
export type RawQuestion = Readonly<Record<string, unknown>>

export const refuse = (name: string, why: string): Fault =>
  new Fault({ code: 'bad_request', status: 400, message: `"${name}" ${why}` })

export const readDate = (raw: RawQuestion, name: string): DayNumber | undefined => {
  const value = raw[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !isDate(value)) throw refuse(name, 'is not a date such as 2027-02-18.')
  if (value < FIRST_DATE || value > LAST_DATE) throw refuse(name, `is not a day from ${FIRST_DATE} to ${LAST_DATE}.`)
  return dayNumberOf(value)
}

export const readRange = (raw: RawQuestion): DayRange | undefined => {
  const [date, from, to] = [readDate(raw, 'date'), readDate(raw, 'from'), readDate(raw, 'to')]
  if (date !== undefined) {
    if (from !== undefined || to !== undefined) throw refuse('date', 'is a single day: leave out "from" and "to".')
    return { from: date, to: date }
  }
  if (from === undefined) {
    if (to !== undefined) throw refuse('from', 'is missing: the first day.')
    return undefined
  }
  const range = { from, to: to ?? from }
  if (range.to < range.from) throw refuse('to', 'is before "from".')
  if (range.to - range.from >= MOST_DAYS) throw refuse('to', `is more than ${MOST_DAYS} days from "from".`)
  return range
}

const LONGEST_ZONE = 50

export const readZone = ({ time_zone: value = null }: RawQuestion): string | undefined => {
  if (value === null) return undefined
  // Offsets such as +03:00 are no zones: nothing else here knows them.
  const isName = typeof value === 'string' && value.length <= LONGEST_ZONE && /^[A-Za-z]/.test(value)
  if (!isName || zoneClockOf(value) === undefined) throw refuse('time_zone', 'is not an IANA zone such as Europe/Oslo.')
  return value
}

const LONGEST_NAME = 40

export const checkNames = (raw: RawQuestion, known: readonly string[]): void => {
  for (const [name, value] of Object.entries(raw)) {
    if (!known.includes(name)) throw refuse(name.slice(0, LONGEST_NAME), 'is no parameter here.')
    if (Array.isArray(value)) throw refuse(name, 'is given more than once.')
  }
}
