// What is calculated and what stands for some days, as rows → as a comparison looks it up.
import { clockShifts, existsIn } from './clock-shifts.ts'
import { type CalculatedDay, type Known, keyOf, type StandingTime } from './compare.ts'

/** Plain rows, which can be handed to another thread. */
export interface KnownDays {
  readonly timezone: string
  readonly first: string
  readonly last: string
  readonly calculated: readonly CalculatedDay[]
  readonly standing: readonly StandingTime[]
}

export const knownOf = ({ timezone, first, last, calculated, standing }: KnownDays): Known => ({
  calculated: new Map(calculated.map(day => [day.date, day])),
  standing: new Map(standing.map(time => [keyOf(time), time])),
  shifts: clockShifts(timezone, first, last),
  exists: existsIn(timezone),
})
