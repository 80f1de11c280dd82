// Deprecated columns used by plans → the headers Deprecation (RFC 9745) and Sunset (RFC 8594).
import type { Plan } from './plan/plan.ts'

const MONTHS_KEPT = 6

/** Without a date in the comment, the period starts on the day the structure was read: perhaps too late, never too early. */
export const deprecationHeaders = (plans: readonly Plan[], readOn: Date): Readonly<Record<string, string>> => {
  const days = plans.flatMap(({ deprecated }) =>
    [...deprecated].map(({ deprecation }) =>
      deprecation?.since === undefined ? readOn : new Date(`${deprecation.since}T00:00:00Z`),
    ),
  )
  const [first] = days.sort((left, right) => left.getTime() - right.getTime())
  if (first === undefined) return {}
  const sunset = new Date(first)
  sunset.setUTCMonth(sunset.getUTCMonth() + MONTHS_KEPT)
  return { deprecation: `@${Math.floor(first.getTime() / 1000)}`, sunset: sunset.toUTCString() }
}
