// The error of a failed read → whether it may be retried, and what the caller is told.
import { Fault } from '../base/fault.ts'

const codeOf = (error: Error): string => (error as { code?: string }).code ?? ''

/** Cancelled or timed out: PostgreSQL has one code for both; only the localised message differs. */
export const isEnded = (error: Error): boolean => codeOf(error) === '57014'

/** Another session holds a lock that the statement needs. */
export const isLockedOut = (error: Error): boolean => codeOf(error) === '55P03'

/** The server does not know the statement by its name: perhaps it was sent behind one whose preparation failed. */
export const isUnprepared = (error: Error): boolean => codeOf(error) === '26000'

/** Reads can be repeated, so one that failed because of the connection is retried. */
export const mayRepeat = (error: Error): boolean => {
  const code = codeOf(error)
  // 40001: a replica had to discard rows that were being read. 40P01: a deadlock, of which the read was the victim.
  if (isUnprepared(error) || code === '40001' || code === '40P01' || /^(57P0|08)/.test(code)) return true
  // Errors of the driver and the socket have no SQLSTATE.
  return !/^[0-9A-Z]{5}$/.test(code) || /^E[A-Z]+$/.test(code)
}

/** The server did not even end the statement at its time limit; it may be stuck, or short of processors. */
export class SilentServer extends Error {
  constructor() {
    super('the database does not answer')
  }
}

/** Nobody is there to be told; it counts as a cancelled statement, as PostgreSQL calls it. */
export class Abandoned extends Error {
  readonly code = '57014'
}

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
    message: `The database is busy, and this request waited too long. Try again in ${seconds} s, or request less.`,
    headers: { 'retry-after': String(seconds) },
  })
