// A calculated day → which of its times a rule moved away from where the place's own sun puts them, and which rule.
import type { RuledDay } from '../prayer/calculation/calculate-days.ts'
import { type MovedBy, ownMoments } from '../prayer/calculation/prayer-moments.ts'
import type { SunTimes } from '../prayer/calculation/settle-order.ts'
import { adjustedPrayers as prayers } from './parameters.ts'

/** `order_of_the_day`: five minutes from the time beside it. */
type Mover = MovedBy | 'order_of_the_day'

export type Moved = Readonly<Partial<Record<keyof SunTimes, Mover>>>

/** A tenth of a second. */
const SAME = 1e-6

const isElsewhere = (own: number, moment: number): boolean => !(Math.abs(own - moment) < SAME)

/** Under the rules that look at another day or latitude, the sun itself may be that of elsewhere. */
const movedSun = ({ course, parameters, moments }: RuledDay): Moved => {
  if (course.sun === course.own) return {}
  const rule = course.takenFrom ?? course.rule
  if (rule === null) return {}
  const own = ownMoments(course, parameters)
  return Object.fromEntries(
    prayers.flatMap(prayer => (isElsewhere(own[prayer], moments[prayer]) ? [[prayer, rule]] : [])),
  )
}

export const movedTimes = (day: RuledDay): Moved => {
  const sun = movedSun(day)
  const moved: Partial<Record<keyof SunTimes, Mover>> = {}
  for (const prayer of prayers) {
    if (day.times[prayer] === null) continue
    const twilight = prayer === 'fajr' || prayer === 'isha' ? day.moments.by[prayer] : undefined
    const settled = day.times[prayer] === day.unsettled[prayer] ? undefined : 'order_of_the_day'
    const by = twilight ?? sun[prayer] ?? settled
    if (by !== undefined) moved[prayer] = by
  }
  return moved
}
