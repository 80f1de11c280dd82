// Minutes since 1970 → text with the offset of a zone: `2026-11-19T05:12:00+01:00`. A year has six thousand of them.
import { type DayNumber, dateOf } from '../base/civil-date.ts'
import { longZoneOffsetOf } from '../base/zone-offset.ts'
import type { Minute } from '../prayer/calculation/calculate-days.ts'
import { remember } from '../prayer/calculation/nearest-day.ts'

const DAY_MINUTES = 1440
const MINUTE_MS = 60_000

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

const clockText = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

/** `T05:12:00`, by the minute of the day. */
const clockTexts: readonly string[] = Array.from({ length: DAY_MINUTES }, (_, minute) => `T${clockText(minute)}:00`)

const offsetText = (minutes: number): string => `${minutes < 0 ? '-' : '+'}${clockText(Math.abs(minutes))}`

export interface InstantTexts {
  dateOf(day: DayNumber): string
  /** With the offset from UTC. */
  instant(minute: Minute): string | null
  /** On the zone's clocks, without it. */
  local(minute: Minute): string | null
}

/** Most are those of the time before. */
const latest = <Value>(find: (key: number) => Value): ((key: number) => Value) => {
  let known: { readonly key: number; readonly value: Value } | undefined
  return key => {
    if (known?.key !== key) known = { key, value: find(key) }
    return known.value
  }
}

/** As a member of an object in JSON, after others: nothing in it needs to be escaped. */
export const memberText = (name: string, text: string | null): string =>
  text === null ? `,"${name}":null` : `,"${name}":"${text}"`

export const instantTexts = (zone: string): InstantTexts => {
  const offsetAt = longZoneOffsetOf(zone) ?? (() => 0)
  const date = latest(remember(dateOf))
  const suffix = latest(offsetText)
  // Of the few offsets whose seconds are not zero (Monrovia, until 1972), the nearest minute: the instant stays the same.
  const aheadAt = (minute: number): number => Math.round(offsetAt(minute * MINUTE_MS) / MINUTE_MS)
  const textOf = (local: number): string => {
    const day = Math.floor(local / DAY_MINUTES)
    return `${date(day)}${clockTexts[local - day * DAY_MINUTES]}`
  }
  return {
    dateOf: date,
    instant: minute => {
      if (minute === null) return null
      const ahead = aheadAt(minute)
      return textOf(minute + ahead) + suffix(ahead)
    },
    local: minute => (minute === null ? null : textOf(minute + aheadAt(minute))),
  }
}
