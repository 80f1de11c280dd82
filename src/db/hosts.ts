// Connections to several hosts → which of them is the primary, now and after a failover.
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from './connection.ts'
import { withClient } from './with-client.ts'

const PROBE_MS = 500
const LOOK_EVERY_MS = 400

const isWritable = async (connection: Connection): Promise<boolean> => {
  const config = {
    ...connection,
    application_name: 'minaret hosts',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  }
  try {
    return await withClient(config, async client => {
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      return rows[0]?.standby === false
    })
  } catch {
    return false
  }
}

/** Stays with the current host as long as it can be written to. @returns whether one was found. */
export const findPrimary = async ({ several, renewal }: Connection): Promise<boolean> => {
  if (several === undefined) return true
  const { hosts } = several
  const list = several.list.map(one => ({ ...one, renewal }))
  if (await isWritable(list[hosts.current] as Connection)) return true
  const writable = await Promise.all(list.map(isWritable))
  const found = writable.indexOf(true)
  if (found !== -1) hosts.current = found
  return found !== -1
}

export interface HostWatch {
  close(): void
}

/** Looks several times a second; new connections go to what it found. */
export const watchHosts = (connection: Connection, onChange: (host: number) => void): HostWatch => {
  let closed = connection.several === undefined
  const watch = async (): Promise<void> => {
    while (!closed) {
      const before = connection.several?.hosts.current
      await findPrimary(connection)
      const after = connection.several?.hosts.current
      if (after !== undefined && after !== before) onChange(after)
      await delay(LOOK_EVERY_MS, undefined, { ref: false })
    }
  }
  void watch()
  return {
    close: () => {
      closed = true
    },
  }
}
