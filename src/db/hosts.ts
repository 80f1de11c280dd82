// Connections to several hosts → which of them is the primary, now and after a failover.
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from './connection.ts'
import { withClient } from './with-client.ts'

const PROBE_MS = 500
const LOOK_EVERY_MS = 400
/** Every so many looks all hosts are asked, which takes a connection to each. */
const ALL_EVERY = 5

const TIMELINE = `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`

/** Its timeline, which grows with each promotion, as text that sorts; undefined if it cannot be written to. */
const timelineOf = async (connection: Connection): Promise<string | undefined> => {
  const config = {
    ...connection,
    application_name: 'minaret hosts',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  }
  try {
    return await withClient(config, async client => {
      const { rows } = await client.query<{ timeline: string | null }>(TIMELINE)
      return rows[0]?.timeline ?? undefined
    })
  } catch {
    return undefined
  }
}

/** A host that was promoted later wins; among equals the one in use stays. */
const chooseHost = (timelines: readonly (string | undefined)[], current: number): number => {
  const newest = timelines.reduce((one, other) => ((other ?? '') > (one ?? '') ? other : one), undefined)
  if (newest === undefined) return -1
  return timelines[current] === newest ? current : timelines.indexOf(newest)
}

/**
 * Stays with the current host as long as it can be written to, unless all are asked: one that lost its lead without noticing, as when
 * whatever should have stopped it hangs, goes on taking writes that nobody confirms, and knows nothing of what is revoked elsewhere.
 * @returns whether one was found
 */
export const findPrimary = async (connection: Connection, asked: 'current' | 'all' = 'current'): Promise<boolean> => {
  const { several, renewal } = connection
  if (several === undefined) return true
  const { hosts } = several
  const list = several.list.map(one => ({ ...one, renewal }))
  if (asked === 'current' && (await timelineOf(list[hosts.current] as Connection)) !== undefined) return true
  const found = chooseHost(await Promise.all(list.map(timelineOf)), hosts.current)
  if (found === -1) return false
  if (found !== hosts.current) {
    hosts.current = found
    for (const move of [...(hosts.moving ?? [])]) move()
  }
  return true
}

export interface HostWatch {
  close(): void
}

/** Looks several times a second; new connections go to what it found. */
export const watchHosts = (connection: Connection, onChange: (host: number) => void): HostWatch => {
  let closed = connection.several === undefined
  const watch = async (): Promise<void> => {
    for (let look = 1; !closed; look += 1) {
      const before = connection.several?.hosts.current
      await findPrimary(connection, look % ALL_EVERY === 0 ? 'all' : 'current')
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
