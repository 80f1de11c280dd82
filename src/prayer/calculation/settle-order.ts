// The calculated times of days → the same in strict order, with some minutes between any two of a day.
/** Whole minutes since 1970. */
type Minute = number | null

export interface SunTimes {
  readonly fajr: Minute
  readonly sunrise: Minute
  readonly dhuhr: Minute
  readonly asr: Minute
  readonly maghrib: Minute
  readonly isha: Minute
}

/** At the edge of the polar night, and through minutes that tables and masjids add, times meet or change places. */
const APART = 5

const notBefore = (minute: Minute, earlier: Minute): Minute =>
  minute === null || earlier === null ? minute : Math.max(minute, earlier + APART)

const notAfter = (minute: Minute, later: Minute): Minute =>
  minute === null || later === null ? minute : Math.min(minute, later - APART)

const orNone = (minute: Minute, later: Minute): Minute =>
  minute !== null && later !== null && minute > later - APART ? null : minute

/** A day without room for Dhuhr between its sunrise and its sunset is one of the polar night. */
const withRoom = (times: SunTimes): SunTimes =>
  times.sunrise !== null && times.maghrib !== null && times.maghrib - times.sunrise < 2 * APART
    ? { ...times, sunrise: null, maghrib: null }
    : times

/**
 * Sunrise and Maghrib stand, as the sun's own; Dhuhr keeps its distance to both. Asr and Isha move after what comes before them,
 * Fajr before what comes after it. An Asr that would have to be within five minutes of Maghrib is none.
 */
export const settleOrder = (times: SunTimes): SunTimes => {
  const { fajr, sunrise, maghrib, isha, ...day } = withRoom(times)
  const dhuhr = notAfter(notBefore(day.dhuhr, sunrise), maghrib)
  const asr = orNone(notBefore(day.asr, dhuhr), maghrib)
  return {
    fajr: notAfter(fajr, sunrise ?? dhuhr),
    sunrise,
    dhuhr,
    asr,
    maghrib,
    isha: notBefore(isha, maghrib ?? asr ?? dhuhr),
  }
}

/** An Isha that does not come before the next Fajr is none, unless its rule puts both in the middle of the night. */
export const ishaOfNight = (isha: Minute, nextFajr: Minute, mayMeet: boolean): Minute =>
  isha !== null && nextFajr !== null && isha >= nextFajr && !mayMeet ? null : isha
