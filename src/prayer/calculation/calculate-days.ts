// A masjid's parameters and a stretch of days → the calculated times of each day, the same in every zone a process may run in.
import { type CalculationParameters, Coordinates, PrayerTimes } from 'adhan'
import { type DayNumber, processNoon, startOfDay } from '../../base/civil-date.ts'
import { zoneOffsetOf } from '../../base/zone-offset.ts'
import { createHijriCalendar, type HijriDate, isRamadan } from './hijri.ts'
import { adhanParameters, type MasjidParameters } from './masjid-parameters.ts'

/** A whole minute since 1970, or null where the sun gives no such time. */
export type Minute = number | null

export interface DayTimes {
  readonly day: DayNumber
  readonly fajr: Minute
  readonly sunrise: Minute
  readonly dhuhr: Minute
  readonly asr: Minute
  readonly maghrib: Minute
  readonly isha: Minute
  readonly midnight: Minute
  readonly lastThird: Minute
  readonly hijri: HijriDate
  readonly isRamadan: boolean
  readonly isTaraweeh: boolean
}

export interface Stretch {
  readonly first: DayNumber
  readonly days: number
}

type SunTimes = Pick<DayTimes, 'fajr' | 'sunrise' | 'dhuhr' | 'asr' | 'maghrib' | 'isha'>

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
const HOUR_DEGREES = 15

/** adhan has rounded to the minute already, but leaves milliseconds behind. A date that is not one becomes null. */
const minuteOf = (date: Date): Minute => {
  const minute = Math.floor(date.getTime() / MINUTE_MS)
  return Number.isNaN(minute) ? null : minute
}

const sunTimes = (place: Coordinates, day: DayNumber, parameters: CalculationParameters): SunTimes => {
  const times = new PrayerTimes(place, processNoon(day), parameters)
  return {
    fajr: minuteOf(times.fajr),
    sunrise: minuteOf(times.sunrise),
    dhuhr: minuteOf(times.dhuhr),
    asr: minuteOf(times.asr),
    maghrib: minuteOf(times.maghrib),
    isha: minuteOf(times.isha),
  }
}

const later = (times: SunTimes, days: number): SunTimes =>
  Object.fromEntries(
    Object.entries(times).map(([name, minute]) => [name, minute === null ? null : minute + days * DAY_MINUTES]),
  ) as unknown as SunTimes

/**
 * adhan gives the noon that falls on the day in UTC. West of the date line by longitude and east of it by the clock (Samoa,
 * Tonga, Kiritimati), or within minutes of the line itself (Fiji), that is not the noon of the local day: then the
 * neighbouring day is calculated, and should the sun's noon skip over midnight UTC that very day, moved by whole days.
 */
const localSunTimes = (
  place: Coordinates,
  day: DayNumber,
  parameters: CalculationParameters,
  offsetMs: number,
): SunTimes => {
  const noon = (startOfDay(day) - offsetMs) / MINUTE_MS + DAY_MINUTES / 2
  const daysOff = (times: SunTimes): number =>
    times.dhuhr === null ? 0 : Math.round((noon - times.dhuhr) / DAY_MINUTES)
  const times = sunTimes(place, day, parameters)
  if (daysOff(times) === 0) return times
  const neighbour = sunTimes(place, day + daysOff(times), parameters)
  return daysOff(neighbour) === 0 ? neighbour : later(neighbour, daysOff(neighbour))
}

/** A zone that this runtime does not know is taken by the sun: 15 degrees are an hour. */
const offsetAt = (masjid: MasjidParameters, day: DayNumber): number =>
  zoneOffsetOf(masjid.timezone)?.(startOfDay(day)) ?? Math.round(masjid.longitude / HOUR_DEGREES) * 3_600_000

/** A part of the night between Maghrib and the next Fajr, to the nearest minute. */
const partOfNight = (maghrib: Minute, nextFajr: Minute, part: number): Minute =>
  maghrib === null || nextFajr === null ? null : Math.floor(maghrib + (nextFajr - maghrib) * part + 0.5)

export const calculateDays = (
  masjid: MasjidParameters,
  { first, days }: Stretch,
  hijriOf = createHijriCalendar(),
): DayTimes[] => {
  const place = new Coordinates(masjid.latitude, masjid.longitude)
  const usual = adhanParameters(masjid, false)
  const inRamadan = adhanParameters(masjid, true)
  const offset = offsetAt(masjid, first)
  const hijri = (day: DayNumber): HijriDate => hijriOf(day, masjid.hijri_adjustment)
  const sunOn = (day: DayNumber): SunTimes =>
    localSunTimes(place, day, isRamadan(hijri(day)) ? inRamadan : usual, offset)

  let today = sunOn(first)
  return Array.from({ length: days }, (_, index) => {
    const day = first + index
    const times = today
    today = sunOn(day + 1)
    return {
      day,
      ...times,
      midnight: partOfNight(times.maghrib, today.fajr, 1 / 2),
      lastThird: partOfNight(times.maghrib, today.fajr, 2 / 3),
      hijri: hijri(day),
      isRamadan: isRamadan(hijri(day)),
      isTaraweeh: isRamadan(hijri(day + 1)),
    }
  })
}
