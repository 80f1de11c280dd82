// What is between us and the database: a session that stays with one server process, or a pooler in transaction mode.
import type pg from 'pg'
import { keepsSession } from '../../db/check-session.ts'
import type { Connection } from '../../db/connection.ts'
import { withClient } from '../../db/with-client.ts'
import { type Finding, fault, ok } from './finding.ts'
import type { Check } from './subject.ts'

const REMEDY = 'Set DATABASE_LISTEN_URL to a direct connection to the same database.'
const SETTINGS = { connectionTimeoutMillis: 5000, query_timeout: 5000 }

const identityOf = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ identity: string }>(
    "select (select system_identifier::text from pg_control_system()) || '/' || current_database() as identity",
  )
  return rows[0]?.identity ?? ''
}

const comparePooled = async (client: pg.Client, pooled: Connection): Promise<Finding> => {
  const direct = await identityOf(client)
  const through = await withClient({ ...pooled, ...SETTINGS }, identityOf)
  return direct === through
    ? ok('pooler', 'DATABASE_URL and DATABASE_LISTEN_URL lead to the same database, the latter directly.')
    : fault('pooler', 'DATABASE_URL and DATABASE_LISTEN_URL lead to different databases.', REMEDY)
}

export const checkPooler: Check = {
  name: 'pooler',
  look: async ({ client, store: { owner, pooled } }) => {
    const setting = pooled === undefined ? 'DATABASE_URL' : 'DATABASE_LISTEN_URL'
    if (!(await keepsSession(owner)))
      return [
        fault(
          'pooler',
          `${setting} goes through a pooler in transaction mode, over which revocations do not arrive.`,
          REMEDY,
        ),
      ]
    if (pooled !== undefined) return [await comparePooled(client, pooled)]
    return [ok('pooler', 'The connection keeps its session: direct, or through a pooler in session mode.')]
  },
}
