// A PostgreSQL of a test's own, which it may freeze, stop and start again without disturbing other tests.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger, type Logger } from '../../src/base/log.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Connection } from '../../src/db/connection.ts'
import { startCluster } from '../../src/db/embedded/cluster.ts'
import { migrate } from '../../src/db/migrate.ts'
import { thisPlatform } from '../../src/platform/this-platform.ts'
import { type Service, startService } from '../../src/service/start-service.ts'
import { urlOf } from '../support/database.ts'
import { patient, TEST_SECRET, type TestMinaret } from '../support/minaret.ts'
import { temporaryFolder } from '../support/process.ts'

export interface OwnCluster {
  readonly connection: Connection
  readonly url: string
  readonly folder: string
  readonly settings: Readonly<Record<string, string>>
  /** No process of the server runs until `thaw`: neither an answer nor an error comes from it. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
  /** As if the machine had lost its power. */
  kill(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** A cluster in this folder, which is removed with it. */
export const runCluster = async (
  folder: ReturnType<typeof temporaryFolder>,
  settings: Readonly<Record<string, string>>,
): Promise<OwnCluster> => {
  let cluster = await startCluster(folder.path, settings)
  const { connection } = cluster
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of thisPlatform.processesIn(join(folder.path, 'postgres')))
      try {
        process.kill(pid, name)
      } catch (error) {
        // A backend may end between being listed and being signalled.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
  }
  const thaw = (): void => signal('SIGCONT')
  return {
    connection,
    url: urlOf(connection),
    folder: folder.path,
    settings,
    freeze: () => signal('SIGSTOP'),
    thaw,
    stop: () => cluster.stop(),
    kill: async () => {
      while (thisPlatform.processesIn(join(folder.path, 'postgres')).length > 0) {
        signal('SIGKILL')
        await delay(10)
      }
    },
    start: async () => {
      cluster = await startCluster(folder.path, settings)
    },
    remove: async () => {
      thaw()
      await cluster.stop()
      folder.remove()
    },
  }
}

/** Migrated, without rows. */
export const startOwnCluster = async (settings: Readonly<Record<string, string>> = {}): Promise<OwnCluster> => {
  const all = { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB', ...settings }
  const cluster = await runCluster(temporaryFolder(), all)
  await migrate(cluster.connection, createLogger('silent'))
  return cluster
}

export const serve = (url: string, environment: Record<string, string> = {}, log?: Logger): Promise<Service> => {
  const config = readConfig({
    PORT: '0',
    SANDBOX_PORT: '0',
    DATABASE_URL: url,
    MINARET_SECRET: TEST_SECRET,
    DEMO_DATA: 'off',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    RATE_LIMITS: 'off',
    // What the database does is to be seen, not what is remembered of it.
    ANSWER_CACHE_MB: '0',
    ...patient,
    ...environment,
  })
  return startService({ config, log: log ?? createLogger(config.logLevel), sandboxData: false })
}

export const asTestMinaret = (service: Service, databaseUrl: string): TestMinaret => ({
  service,
  baseUrl: service.baseUrl,
  sandboxUrl: service.sandboxUrl,
  databaseUrl,
  stop: () => service.stop(),
})
