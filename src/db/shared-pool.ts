// A pool of connections → the same, of which nobody gets an error while the server refuses the password: until it takes one again,
// those that are open are shared, and new ones are tried beside them. So a password can be changed while requests are served.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../base/log.ts'
import type { Connection } from './connection.ts'
import { isDatabaseAway } from './database-fault.ts'
import { isRefused, renewAfter } from './renew.ts'
import { withClient } from './with-client.ts'

export interface SharedPool {
  connect(): Promise<pg.PoolClient>
  close(): void
}

export interface SharedPoolOptions {
  readonly connection: Connection
  readonly log: Logger
  readonly poolSize: number
  /** How long somebody waits for a connection. */
  readonly connectMs: number
}

const TRY_EVERY_MS = 250
/** Where there are several hosts, another one may be the primary in a moment, and nothing has been sent yet. */
const MOVES_MS = 2000
const MOVE_EVERY_MS = 50

const REFUSED =
  'the database refuses the password: new connections are tried until it takes one, and those that are open are shared'
const TAKEN = 'the database takes the password again'

const adviceFor = ({ renewal }: Connection): string =>
  renewal === undefined
    ? 'Restart the process with the new one.'
    : `Write the new one into ${renewal.path} (${renewal.variable}); there is no need to restart.`

export const sharePool = (pool: pg.Pool, options: SharedPoolOptions): SharedPool => {
  const { connection, log, poolSize, connectMs } = options
  let open = 0
  let closed = false
  /** Resolves when the server takes the password again; undefined while it does. */
  let refusal: Promise<void> | undefined

  /** The pool neither opens more than there are, nor closes idle ones. */
  const hold = (): void => void Object.assign(pool.options, { max: Math.max(open, 1), min: open })
  const loosen = (): void => void Object.assign(pool.options, { max: poolSize, min: 0 })
  const count = (change: 1 | -1): void => {
    open += change
    if (refusal !== undefined) hold()
  }
  pool.on('connect', () => count(1)).on('remove', () => count(-1))

  const isTaken = (): Promise<boolean> =>
    withClient({ ...connection, connectionTimeoutMillis: connectMs }, async () => true).catch(
      error => !isRefused(error),
    )

  const untilTaken = async (): Promise<void> => {
    log.warn({ advice: adviceFor(connection) }, REFUSED)
    do await delay(TRY_EVERY_MS, undefined, { ref: false })
    while (!closed && !(await isTaken()))
    refusal = undefined
    loosen()
    if (!closed) log.info(TAKEN)
  }

  const refuse = (): void => {
    refusal ??= untilTaken()
    hold()
  }

  /** Whoever finds none open waits until there can be one. */
  const wait = (until: number): Promise<unknown> | undefined =>
    refusal === undefined || open > 0
      ? undefined
      : Promise.race([refusal, delay(Math.max(0, until - performance.now()), undefined, { ref: false })])

  const connect = async (): Promise<pg.PoolClient> => {
    const since = performance.now()
    const until = since + connectMs
    const mayMove = (error: unknown): boolean =>
      connection.several !== undefined && isDatabaseAway(error) && performance.now() < Math.min(until, since + MOVES_MS)
    for (;;) {
      await wait(until)
      const used = connection.renewal?.current
      try {
        return await pool.connect()
      } catch (error) {
        if (!closed && !isRefused(error) && mayMove(error)) {
          await delay(MOVE_EVERY_MS)
          continue
        }
        if (!isRefused(error) || performance.now() > until || closed) throw error
        if (!renewAfter(error, connection, used)) refuse()
      }
    }
  }

  return {
    connect,
    close: () => {
      closed = true
    },
  }
}
