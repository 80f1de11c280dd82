// Calculation parameters for a test: the fields that matter are given, the rest is that of a masjid in Raleigh.
import type { MasjidParameters } from '../../src/prayer/calculation/masjid-parameters.ts'

export const testParameters = (given: Partial<MasjidParameters> = {}): MasjidParameters => ({
  latitude: 35.775,
  longitude: -78.6336,
  timezone: 'America/New_York',
  calculation_method: 'NorthAmerica',
  madhab: 'shafi',
  high_latitude_rule: null,
  adjustments: {},
  hijri_adjustment: 0,
  fajr_angle: null,
  isha_angle: null,
  isha_minutes: null,
  maghrib_angle: null,
  announced: { byAuthority: new Map(), byMasjid: new Map() },
  ...given,
})
