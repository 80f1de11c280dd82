// A settled question → what its answer says about itself: zone, method, parameters and the qibla.
import { adhanParameters } from '../prayer/calculation/masjid-parameters.ts'
import { customaryMinutes, parametersOf } from './calculate-place.ts'
import type { SettledQuestion } from './place-times.ts'
import { qiblaFrom } from './qibla.ts'

const orNull = (number: number | undefined): number | null => number || null

const withoutNothing = (added: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(added).filter(([, minutes]) => minutes !== 0))

export const describePlace = ({ place, country, masjidId }: SettledQuestion) => {
  const usual = adhanParameters(parametersOf(place), false)
  return {
    time_zone: place.timeZone,
    country: country ?? null,
    method: place.method,
    parameters: {
      // Where a masjid is, the directory says.
      ...(masjidId === undefined ? { latitude: place.latitude, longitude: place.longitude } : {}),
      elevation: place.elevation,
      madhab: place.madhab,
      high_latitude_rule: place.highLatitudeRule,
      fajr_angle: usual.fajrAngle,
      isha_angle: usual.ishaInterval > 0 ? null : usual.ishaAngle,
      isha_minutes: orNull(usual.ishaInterval),
      maghrib_angle: orNull(usual.maghribAngle),
      rounding: usual.rounding,
      method_adjustments: withoutNothing({ ...usual.methodAdjustments }),
      adjustments: place.adjustments,
      customary_minutes: customaryMinutes,
    },
    qibla: qiblaFrom(place),
  }
}
