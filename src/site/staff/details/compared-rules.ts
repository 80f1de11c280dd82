// The stored details of a masjid → its rules for high latitudes, compared; undefined if that cannot be had now.
import { localDateAt } from '../../../base/local-time.ts'
import type { ComparedMasjid, RuleComparison } from '../../../prayer/comparing/compare-rules.ts'
import type { StaffVisit } from '../at-masjid.ts'
import type { StaffParts } from '../staff-parts.ts'
import { angleColumns, type MasjidDetails } from './masjid-details.ts'

const parametersOf = (details: MasjidDetails, now: Date): ComparedMasjid => {
  const timezone = String(details.timezone)
  const angles = Object.fromEntries(angleColumns.map(name => [name, details[name]]))
  return {
    latitude: Number(details.latitude),
    longitude: Number(details.longitude),
    timezone,
    calculation_method: details.calculation_method,
    madhab: details.madhab,
    adjustments: details.adjustments,
    hijri_adjustment: 0,
    ...angles,
    today: localDateAt(now, timezone),
  } as ComparedMasjid
}

/** The page is there to change something else too: it does without. */
export const comparedRules = async (
  { rules }: StaffParts,
  { masjid, visit }: StaffVisit,
  details: MasjidDetails,
): Promise<RuleComparison | undefined> => {
  try {
    return await rules.compare(masjid.id, parametersOf(details, new Date()))
  } catch (error) {
    visit.request.log.warn({ err: error }, 'the rules for high latitudes could not be compared')
    return undefined
  }
}
