// Whether this process can serve, over a connection of its own: a busy pool must not make a healthy process look down.
import pg from 'pg'
import type { Connection } from '../db/connection.ts'

export interface Readiness {
  /** Resolves within a second. */
  reachesDatabase(): Promise<boolean>
  close(): Promise<void>
}

const CONNECT_MS = 400
const ANSWER_MS = 400

export const createReadiness = (connection: Connection): Readiness => {
  let client: pg.Client | undefined
  let checking: Promise<boolean> | undefined

  const lose = (lost: pg.Client): void => {
    if (client === lost) client = undefined
    lost.end().catch(() => undefined)
  }

  const open = async (): Promise<pg.Client> => {
    const opened = new pg.Client({
      ...connection,
      application_name: 'minaret ready',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
    })
    opened.on('error', () => lose(opened)).on('end', () => lose(opened))
    await opened.connect().catch(error => {
      lose(opened)
      throw error
    })
    client = opened
    return opened
  }

  const check = async (): Promise<boolean> => {
    let used = client
    try {
      used ??= await open()
      const { rows } = await used.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      return rows[0]?.standby === false
    } catch {
      if (used !== undefined) lose(used)
      return false
    }
  }

  return {
    // Probes that arrive together share one check.
    reachesDatabase: () => {
      checking ??= check().finally(() => {
        checking = undefined
      })
      return checking
    },
    close: async () => client?.end().catch(() => undefined),
  }
}
