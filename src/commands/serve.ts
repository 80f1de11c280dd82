// `minaret serve`: starts the service, prints its addresses, and shuts down cleanly on a signal.
import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { createLogger, type Logger } from '../base/log.ts'
import type { Config } from '../config.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import type { Service } from '../service/start-service.ts'
import { inheritedStore, reportReady, startWorkers } from '../service/workers.ts'
import type { Command } from './command.ts'
import { summary } from './summary.ts'

/** Imported lazily: the other commands start several times faster without it. */
const startService = async (options: ServiceOptions): Promise<Service> =>
  (await import('../service/start-service.ts')).startService(options)

const untilStopped = (stopping: AbortController): Promise<string> =>
  new Promise(stopped => {
    const resolve = (reason: string): void => {
      stopping.abort()
      stopped(reason)
    }
    // Not `once`: one Ctrl-C can arrive twice, from the terminal and from bin/minaret, and must not cut the shutdown short.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
    // Started by bin/minaret or by the first process: when the parent is gone, exit.
    if (process.connected) process.once('disconnect', () => resolve('end of the parent process'))
  })

const progress = (text: string): void => console.error(`${text} …`)

const startAlone = async (config: Config, log: Logger, stopping: AbortSignal) => {
  const service = await startService({ config, log, onProgress: progress, stopping })
  console.log(summary(service, config))
  return service
}

const startAsWorker = async (config: Config, log: Logger, stopping: AbortSignal) => {
  const service = await startService({ config, log, store: inheritedStore(process.env), stopping })
  reportReady(service)
  return service
}

const startFirst = async (config: Config, log: Logger) => {
  progress(`Starting ${config.workers} workers`)
  const workers = await startWorkers(config, log)
  console.log(summary(workers, config))
  return workers
}

const start = (config: Config, log: Logger, stopping: AbortSignal): Promise<{ stop(): Promise<void> }> => {
  if (cluster.isWorker) return startAsWorker(config, log, stopping)
  return config.workers > 1 ? startFirst(config, log) : startAlone(config, log, stopping)
}

/**
 * By default V8 lets garbage grow to several times the live heap before collecting; this keeps the process small under load.
 * Not during the start, while the heap grows from nothing: it would be collected over and over.
 */
const keepHeapSmall = (): void => setFlagsFromString('--heap-growing-percent=25')

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the service until it is stopped (Ctrl-C).',
  usage: 'serve',
  options: {},
  required: [],
  run: async (_options, config) => {
    const log = createLogger(config.logLevel)
    const stopping = new AbortController()
    const stopped = untilStopped(stopping)
    const running = await start(config, log, stopping.signal)
    keepHeapSmall()
    log.info(`stopping (${await stopped})`)
    await running.stop()
    return undefined
  },
}
