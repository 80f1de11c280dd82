// A place, its zone, method and days → the times of each day, with everything between them.
import { type DayNumber, startOfDay } from '../base/civil-date.ts'
import { longZoneOffsetOf } from '../base/zone-offset.ts'
import { type Almanac, calculateRuledDays, type Minute, type RuledDay } from '../prayer/calculation/calculate-days.ts'
import { byMonths, type HijriCalendar, type HijriDate } from '../prayer/calculation/hijri.ts'
import type { MasjidParameters } from '../prayer/calculation/masjid-parameters.ts'
import type { MethodName } from '../prayer/calculation/methods.ts'
import { type Moved, movedTimes } from './moved-times.ts'
import type { DayRange, PlaceQuestion } from './question.ts'

/** In the order in which they are written. */
export const timeNames = [
  'imsak',
  'fajr',
  'sunrise',
  'duha',
  'duha_ends',
  'dhuhr',
  'asr',
  'evening_forbidden',
  'sunset',
  'maghrib',
  'isha',
  'first_third_ends',
  'midnight',
  'midnight_to_sunrise',
  'last_third',
] as const

type TimeName = (typeof timeNames)[number]

/** Minutes that no sun gives: what is customary. */
export const customaryMinutes = { imsak: 10, after_sunrise: 15, before_dhuhr: 10, before_sunset: 15 } as const

export interface PlaceDay {
  readonly day: DayNumber
  readonly hijri: HijriDate
  readonly isRamadan: boolean
  readonly times: Readonly<Record<TimeName, Minute>>
  readonly moved: Moved
}

/** All that a day depends on. */
export interface SettledPlace extends Omit<PlaceQuestion, 'timeZone' | 'method' | 'range'> {
  readonly timeZone: string
  readonly method: MethodName
  /** Of a masjid: its own decisions about hijri dates. */
  readonly calendar?: Pick<MasjidParameters, 'hijri_adjustment' | 'announced'>
}

const calendarOf = ({ calendar }: SettledPlace): NonNullable<SettledPlace['calendar']> => ({
  hijri_adjustment: calendar?.hijri_adjustment ?? 0,
  announced: calendar?.announced ?? { byAuthority: new Map(), byMasjid: new Map() },
})

export const parametersOf = (place: SettledPlace): MasjidParameters => ({
  latitude: place.latitude,
  longitude: place.longitude,
  elevation: place.elevation,
  timezone: place.timeZone,
  calculation_method: place.method,
  madhab: place.madhab,
  high_latitude_rule: place.highLatitudeRule,
  adjustments: place.adjustments,
  fajr_angle: place.fajr_angle,
  isha_angle: place.isha_angle,
  isha_minutes: place.isha_minutes,
  maghrib_angle: place.maghrib_angle,
  ...calendarOf(place),
})

const later = (minute: Minute, by: number): Minute => (minute === null ? null : minute + by)

/** Duha lasts from a while after sunrise to a while before Dhuhr: both, or on a day too short for it neither. */
const duhaOf = (sunrise: Minute, dhuhr: Minute): Pick<PlaceDay['times'], 'duha' | 'duha_ends'> => {
  const duha = later(sunrise, customaryMinutes.after_sunrise)
  const duha_ends = later(dhuhr, -customaryMinutes.before_dhuhr)
  return duha === null || duha_ends === null || duha >= duha_ends
    ? { duha: null, duha_ends: null }
    : { duha, duha_ends }
}

/** While the sun sets nothing is prayed but the Asr of the day; on a day too short for it, it begins with Asr. */
const eveningOf = (sunset: Minute, begins: Minute): Minute => {
  const evening = later(sunset, -customaryMinutes.before_sunset)
  return evening === null || begins === null ? evening : Math.max(evening, begins)
}

const timesOf = ({ times }: RuledDay): PlaceDay['times'] => {
  const { fajr, sunrise, dhuhr, asr, sunset, maghrib, isha, midnight, midnightToSunrise } = times
  return {
    imsak: later(fajr, -customaryMinutes.imsak),
    fajr,
    sunrise,
    ...duhaOf(sunrise, dhuhr),
    dhuhr,
    asr,
    evening_forbidden: eveningOf(sunset, asr ?? dhuhr),
    sunset,
    maghrib,
    isha,
    first_third_ends: times.firstThirdEnds,
    midnight,
    midnight_to_sunrise: midnightToSunrise,
    last_third: times.lastThird,
  }
}

/** Where a zone moved across the date line, its calendar left a day out: Apia has no 30 December 2011. */
const isOnCalendar = (zone: string): ((day: DayNumber) => boolean) => {
  const offset = longZoneOffsetOf(zone) ?? (() => 0)
  return day => {
    const noon = startOfDay(day) + 12 * 3_600_000 - offset(startOfDay(day))
    return Math.floor((noon + offset(noon)) / 86_400_000) === day
  }
}

/** As far as a calendar may be ahead or behind, and the evening after the last day. */
const DAYS_AROUND = 5

/** Announced months are counted from the months around them: then all of the calendar may be asked. */
const monthsAround = (
  { announced: { byAuthority, byMasjid } }: MasjidParameters,
  { from, to }: DayRange,
  { ummAlQura }: Almanac,
): HijriCalendar =>
  byAuthority.size + byMasjid.size > 0 ? ummAlQura : byMonths(ummAlQura, from - DAYS_AROUND, to + DAYS_AROUND)

/** A day that the place's calendar does not have is left out. */
export const calculatePlace = (place: SettledPlace, range: DayRange, almanac: Almanac): PlaceDay[] => {
  const stretch = { first: range.from, days: range.to - range.from + 1 }
  const parameters = parametersOf(place)
  const has = isOnCalendar(place.timeZone)
  return calculateRuledDays(parameters, stretch, { ...almanac, ummAlQura: monthsAround(parameters, range, almanac) })
    .filter(({ times: { day } }) => has(day))
    .map(ruled => ({
      day: ruled.times.day,
      hijri: ruled.times.hijri,
      isRamadan: ruled.times.isRamadan,
      times: timesOf(ruled),
      moved: movedTimes(ruled),
    }))
}
