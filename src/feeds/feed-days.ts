// What an address says about the days of a feed → how many.
import { Fault } from '../base/fault.ts'

/** As far ahead as times are calculated. */
const MOST_DAYS = 400

/** @throws {Fault} `bad_request` */
export const readDays = (text: unknown, usual: number): number => {
  if (text === undefined) return usual
  const days = typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (days >= 1 && days <= MOST_DAYS) return days
  const message = `"days" is not a whole number from 1 to ${MOST_DAYS}.`
  throw new Fault({ code: 'bad_request', status: 400, message })
}
