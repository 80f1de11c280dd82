// What ends a reading without its text → whether it may be sent again, and what the caller is told.
import { Fault } from '../base/fault.ts'

const codeOf = (error: Error): string => (error as { code?: string }).code ?? ''

/** Cancelled, or out of time: PostgreSQL has one code for both, and tells them apart in the language of the server only. */
export const isEnded = (error: Error): boolean => codeOf(error) === '57014'

/** Reading twice does no harm, so what failed for the connection's sake is sent again. */
export const mayRepeat = (error: Error): boolean => {
  const code = codeOf(error)
  // 40001: a replica could not keep what was being read.
  if (code === '26000' || code === '40001' || /^(57P0|08)/.test(code)) return true
  // The driver's own errors and those of the socket carry no SQLSTATE.
  return !/^[0-9A-Z]{5}$/.test(code) || /^E[A-Z]+$/.test(code)
}

/** Nobody is there to be told; it is counted as what PostgreSQL calls a cancelled statement. */
export class Abandoned extends Error {
  readonly code = '57014'
}

export const unavailable = (cause: unknown): Fault =>
  new Fault({
    code: 'unavailable',
    status: 503,
    message: 'The database cannot be reached at the moment. Try again shortly.',
    cause,
    headers: { 'retry-after': '1' },
  })

export const tooManyWaiting = (seconds: number): Fault =>
  new Fault({
    code: 'too-many-waiting',
    status: 429,
    message: `Too many of your requests are waiting for the database. Send fewer at a time; try again in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  })

export const overloaded = (seconds: number): Fault =>
  new Fault({
    code: 'overloaded',
    status: 503,
    message: `The database is busy, and this request waited for too long. Try again in ${seconds} s, or ask for less.`,
    headers: { 'retry-after': String(seconds) },
  })
