// Excel's numbers of days and fractions of a day → dates and clock times.
import { dateOf } from '../base/civil-date.ts'

const DAY_MINUTES = 1440

/** Day 60 of 1900 is a 29 February that never was, so counting starts a day early. */
const EPOCH_1900 = -25_569
const EPOCH_1904 = -24_107

/** 31 December 9999, a few years of which are lost where days are counted from 1904. */
export const LAST_SERIAL = 2_957_003

export const excelDate = (serial: number, since1904: boolean): string =>
  dateOf(Math.floor(serial) + (since1904 ? EPOCH_1904 : EPOCH_1900))

const pad = (number: number): string => String(number).padStart(2, '0')

const clockOf = (minutes: number): string => `${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`

/** Rounded to the minute: fractions of a day are never exact. */
export const excelClock = (serial: number): string =>
  clockOf(Math.round((serial - Math.floor(serial)) * DAY_MINUTES) % DAY_MINUTES)
