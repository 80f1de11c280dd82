// An error of the driver or the server → the fault the caller is told, if the database is the reason; otherwise unchanged.
import { Fault } from '../base/fault.ts'

/** SQLSTATE of the server, or errno of the network. */
export const databaseCode = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** Logged under this name: the log redacts whatever is called `code`, which elsewhere is an authorization code. */
const detailOf = (error: unknown): object => ({ sqlstateOrErrno: databaseCode(error) || 'none' })

export const databaseUnavailable = (cause: unknown): Fault =>
  new Fault({
    code: 'database-unavailable',
    status: 503,
    message: 'The database cannot be reached at the moment. Try again shortly.',
    cause,
    detail: detailOf(cause),
    headers: { 'retry-after': '1' },
  })

const storageFull = (cause: unknown): Fault =>
  new Fault({
    code: 'storage-full',
    status: 503,
    message: 'The database has no storage left, so nothing can be written. Reading goes on.',
    cause,
    detail: detailOf(cause),
    headers: { 'retry-after': '60' },
  })

/** Raised by migrations/identity/0401_account_acts.sql, whatever is written. */
const TAKEN_BACK = 'MN014'

const accountTakenBack = (cause: unknown): Fault =>
  new Fault({
    code: 'account_taken_back',
    status: 409,
    message: 'The account is being taken back by its owner. Sign in again.',
    cause,
  })

const DISK_FULL = '53100'

/**
 * 08: connection. 53: out of resources. 57P: shutting down or starting. 25006: a primary that became a replica. 55P03: a
 * lock was held too long. 57014: cancelled, or too slow. 28 and 3D: the role or database is gone, or not there yet. 40P01: a
 * deadlock, once more after the statement was repeated.
 */
const unavailableStates = /^(08|53|57P0|25006|55P03|57014|28|3D|40P01)/
const networkErrors =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH)$/
/** The driver's own errors have a message alone. */
const driverErrors =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool)/i

/** ENOENT: the server's socket is not there. */
const isConnectError = (error: Error): boolean => (error as { syscall?: string }).syscall === 'connect'

/** It takes no connections (`alter database … allow_connections false`), or none of this role. The codes mean other things in statements. */
const isTurnedAway = (error: Error): boolean => (error as { routine?: string }).routine === 'CheckMyDatabase'

const isUnavailable = (error: Error): boolean => {
  if (isConnectError(error) || isTurnedAway(error)) return true
  const code = databaseCode(error)
  return code === '' ? driverErrors.test(error.message) : unavailableStates.test(code) || networkErrors.test(code)
}

/** The server is not there, starting or stopping, or takes nobody in; not: busy, out of room, or a statement that is too slow. */
const awayStates = /^(08|57P0|25006|28|3D)/

const saysAway = (error: Error): boolean => {
  const { detail } = error as { detail?: { sqlstateOrErrno?: string } | null }
  const codes = [databaseCode(error), detail?.sqlstateOrErrno ?? '']
  return (
    isConnectError(error) ||
    isTurnedAway(error) ||
    codes.some(code => awayStates.test(code) || networkErrors.test(code)) ||
    driverErrors.test(error.message)
  )
}

/** Whether the database is away, whatever was made of its error since. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error && (saysAway(error) || isDatabaseAway(error.cause))

export const toDatabaseFault = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof Fault) return error
  if (databaseCode(error) === DISK_FULL) return storageFull(error)
  if (databaseCode(error) === TAKEN_BACK) return accountTakenBack(error)
  return isUnavailable(error) ? databaseUnavailable(error) : error
}

/** Whether the connection is lost or still busy: after an error of a statement, the server tells its SQLSTATE. */
export const breaksConnection = (error: unknown): boolean => !/^(?!08|57P0)[0-9A-Z]{5}$/.test(databaseCode(error))
