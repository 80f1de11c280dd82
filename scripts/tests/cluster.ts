// A throwaway PostgreSQL for one test run: started, migrated into a template, removed at the end.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../src/base/log.ts'
import type { Connection } from '../../src/db/connection.ts'
import { startCluster } from '../../src/db/embedded/cluster.ts'
import { migrate } from '../../src/db/migrate.ts'
import { withClient } from '../../src/db/with-client.ts'
import { TEMPLATE } from '../../test/support/database.ts'

/** Nothing needs to survive a crash, so nothing waits for the disk; and no test should depend on when autovacuum comes by. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  max_wal_size: '4GB',
  autovacuum: 'off',
}

export interface TestCluster {
  readonly connection: Connection
  stop(): Promise<void>
}

/** Every test file opens dozens of connections; by default, each takes thousands of rounds of hashing on both sides. */
const cheapPasswords = { scram_iterations: '1' }

/** The owner's password was hashed by initdb, before the settings applied. */
const hashAgain = (connection: Connection): Promise<unknown> =>
  withClient(connection, client =>
    client.query(`alter role current_user password ${client.escapeLiteral(String(connection.password))}`),
  )

/** Read by every start. Our own tables stay as new: whether statistics exist decides how queries are costed. */
const catalogTables = 'pg_class, pg_attribute, pg_constraint, pg_index, pg_depend, pg_proc, pg_type, pg_description'

const createTemplate = async (connection: Connection): Promise<void> => {
  await withClient(connection, client => client.query(`create database ${TEMPLATE}`))
  const template = { ...connection, database: TEMPLATE }
  await migrate(template, createLogger('warn'))
  await withClient(template, owner => owner.query(`analyze ${catalogTables}`))
}

interface OtherVersion {
  readonly programs: string
  /** Creates its data directory in the folder. */
  initialise(folder: string): void
}

const MEMORY = '/dev/shm'
/** What the databases of a whole run take at the most, and as much again for the tests themselves. */
const ENOUGH_BYTES = 6 * 2 ** 30

/** In memory where there is enough of it: every test file copies a database of thousands of files, and removes it. */
const roomFor = (): string => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > ENOUGH_BYTES ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

export const startTestCluster = async (other?: OtherVersion): Promise<TestCluster> => {
  const folder = mkdtempSync(join(roomFor(), 'minaret-test-'))
  chmodSync(folder, 0o711)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    other?.initialise(folder)
    // PostgreSQL 15 cannot change the number of rounds.
    const chosen = other === undefined ? { ...settings, ...cheapPasswords } : settings
    const cluster = await startCluster(folder, chosen, other?.programs)
    await hashAgain(cluster.connection)
    await createTemplate(cluster.connection)
    return { connection: cluster.connection, stop: async () => cluster.stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}
