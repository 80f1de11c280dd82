// A time zone and a period → its VTIMEZONE (RFC 5545 section 3.6.5), and instants as local times of that zone.
import { type ZoneClock, zoneClockOf } from '../base/zone-clock.ts'
import { type ZoneOffset, zoneOffsetOf } from '../base/zone-offset.ts'
import type { Component, Property } from './calendar-text.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const SECOND_MS = 1000
/** No zone shifts its clocks by more. */
const LONGEST_SHIFT_MS = 3 * 3_600_000

interface Span {
  readonly from: number
  readonly until: number
}

interface Transition {
  readonly at: number
  readonly from: number
  readonly to: number
}

export interface CalendarZone {
  readonly component: Component
  /** A property such as DTSTART in local time; in UTC if that local time occurs twice. */
  property(name: string, instant: Date): Property
}

/** `20260308T133000` */
const compact = (milliseconds: number): string => {
  const moment = new Date(milliseconds)
  const date = moment.getUTCFullYear() * 10_000 + (moment.getUTCMonth() + 1) * 100 + moment.getUTCDate()
  const time = moment.getUTCHours() * 10_000 + moment.getUTCMinutes() * 100 + moment.getUTCSeconds()
  // A digit more than it has keeps its zeros.
  return `${date < 10_000_000 ? String(date).padStart(8, '0') : date}T${String(1_000_000 + time).slice(1)}`
}

export const utcText = (instant: Date): string => `${compact(instant.getTime())}Z`

const offsetText = (offset: number): string => {
  const minutes = Math.round(Math.abs(offset) / MINUTE_MS)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`
}

const transitionsIn = ({ since, seconds }: ZoneClock, { from, until }: Span): Transition[] =>
  since.flatMap((at, index) =>
    at > from && at < until
      ? [{ at, from: Number(seconds[index - 1]) * SECOND_MS, to: Number(seconds[index]) * SECOND_MS }]
      : [],
  )

/** `onset` is in local time before the change. */
const observance = (name: string, onset: string, { from, to }: Omit<Transition, 'at'>): Component => ({
  name,
  properties: [
    ['DTSTART', onset],
    ['TZOFFSETFROM', offsetText(from)],
    ['TZOFFSETTO', offsetText(to)],
  ],
})

const zoneComponent = (zone: string, atStart: number, transitions: readonly Transition[]): Component => {
  const standard = Math.min(atStart, ...transitions.map(({ to }) => to))
  const nameOf = (value: number): string => (value > standard ? 'DAYLIGHT' : 'STANDARD')
  const first = { from: atStart, to: atStart }
  return {
    name: 'VTIMEZONE',
    properties: [['TZID', zone]],
    components: [
      observance(nameOf(first.to), '19700101T000000', first),
      ...transitions.map(one => observance(nameOf(one.to), compact(one.at + one.from), one)),
    ],
  }
}

/**
 * RFC 5545 section 3.3.5: a local time that occurs twice means the first, but calendars disagree, so that hour is written in UTC.
 * The same local time occurs again `shift` later, or occurred `shift` earlier.
 */
const occursTwice = (offset: ZoneOffset, instant: number): boolean => {
  const here = offset(instant)
  const lost = offset(instant - LONGEST_SHIFT_MS) - here
  const toLose = here - offset(instant + LONGEST_SHIFT_MS)
  return (
    (lost > 0 && offset(instant - lost) === here + lost) || (toLose > 0 && offset(instant + toLose) === here - toLose)
  )
}

/** Times of a zone unknown to the runtime are written in UTC. */
export const createCalendarZone = (zone: string, from: Date, until: Date): CalendarZone => {
  const clock = zoneClockOf(zone)
  const name = clock === undefined ? 'Etc/UTC' : zone
  const offset = zoneOffsetOf(name) ?? (() => 0)
  const start = Math.floor(from.getTime() / DAY_MS) * DAY_MS - DAY_MS
  const transitions = clock === undefined ? [] : transitionsIn(clock, { from: start, until: until.getTime() + DAY_MS })
  return {
    component: zoneComponent(name, offset(start), transitions),
    property: (property, instant) =>
      occursTwice(offset, instant.getTime())
        ? [property, utcText(instant)]
        : [`${property};TZID=${name}`, compact(instant.getTime() + offset(instant.getTime()))],
  }
}
