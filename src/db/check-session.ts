// A connection → whether its session stays with one server process. Behind a pooler in transaction mode it does not: LISTEN,
// session locks, settings and prepared statements are then lost or given to somebody else.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Connection } from './connection.ts'
import { StartFault } from './embedded/start-fault.ts'
import { withClient } from './with-client.ts'

const PATIENCE_MS = 30_000
/** A pooler with a single connection keeps the first client waiting while the second has a transaction. Longer than a busy machine. */
const BLOCKED_MS = 10_000

const processOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ id: number }>('select pg_backend_pid() as id')).rows[0]?.id ?? 0

/** While a second client has a transaction, a pooler has to give the first one another server process. */
export const keepsSession = (connection: Connection): Promise<boolean> => {
  const config = { ...connection, application_name: 'minaret check', connectionTimeoutMillis: PATIENCE_MS }
  return withClient(config, first =>
    withClient(config, async second => {
      const before = await processOf(first)
      await second.query('begin')
      const after = await Promise.race([processOf(first), delay(BLOCKED_MS, undefined, { ref: false })])
      await second.query('rollback')
      return before === after
    }),
  )
}

export interface SessionCheck {
  /** The setting that the connection comes from. */
  readonly setting: 'DATABASE_URL' | 'DATABASE_LISTEN_URL' | 'DATABASE_READ_URL'
  readonly advice: string
}

export const replicaCheck: SessionCheck = {
  setting: 'DATABASE_READ_URL',
  advice: 'Set it to a direct connection to the replica.',
}

/** @throws {StartFault} if it goes through a pooler in transaction mode. */
export const checkSession = async (connection: Connection, { setting, advice }: SessionCheck): Promise<void> => {
  if (await keepsSession(connection)) return
  throw new StartFault(
    `${setting} goes through a pooler in transaction mode. Revocations and other news (LISTEN), session locks and prepared statements do not work over it. ${advice}`,
  )
}
