// A throwaway PostgreSQL for one test run: started, migrated into a template, removed at the end.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createLogger } from '../src/base/log.ts'
import type { Connection } from '../src/db/connection.ts'
import { startCluster } from '../src/db/embedded/cluster.ts'
import { migrate } from '../src/db/migrate.ts'
import { TEMPLATE } from '../test/support/database.ts'

/** Nothing needs to survive a crash, so nothing waits for the disk. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' }

export interface TestCluster {
  readonly connection: Connection
  stop(): Promise<void>
}

const createTemplate = async (connection: Connection): Promise<void> => {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate({ ...connection, database: TEMPLATE }, createLogger('warn'))
}

interface OtherVersion {
  readonly programs: string
  /** Creates its data directory in the folder. */
  initialise(folder: string): void
}

export const startTestCluster = async (other?: OtherVersion): Promise<TestCluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'minaret-test-'))
  chmodSync(folder, 0o711)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    other?.initialise(folder)
    const cluster = await startCluster(folder, settings, other?.programs)
    await createTemplate(cluster.connection)
    return { connection: cluster.connection, stop: async () => cluster.stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}
