// The suite's own PostgreSQL: the project's embedded one, configured like a production server.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '../../src/db/connection.ts'
import { startCluster } from '../../src/db/embedded/cluster.ts'
import { withClient } from '../../src/db/with-client.ts'

export interface BenchCluster {
  readonly connection: Connection
  /** The postmaster: the database's total cost is that of its descendants. */
  readonly pid: number
  readonly version: string
  stop(): Promise<void>
}

/** Commits are flushed to disk (fsync on), which the token scenarios need to be realistic. */
const settings: Readonly<Record<string, string>> = {
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  work_mem: '16MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  random_page_cost: '1.1',
  max_connections: '200',
  jit: 'off',
}

const describe = async (connection: Connection): Promise<{ pid: number; version: string }> => {
  const { rows } = await withClient(connection, client =>
    client.query(`select pg_read_file('postmaster.pid') as file, current_setting('server_version') as version`),
  )
  return { pid: Number(String(rows[0].file).split('\n')[0]), version: rows[0].version }
}

/** In a temporary folder that is removed at the end, or in one that is kept. */
export const startBenchCluster = async (keptFolder: string | undefined): Promise<BenchCluster> => {
  const folder = keptFolder ?? mkdtempSync(join(tmpdir(), 'minaret-bench-'))
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o711)
  const cluster = await startCluster(folder, settings)
  const stop = async (): Promise<void> => {
    await cluster.stop()
    if (keptFolder === undefined) rmSync(folder, { recursive: true, force: true })
  }
  return { connection: cluster.connection, stop, ...(await describe(cluster.connection)) }
}
