// The connection from DATABASE_URL → a database that answers. Waits for one that is not there yet; a wrong one ends the start.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Connection } from './connection.ts'
import { databaseCode } from './database-fault.ts'
import { StartFault } from './embedded/start-fault.ts'
import { findPrimary } from './hosts.ts'
import { speaksPostgres } from './speaks-postgres.ts'
import { withClient } from './with-client.ts'

export interface AwaitOptions {
  /** Says, in one line, what is being waited for. */
  readonly say: (line: string) => void
  /** How long to go on trying. */
  readonly patienceMs: number
  /** Ends the wait when the process is told to stop. */
  readonly stopping?: AbortSignal | undefined
}

const ATTEMPT_MS = 3000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5000
const OLDEST_VERSION = 15

/** What nobody mends by waiting, in words, by SQLSTATE. */
const wrong: readonly (readonly [RegExp, string])[] = [
  [/^28P01/, 'it refuses the password. Check user and password in DATABASE_URL'],
  [/^28/, 'it does not let this user in. Check user, database and TLS in DATABASE_URL, and pg_hba.conf'],
  [/^3D000/, 'it has no such database. Create it, or check the name in DATABASE_URL'],
]

/** Errors of the driver for a server whose TLS is not as asked for. */
const wrongTls = /does not support SSL|There was an error establishing an SSL|certificate/i

/** In words, without user and password. */
export const placeOf = ({ host, port, database, connectionString }: Connection): string => {
  if (connectionString === undefined) return `${database} on ${host}:${port}`
  const url = new URL(connectionString)
  return `${url.pathname.slice(1)} on ${url.searchParams.get('host') ?? url.host}`
}

const asWrong = async (error: Error, place: string, { host, port }: Connection): Promise<StartFault | undefined> => {
  if (error instanceof StartFault) return error
  const code = databaseCode(error)
  const known = wrong.find(([pattern]) => pattern.test(code))?.[1]
  if (known !== undefined) return new StartFault(`The database ${place} cannot be used: ${known}.`, error)
  if (wrongTls.test(error.message))
    return new StartFault(`The database ${place} cannot be used: ${error.message}.`, error)
  if (code === '' && host !== undefined && !host.startsWith('/') && !(await speaksPostgres(host, port ?? 5432)))
    return new StartFault(`The database ${place} cannot be used: it is not a PostgreSQL.`, error)
  return undefined
}

const checkVersion = async (client: pg.Client, place: string): Promise<void> => {
  const { rows } = await client.query<{ version: string; standby: boolean }>(
    "select current_setting('server_version_num') as version, pg_is_in_recovery() as standby",
  )
  const version = Math.floor(Number(rows[0]?.version) / 10_000)
  if (version < OLDEST_VERSION)
    throw new StartFault(`The database ${place} is PostgreSQL ${version}. Minaret needs ${OLDEST_VERSION} or later.`)
  if (rows[0]?.standby === true) throw new Error('it is a standby, which cannot be written to')
}

const tryOnce = (connection: Connection, place: string): Promise<void> =>
  withClient(
    {
      ...connection,
      application_name: 'minaret start',
      connectionTimeoutMillis: ATTEMPT_MS,
      query_timeout: ATTEMPT_MS,
    },
    client => checkVersion(client, place),
  )

const reasonOf = (error: Error): string => error.message || databaseCode(error) || 'no reason given'

/** @throws {StartFault} if the database is a wrong one, or does not answer in time. */
export const awaitDatabase = async (connection: Connection, options: AwaitOptions): Promise<void> => {
  const { say, patienceMs, stopping } = options
  const place = placeOf(connection)
  const deadline = Date.now() + patienceMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    await findPrimary(connection)
    const error = await tryOnce(connection, place).then(
      () => undefined,
      (reason: Error) => reason,
    )
    if (error === undefined) return
    const fault = await asWrong(error, place, connection)
    if (fault !== undefined) throw fault
    if (Date.now() + pause > deadline)
      throw new StartFault(`The database ${place} cannot be reached: ${reasonOf(error)}.`, error)
    say(`The database ${place} cannot be reached: ${reasonOf(error)}. Trying again in ${pause / 1000} s.`)
    await delay(pause, undefined, stopping === undefined ? {} : { signal: stopping }).catch(() => undefined)
    if (stopping?.aborted === true) throw new StartFault('Stopped while waiting for the database.')
  }
}
