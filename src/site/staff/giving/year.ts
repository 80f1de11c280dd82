// A year on a masjid's calendar → the moments where it begins and ends.
import { instantOf, localDateAt } from '../../../base/local-time.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { SignedInVisit } from '../../frame/page-routes.ts'

export interface Year {
  readonly year: number
  readonly from: Date
  readonly to: Date
}

const firstMoment = (year: number, timezone: string): Date =>
  instantOf(`${year}-01-01T00:00`, timezone) ?? new Date(Date.UTC(year))

/** The one asked for, or this year. */
export const yearOf = ({ query }: SignedInVisit, { timezone }: StaffedMasjid, now = new Date()): Year => {
  const asked = Number(query.text('year'))
  const isYear = Number.isInteger(asked) && asked >= 1990 && asked <= 2100
  const year = isYear ? asked : Number(localDateAt(now, timezone).slice(0, 4))
  return { year, from: firstMoment(year, timezone), to: firstMoment(year + 1, timezone) }
}
