// A server → its position in the write-ahead log, several times a second, over a connection of its own; silence counts as lost.
import pg from 'pg'
import { type Connection, toPrimary } from '../connection.ts'
import { endWithHost } from '../end-with-host.ts'
import { readPosition } from './wal-position.ts'

export interface PositionWatch {
  close(): Promise<void>
}

export interface PositionWatchOptions {
  readonly connection: Connection
  readonly onPosition: (position: bigint) => void
  readonly onLost: (reason: string) => void
}

/** Together less than the second within which a replica is left out. */
const EVERY_MS = 150
const PATIENCE_MS = 500

const QUESTION = `select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_lsn() end)::text as position`

export const watchPosition = ({ connection, onPosition, onLost }: PositionWatchOptions): PositionWatch => {
  let client: pg.Client | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const open = async (): Promise<pg.Client> => {
    const opened = new pg.Client({
      ...toPrimary(connection),
      application_name: 'minaret position',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    })
    endWithHost(opened, connection)
    opened.on('error', () => undefined)
    client = opened
    await opened.connect()
    return opened
  }

  const look = async (): Promise<void> => {
    try {
      const used = client ?? (await open())
      const { rows } = await used.query<{ position: string | null }>(QUESTION)
      const position = readPosition(rows[0]?.position)
      if (position === undefined) throw new Error('it has no position')
      if (!closed) onPosition(position)
    } catch (error) {
      const lost = client
      client = undefined
      lost?.end().catch(() => undefined)
      if (!closed) onLost((error as Error).message)
    }
    if (!closed) timer = setTimeout(look, EVERY_MS).unref()
  }

  void look()
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
