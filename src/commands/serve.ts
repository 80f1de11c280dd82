// `minaret serve`: starts the service, prints its addresses, and shuts down cleanly on a signal.
import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { createLogger, type Logger } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import type { Service } from '../service/start-service.ts'
import { startWatchdog } from '../service/watchdog/start-watchdog.ts'
import { inheritedStore, onReplaced, reportReady, startWorkers, untilPortsClosed } from '../service/workers.ts'
import type { Command } from './command.ts'
import { summary } from './summary.ts'

/** Imported lazily: the other commands start several times faster without it. */
const startService = async (options: ServiceOptions): Promise<Service> =>
  (await import('../service/start-service.ts')).startService(options)

/** A closed terminal ends what was started in it. Elsewhere, SIGHUP is a habit of operators and tools, and must not end the service. */
const isInTerminal = [0, 1, 2].some(isatty)

interface Stopping {
  /** Aborted at the first signal, for a start that is still waiting. */
  readonly early: AbortController
  readonly reason: Promise<string>
  /** Ctrl-C never drains, not even the rest of the time. */
  readonly interrupted: Promise<void>
}

const watchSignals = (log: Logger): Stopping => {
  const early = new AbortController()
  const { promise: reason, resolve } = Promise.withResolvers<string>()
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>()
  const stop = (why: string): void => {
    early.abort()
    resolve(why)
    if (why !== 'SIGTERM') interrupt()
  }
  // Not `once`: one Ctrl-C can arrive twice, from the terminal and from bin/minaret, and must not cut the shutdown short.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal))
  process.on('SIGHUP', () => {
    if (isInTerminal) stop('SIGHUP')
    else log.warn('SIGHUP changes nothing: settings are read at the start, so restart the service')
  })
  // Started by bin/minaret or by the first process: when the parent is gone, exit.
  if (process.connected) process.once('disconnect', () => stop('end of the parent process'))
  return { early, reason, interrupted }
}

const progress = (text: string): void => console.error(`${text} …`)

const startAlone = async (config: Config, log: Logger, stopping: AbortSignal) => {
  const service = await startService({ config, log, onProgress: progress, stopping })
  startWatchdog(log)
  console.log(summary(service, config))
  void service.warmUp()
  return service
}

const startAsWorker = async (config: Config, log: Logger, stopping: AbortSignal) => {
  const service = await startService({ config, log, store: inheritedStore(process.env), stopping })
  startWatchdog(log)
  onReplaced(service.renew)
  reportReady(service)
  void service.warmUp()
  // The ports belong to the first process, which closes them at the end of the drain.
  return { ...service, drained: untilPortsClosed() }
}

const startFirst = async (config: Config, log: Logger) => {
  progress(`Starting ${config.workers} workers`)
  const workers = await startWorkers(config, log)
  console.log(summary(workers, config))
  // The workers drain, each for itself.
  return { ...workers, drain: undefined }
}

interface Running {
  readonly drain: (() => void) | undefined
  /** Resolves when the drain is over; by default after its time. */
  readonly drained?: Promise<void>
  stop(signal?: NodeJS.Signals, interrupted?: Promise<void>): Promise<void>
}

/** After this, whatever is still under way is given up. */
export const STOP_MS = 20_000
/** Once everything is released, nothing is under way that what is still open could be needed for. */
const LEFT_OPEN_MS = 1000
/** The embedded database first writes everything to disk; one that is left running is found again by the next start. */
const EMBEDDED_STOP_MS = 120_000

const stop = async (running: Running, config: Config, { reason, interrupted }: Stopping): Promise<void> => {
  const drains = (await reason) === 'SIGTERM'
  if (drains && config.drainSeconds > 0 && running.drain !== undefined) {
    running.drain()
    const time = running.drained ?? delay(config.drainSeconds * 1000, undefined, { ref: false })
    await Promise.race([time, interrupted])
  }
  const stopMs = config.databaseUrl === undefined ? EMBEDDED_STOP_MS : STOP_MS
  const deadline = setTimeout(() => process.exit(1), stopMs + config.drainSeconds * 1000).unref()
  await running.stop(drains ? 'SIGTERM' : 'SIGINT', interrupted)
  clearTimeout(deadline)
}

const leaveOpen = (log: Logger): void => {
  log.warn({ open: process.getActiveResourcesInfo() }, 'something was still open after the end')
  process.exit(0)
}

const start = (config: Config, log: Logger, stopping: AbortSignal): Promise<Running> => {
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
    const stopping = watchSignals(log)
    const running = await start(config, log, stopping.early.signal)
    keepHeapSmall()
    void stopping.reason.then(reason => log.info(`stopping (${reason})`))
    await stop(running, config, stopping)
    log.info('stopped')
    setTimeout(leaveOpen, LEFT_OPEN_MS, log).unref()
    return undefined
  },
}
