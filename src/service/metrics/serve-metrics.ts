// What is counted → `/metrics` on its own port; or, in a worker, reports to the first process, which has the port.
import cluster from 'node:cluster'
import type { Logger } from '../../base/log.ts'
import type { Config } from '../../config/config.ts'
import { StartFault } from '../../db/embedded/start-fault.ts'
import type { Family } from '../../metrics/family.ts'
import { type MetricsListener, openMetricsListener } from '../../metrics/metrics-listener.ts'
import type { Watching } from '../../metrics/watching.ts'
import { processFamilies, writeText } from '../../metrics/write-text.ts'
import type { Unwind } from '../unwind.ts'
import { createStuckCounter } from './stuck-processes.ts'
import { collectFromWorkers, reportToFirst } from './worker-reports.ts'

interface MetricsGround {
  readonly config: Config
  readonly log: Logger
}

/** Undefined if there are no metrics. @throws {StartFault} if the port cannot be bound. */
const listen = async (
  { config: { observability }, log }: MetricsGround,
  scrape: () => Promise<string>,
): Promise<MetricsListener | undefined> => {
  const { metricsPort: port, metricsHost: host } = observability
  if (port === undefined) return undefined
  return openMetricsListener({ host, port, log, scrape }).catch((error: Error) => {
    throw new StartFault(
      `The listener of metrics cannot be opened: ${error.message}. Choose another METRICS_PORT or METRICS_HOST.`,
      error,
    )
  })
}

/** @returns the address of the metrics, if this process serves them. */
export const serveMetrics = async (
  ground: MetricsGround,
  watching: Watching,
  undo: Unwind,
): Promise<string | undefined> => {
  const report = async () => [...watching.families(), ...(await processFamilies())]
  if (cluster.isWorker) {
    reportToFirst(report)
    return undefined
  }
  const listener = await listen(ground, async () => writeText([[createStuckCounter().family()], await report()]))
  undo.add(() => listener?.close())
  return listener?.url
}

/** In the first of several processes. */
export const serveWorkerMetrics = async (
  ground: MetricsGround,
  ownFamilies: () => readonly Family[],
): Promise<MetricsListener | undefined> => {
  if (ground.config.observability.metricsPort === undefined) return undefined
  const reports = collectFromWorkers()
  const listener = await listen(ground, async () => writeText([ownFamilies(), ...(await reports.collect())]))
  if (listener === undefined) return undefined
  return {
    url: listener.url,
    close: async () => {
      reports.close()
      await listener.close()
    },
  }
}
