// Whether the database can be reached and written to, over a connection of its own: a busy pool must not make a healthy
// process look down.
import pg from 'pg'
import { type Connection, connectMs, toPrimary } from '../db/connection.ts'
import { endWithHost } from '../db/end-with-host.ts'
import { renewAfter } from '../db/renew.ts'

export interface Readiness {
  /** Resolves within a second. */
  reachesDatabase(): Promise<boolean>
  close(): Promise<void>
}

/** Less than the second within which a probe is answered. A connection may take longer; the next probe finds it. */
const ANSWER_MS = 600

/** This process may have been too busy to read: what has arrived is processed first. */
const within = (ms: number, work: Promise<boolean>): Promise<boolean> =>
  new Promise(resolve => {
    const timer = setTimeout(() => setImmediate(() => setImmediate(() => resolve(false))), ms)
    work.then(resolve, () => resolve(false)).finally(() => clearTimeout(timer))
  })

export const createReadiness = (connection: Connection): Readiness => {
  let opened: Promise<pg.Client> | undefined
  let current: pg.Client | undefined
  let checking: Promise<boolean> | undefined

  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      ...toPrimary(connection),
      application_name: 'minaret ready',
      connectionTimeoutMillis: connectMs(connection),
      query_timeout: connectMs(connection),
    })
    endWithHost(client, connection)
    const forget = (): void => {
      if (current === client) opened = undefined
      client.end().catch(() => undefined)
    }
    current = client
    client.on('error', forget).on('end', forget)
    try {
      await client.connect()
      return client
    } catch (error) {
      forget()
      if (renewAfter(error, connection)) return open()
      throw error
    }
  }

  const check = async (): Promise<boolean> => {
    opened ??= open()
    const client = await opened
    try {
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      return rows[0]?.standby === false
    } catch {
      opened = undefined
      client.end().catch(() => undefined)
      return false
    }
  }

  // Probes that arrive together share one check; a check that takes long is not repeated meanwhile.
  const share = (): Promise<boolean> => {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  return {
    reachesDatabase: () => within(ANSWER_MS, share()),
    close: async () => (await opened?.catch(() => undefined))?.end().catch(() => undefined),
  }
}
