// The three databases, written to directly → what each of them acknowledged, and when: two that do so at once would be two leaders.
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseHost, databases } from '../../scripts/cluster/hosts.ts'
import type { Cluster } from '../../scripts/cluster/start-cluster.ts'
import { fromUrl } from '../../src/db/connection.ts'
import { isUnconfirmed } from '../../src/db/unconfirmed-commit.ts'
import { withClient } from '../../src/db/with-client.ts'

interface Write {
  readonly host: DatabaseHost
  readonly id: number
  readonly begunAt: number
  readonly doneAt: number
}

interface Probe {
  readonly writes: readonly Write[]
  /** Writes that one host began after another, which came later, had acknowledged one. */
  overlaps(): readonly string[]
  stop(): Promise<void>
}

const PAUSE_MS = 50
const PATIENCE_MS = 2000

/** Each write in a connection of its own, as the one before may be to a host that is gone. */
const writeOnce = async (url: string, id: number): Promise<boolean> => {
  let isLocal = false
  const config = { ...fromUrl(url), connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS }
  try {
    await withClient(config, async client => {
      client.on('notice', notice => {
        isLocal ||= isUnconfirmed(notice)
      })
      await client.query(`set statement_timeout = ${PATIENCE_MS / 2}`)
      await client.query('insert into probes values ($1)', [id])
    })
    return !isLocal
  } catch {
    return false
  }
}

/** In the superuser's own database, on the leader. */
export const createProbeTable = (url: string): Promise<unknown> =>
  withClient(fromUrl(url), client => client.query('create table if not exists probes (id bigint primary key)'))

export const startProbe = (cluster: Cluster): Probe => {
  const writes: Write[] = []
  let stopped = false
  let last = Date.now()
  const probe = async (host: DatabaseHost): Promise<void> => {
    for (; !stopped; await delay(PAUSE_MS)) {
      last += 1
      const [id, begunAt] = [last, performance.now()]
      if (await writeOnce(cluster.urlOf(host, 'postgres'), id))
        writes.push({ host, id, begunAt, doneAt: performance.now() })
    }
  }
  const probing = databases.map(probe)
  return {
    writes,
    overlaps: () => {
      const firstOf = new Map<DatabaseHost, number>()
      for (const { host, doneAt } of writes) firstOf.set(host, firstOf.get(host) ?? doneAt)
      const order = [...firstOf.keys()]
      return writes
        .filter(({ host, begunAt }) =>
          order
            .slice(order.indexOf(host) + 1)
            .some(later => begunAt > (firstOf.get(later) ?? Number.POSITIVE_INFINITY)),
        )
        .map(({ host, id }) => `${host} wrote ${id} though ${order.at(-1)} was the leader`)
    },
    stop: async () => {
      stopped = true
      await Promise.all(probing)
    },
  }
}
