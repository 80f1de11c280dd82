// How many connections the processes of this machine open at most, against what the server, the database and the role allow.
import type { Config } from '../../config/config.ts'
import { fault, ok, warning } from './finding.ts'
import type { Check } from './subject.ts'

/** Slow and trial lanes of each listener. */
const OTHER_LANES = 4
/** Jobs, the listener, readiness. */
const BESIDES = 6

/** Per process; docs/operations.md explains the sum. */
const connectionsOf = ({ poolSize, readConnections, writeConnections }: Config): number =>
  poolSize + 2 * (readConnections + OTHER_LANES + writeConnections) + BESIDES

interface Room {
  readonly most: number
  readonly reserved: number
  /** -1: no limit. */
  readonly ofDatabase: number
  readonly ofRole: number
  readonly superuser: boolean
}

export const checkConnections: Check = {
  name: 'connections',
  look: async ({ client, config }) => {
    const { rows } = await client.query<Room>(`
      select current_setting('max_connections')::int as most,
        current_setting('superuser_reserved_connections')::int
          + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved,
        (select datconnlimit from pg_database where datname = current_database()) as "ofDatabase",
        (select rolconnlimit from pg_roles where rolname = current_user) as "ofRole"`)
    const { most, reserved, ofDatabase, ofRole } = rows[0] as Room
    const limits = [most - reserved, ofDatabase, ofRole].filter(limit => limit >= 0)
    const allowed = Math.min(...limits)
    const needed = config.workers * connectionsOf(config)
    const found = `This machine opens up to ${needed} connections (WORKERS=${config.workers}); the database allows ${allowed} in all.`
    const remedy =
      'Raise max_connections, lower WORKERS, POOL_SIZE, READ_CONNECTIONS or WRITE_CONNECTIONS, or put a pooler in front and set DATABASE_LISTEN_URL.'
    if (needed > allowed) return [fault('connections', found, remedy)]
    if (needed > allowed * 0.8) return [warning('connections', found, remedy)]
    return [ok('connections', found)]
  },
}
