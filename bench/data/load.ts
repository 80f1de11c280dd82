// An empty database → migrated, filled and analysed.
import type pg from 'pg'
import { createLogger } from '../../src/base/log.ts'
import type { Connection } from '../../src/db/connection.ts'
import { migrate } from '../../src/db/migrate.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Progress } from '../report/progress.ts'
import { noticeSteps } from './notices.ts'
import { searchWords } from './search-words.ts'
import { type Sizes, type Step, tableSteps } from './tables.ts'

/** The peers' role: it may read what Minaret's reader may read, under the same policies. */
export const PEER_ROLE = 'bench_peer'
export const PEER_PASSWORD = 'bench'

/** Writes what Minaret's writer may write, under the same policies. */
export const WRITING_PEER = 'bench_writer'

const writingPeerRole = `
do $$ begin create role ${WRITING_PEER} login password '${PEER_PASSWORD}' in role minaret_writer;
exception when duplicate_object then null; end $$;
alter role ${WRITING_PEER} set search_path = public, extensions`

const peerRole = `
do $$ begin create role ${PEER_ROLE} login password '${PEER_PASSWORD}' in role minaret_reader;
exception when duplicate_object then null; end $$;
alter role ${PEER_ROLE} set search_path = public, extensions`

const peerGrants = `grant select on all tables in schema public to ${PEER_ROLE}`

/** The rows are consistent by construction, so foreign keys and triggers need not check each one. */
export const LOAD_SETTINGS = `
set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB';
set search_path = public, extensions`

const secondaryIndexes = `
select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
where indrelid in ('up_events'::regclass, 'ua_members'::regclass, 'ua_donations'::regclass)
  and not exists (select from pg_constraint where conindid = indexrelid)`

/** Indexes are rebuilt after loading: three times as fast as maintaining them. */
const withoutIndexes = async (client: pg.Client, work: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query<{ name: string; definition: string }>(secondaryIndexes)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  for (const { definition } of rows) await client.query(definition)
}

const runSteps = async (client: pg.Client, steps: readonly Step[], progress: Progress): Promise<void> => {
  for (const { title, statement } of steps) {
    progress.step(`loading ${title}`)
    await client.query(statement)
  }
}

export const createDatabase = async (server: Connection, name: string): Promise<Connection> => {
  await withClient(server, async client => {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name}`)
  })
  return { ...server, database: name }
}

export const loadDatabase = async (database: Connection, sizes: Sizes, progress: Progress): Promise<void> => {
  progress.step('migrating')
  await migrate(database, createLogger('silent'))
  await withClient(database, async client => {
    await client.query(peerRole)
    await client.query(writingPeerRole)
    await client.query(LOAD_SETTINGS)
    await withoutIndexes(client, () => runSteps(client, tableSteps(sizes), progress))
    await runSteps(client, [searchWords, ...noticeSteps], progress)
    await client.query(peerGrants)
    progress.step('vacuum and analyse')
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
}
