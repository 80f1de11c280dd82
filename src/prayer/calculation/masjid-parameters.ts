// A masjid's row → the parameters of adhan, and the fingerprint that identifies stored times.
import { type CalculationParameters, Coordinates, HighLatitudeRule, Madhab } from 'adhan'
import { sha256 } from '../../base/secrets.ts'
import { boundingRules, type HighLatitudeRuleName, highLatitudeRules } from './high-latitude-rules.ts'
import type { Announced } from './hijri.ts'
import { type AdjustedPrayer, type MethodName, methodParameters, type OwnAngles } from './methods.ts'

export interface MasjidParameters extends OwnAngles {
  readonly latitude: number
  readonly longitude: number
  /** Metres above the horizon. Masjids have none. */
  readonly elevation?: number | undefined
  readonly timezone: string
  readonly calculation_method: MethodName
  readonly madhab: 'shafi' | 'hanafi'
  readonly high_latitude_rule: HighLatitudeRuleName | null
  readonly adjustments: Readonly<Partial<Record<AdjustedPrayer, number>>>
  readonly hijri_adjustment: number
  /** Months announced by the masjid's authority, and by the masjid itself. */
  readonly announced: { readonly byAuthority: Announced; readonly byMasjid: Announced }
}

/** adhan's own recommendation considers only the north; nights are as short in the far south. */
const recommendedRule = (latitude: number) =>
  HighLatitudeRule.recommended(new Coordinates(Math.abs(latitude), 0)) as CalculationParameters['highLatitudeRule']

/**
 * Which part of the night counts where the sun does not reach the angle, and no other rule says more. A later version
 * may have more rules.
 */
const nightRule = ({ high_latitude_rule: rule, latitude }: MasjidParameters) => {
  if (!highLatitudeRules.includes(rule)) throw new Error(`this version does not know the rule "${rule}"`)
  if (rule === null) return recommendedRule(latitude)
  return rule in boundingRules ? boundingRules[rule as keyof typeof boundingRules] : HighLatitudeRule.SeventhOfTheNight
}

/** UmmAlQura has Isha 90 minutes after Maghrib, and 120 in Ramadan: the library leaves that to its caller. */
const RAMADAN_DELAY = 30

export const adhanParameters = (masjid: MasjidParameters, ramadan: boolean): CalculationParameters => {
  const parameters = methodParameters(masjid.calculation_method, masjid)
  parameters.madhab = masjid.madhab === 'hanafi' ? Madhab.Hanafi : Madhab.Shafi
  parameters.highLatitudeRule = nightRule(masjid)
  parameters.adjustments = { ...parameters.adjustments, ...masjid.adjustments }
  if (ramadan && masjid.calculation_method === 'UmmAlQura') parameters.adjustments.isha += RAMADAN_DELAY
  return parameters
}

/** Over the masjid's own columns. Announced months are left out, so that the days they do not affect are not rewritten. */
export const parametersHash = (masjid: MasjidParameters): string => {
  const { latitude, longitude, timezone, calculation_method, madhab, high_latitude_rule, hijri_adjustment } = masjid
  const { fajr_angle, isha_angle, isha_minutes, maghrib_angle } = masjid
  const own = calculation_method === 'Other' ? [fajr_angle, isha_angle, isha_minutes, maghrib_angle] : []
  const adjustments = Object.entries(masjid.adjustments).sort(([one], [other]) => (one < other ? -1 : 1))
  const all = [
    latitude,
    longitude,
    timezone,
    calculation_method,
    madhab,
    high_latitude_rule,
    hijri_adjustment,
    adjustments,
    ...own,
  ]
  return sha256(JSON.stringify(all)).toString('hex').slice(0, 16)
}
