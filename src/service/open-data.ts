// Config → a migrated database, with demo data if it was empty and the mode asks for it.

import { keepLogs } from '../audit/keep-logs.ts'
import { systemClock } from '../base/clock.ts'
import { guardCapabilities } from '../capabilities/guard-capabilities.ts'
import { keepChangeLog } from '../changes/keep-log.ts'
import { awaitDatabase } from '../db/await-database.ts'
import { checkSession, replicaCheck } from '../db/check-session.ts'
import { fromUrl } from '../db/connection.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { StartFault } from '../db/embedded/start-fault.ts'
import { withRefusalsExplained } from '../db/explain-refusal.ts'
import { watchHosts } from '../db/hosts.ts'
import { migrate } from '../db/migrate.ts'
import { requestPatience } from '../db/patience.ts'
import { openStore, type Store } from '../db/store.ts'
import { isEmpty, loadDemoOnce } from '../demo/load-demo.ts'
import type { Watching } from '../metrics/watching.ts'
import { ensureNearestTimes } from '../prayer/job/nearest-times.ts'
import { ensurePublicTestKey } from '../sandbox/public-test-key.ts'
import { startRenewals } from '../sandbox/start-renewals.ts'
import type { ServiceOptions } from './service-options.ts'
import type { Unwind } from './unwind.ts'

export interface Data {
  readonly store: Store
  /** For requests: impatient. */
  readonly database: Database
  /** For jobs: few connections, with time for long statements. */
  readonly background: Database
}

const openOwnStore = async ({ config }: ServiceOptions, description: string, undo: Unwind): Promise<Store> => {
  const store = await openStore(config, description)
  undo.add(() => store.close())
  return store
}

/** Whoever asks as soon as the service is ready gets today's times; the 400 days follow in the background. */
const calculateNearest = async (database: Database, { log, onProgress }: ServiceOptions): Promise<void> => {
  const there = await ensureNearestTimes({
    database,
    schema: 'public',
    now: systemClock.now(),
    onBegin: () => onProgress?.('Calculating the prayer times of the next days'),
  })
  if (!there) log.warn('some masjids have no prayer times of today yet; the prayer job goes on with them')
}

/** A service waits for its database until it is told to stop: the two may be started in any order. */
const FOREVER_MS = Number.POSITIVE_INFINITY
const BACKGROUND_CONNECTIONS = 4

/** Waits until the database answers, and checks what is between it and us. */
const reach = async (
  { owner, pooled }: Store,
  { config, log, stopping }: ServiceOptions,
  undo: Unwind,
): Promise<void> => {
  const waiting = { say: (line: string) => log.warn(line), patienceMs: FOREVER_MS, stopping }
  await awaitDatabase(owner, waiting)
  if (pooled !== undefined) await awaitDatabase(pooled, waiting)
  const setting = config.databaseListenUrl === undefined ? 'DATABASE_URL' : 'DATABASE_LISTEN_URL'
  const advice = 'Set DATABASE_LISTEN_URL to a direct connection to the same database.'
  await checkSession(owner, { setting, advice })
  for (const url of config.databaseReadUrls) await checkReplica(url, log)
  for (const one of pooled === undefined ? [owner] : [owner, pooled]) {
    const watch = watchHosts(one, host =>
      log.warn({ host: host + 1 }, 'another host of the database is the primary now'),
    )
    undo.add(() => watch.close())
  }
}

/** One that is not there yet is checked when it is; until then the primary answers. */
const checkReplica = async (url: string, log: ServiceOptions['log']): Promise<void> => {
  try {
    await checkSession(fromUrl(url), replicaCheck)
  } catch (error) {
    if (error instanceof StartFault) throw error
    log.warn({ reason: (error as Error).message }, 'a replica cannot be reached yet; the primary answers')
  }
}

/** What is started with, and what counts. */
interface DataOptions extends ServiceOptions {
  readonly watching: Watching
}

export const openData = async (options: DataOptions, description: string, undo: Unwind): Promise<Data> => {
  const { config, log, onProgress = () => undefined } = options
  onProgress('Starting the database')
  const store = options.store ?? (await openOwnStore(options, description, undo))
  if (config.databaseUrl !== undefined) await reach(store, options, undo)
  onProgress('Bringing the tables up to date')
  await migrate(store.owner, log)
  const patience = requestPatience(config.requestDeadlineMs)
  const { owner, pooled } = store
  const database = openDatabase(pooled ?? owner, {
    poolSize: config.poolSize,
    log,
    patience,
    isPooled: pooled !== undefined,
  })
  undo.add(() => database.close())
  const background = openDatabase(store.owner, { poolSize: BACKGROUND_CONNECTIONS, log })
  undo.add(() => background.close())
  await withRefusalsExplained(owner, async () => {
    await keepChangeLog(background, config.changeLogDays)
    await keepLogs(background, config.retention)
    await guardCapabilities(background, config.guardedCapabilities)
    await fill(background, options, undo)
  })
  return { store, database, background }
}

/** Whatever must be there before the first request. */
const fill = async (database: Database, options: DataOptions, undo: Unwind): Promise<void> => {
  const { config, log, sandboxData = true, onProgress = () => undefined } = options
  if (config.demoData && (await isEmpty(database)))
    await loadDemoOnce({ database, clock: systemClock, dataDir: config.dataDir, onProgress })
  await calculateNearest(database, options)
  if (sandboxData) {
    const renewals = await startRenewals({
      database,
      log,
      clock: systemClock,
      onProgress,
      watch: options.watching.jobs.watch,
    })
    undo.add(() => renewals.stop())
  }
  await ensurePublicTestKey(database)
}
