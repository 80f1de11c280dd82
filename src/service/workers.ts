// WORKERS processes that serve the same ports: the first process owns the database, the others handle requests.
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import { StartFault } from '../db/embedded/start-fault.ts'
import { openStore, type Store } from '../db/store.ts'
import { watchHandedConnections } from './handed-connections.ts'
import { serveWorkerMetrics } from './metrics/serve-metrics.ts'
import { createStuckCounter } from './metrics/stuck-processes.ts'
import { createReplacementPause } from './replacement-pause.ts'
import { watchSharedPorts } from './shared-ports.ts'
import { STUCK_SIGNAL } from './watchdog/stuck-signal.ts'

export interface Addresses {
  readonly baseUrl: string
  readonly sandboxUrl: string
  /** Undefined if there are no metrics, or another process serves them. */
  readonly metricsUrl?: string | undefined
}

export interface Workers extends Addresses {
  /** Workers get the same signal: if it is SIGTERM, they drain until the time is over or `interrupted` resolves. */
  stop(signal?: NodeJS.Signals, interrupted?: Promise<void>): Promise<void>
}

interface Ready extends Addresses {
  readonly kind: 'ready'
}

/** The first process has closed the ports, or a worker has replaced one that ended. */
interface Told {
  readonly kind: 'ports closed' | 'replaced'
}

const STORE_VARIABLE = 'MINARET_WORKER_STORE'

/** In a worker: the database that the first process opened. */
export const inheritedStore = (environment: NodeJS.ProcessEnv): Store | undefined => {
  const text = environment[STORE_VARIABLE]
  if (text === undefined) return undefined
  return {
    ...(JSON.parse(text) as Pick<Store, 'owner' | 'pooled' | 'secret' | 'secrets'>),
    close: async () => undefined,
  }
}

/** In a worker: tells the first process that it is serving. */
export const reportReady = (addresses: Addresses): void => {
  process.send?.({ kind: 'ready', baseUrl: addresses.baseUrl, sandboxUrl: addresses.sandboxUrl } satisfies Ready)
}

/** In a worker: the first process has closed the ports, or is gone. */
export const untilPortsClosed = (): Promise<void> =>
  new Promise(resolve => {
    process.on('message', (message: Told) => void (message.kind === 'ports closed' && resolve()))
    process.once('disconnect', () => resolve())
  })

/** In a worker: another was replaced. The clients of the one that ended are with those that were left, and would stay there. */
export const onReplaced = (renew: () => void): void =>
  void process.on('message', (message: Told) => void (message.kind === 'replaced' && renew()))

/** For the connections that were accepted last to reach their worker. */
const HANDING_OVER_MS = 200

const untilReady = (worker: Worker): Promise<Addresses> =>
  new Promise((resolve, reject) => {
    worker.on('message', (message: Ready) => void (message.kind === 'ready' && resolve(message)))
    worker.once('exit', () => reject(new StartFault('A worker could not start. It said above why.')))
  })

const ended = (worker: Worker): Promise<void> =>
  new Promise(resolve => (worker.isDead() ? resolve() : void worker.once('exit', () => resolve())))

export const startWorkers = async (config: Config, log: Logger): Promise<Workers> => {
  const store = await openStore(config, 'a service with workers')
  const stuck = createStuckCounter()
  // Before the workers' ports are watched: this one is the first process's own.
  const metrics = await serveWorkerMetrics({ config, log }, () => [stuck.family()]).catch(async error => {
    await store.close()
    throw error
  })
  const ports = watchSharedPorts()
  const handed = watchHandedConnections(ports)
  const pauseAfter = createReplacementPause(() => performance.now())
  const stopping = new AbortController()
  let serving = false
  const environment = {
    [STORE_VARIABLE]: JSON.stringify({ ...store, close: undefined }),
  }

  const raise = (): Worker => {
    const started = Date.now()
    const worker = cluster.fork(environment)
    handed.watch(worker)
    worker.once('exit', (code, signal) => {
      const wasStuck = (signal as string | null) === STUCK_SIGNAL
      if (wasStuck) stuck.add()
      // While they start, one that ends ends the start.
      if (stopping.signal.aborted || !serving) return
      const how = wasStuck ? 'was stuck, as its last line says' : `ended with ${signal ?? code}`
      log.error({ worker: worker.process.pid }, `a worker ${how}; another takes its place`)
      const pause = pauseAfter({ livedMs: Date.now() - started, wasStuck })
      delay(pause, undefined, { signal: stopping.signal }).then(replace, () => undefined)
    })
    return worker
  }

  const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
  const tell = (kind: Told['kind'], those: readonly Worker[]): void => {
    for (const worker of those) if (worker.isConnected()) worker.send({ kind } satisfies Told)
  }

  const replace = (): void => {
    const raised = raise()
    const others = (): Worker[] => workers().filter(worker => worker !== raised)
    // If it ends first, that is logged, and the next one tries.
    untilReady(raised).then(
      () => tell('replaced', others()),
      () => undefined,
    )
  }

  const drain = async (those: readonly Worker[], interrupted: Promise<void>): Promise<void> => {
    await Promise.race([delay(config.drainSeconds * 1000, undefined, { ref: false }), interrupted])
    await ports.close()
    await delay(HANDING_OVER_MS)
    tell('ports closed', those)
  }

  const stop = async (signal: NodeJS.Signals = 'SIGINT', interrupted = new Promise<void>(() => undefined)) => {
    stopping.abort()
    const those = workers()
    // Not Worker.kill, which disconnects the worker first: it could not be told anything more.
    for (const worker of those) worker.process.kill(signal)
    if (signal === 'SIGTERM' && config.drainSeconds > 0) await drain(those, interrupted)
    handed.close()
    await Promise.all(those.map(ended))
    await metrics?.close()
    await store.close()
  }

  try {
    // The first worker migrates and loads data, so that the others find it done.
    const addresses = await untilReady(raise())
    await Promise.all(Array.from({ length: config.workers - 1 }, () => untilReady(raise())))
    serving = true
    return { ...addresses, metricsUrl: metrics?.url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
