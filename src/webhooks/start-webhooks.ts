// The job behind webhooks: change log → what concerns an endpoint → deliveries → signed requests → outcomes.
import type { Database } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { sql } from '../db/sql.ts'
import { unwatched, type WatchJob } from '../metrics/job-book.ts'
import { claimLanes, type Lane, type LaneInput, runLane } from './lane.ts'
import { planDeliveries } from './plan-deliveries.ts'

/** Notified when something may be sent at once. */
export const WEBHOOKS_CHANNEL = 'minaret_webhooks'

const LOOK_EVERY_MS = 1000
/** Endpoints that are sent to at a time. Those that failed last time may take half of them, so that they hold up nobody else. */
const MOST_LANES = 32
const MOST_FAILING = 16
const LAST_MOMENT_MS = 500

export interface WebhooksInput extends Omit<LaneInput, 'isClosed' | 'stopping'> {
  readonly listener: Listener
  readonly watch?: WatchJob | undefined
}

export interface Webhooks {
  /** Gives requests in progress a moment; what is not answered by then is sent again by the next process. */
  close(): Promise<void>
}

const claimFree = async (database: Database, holder: number, running: ReadonlyMap<Lane, unknown>): Promise<Lane[]> => {
  const failing = [...running.keys()].filter(({ isFailing }) => isFailing).length
  const well = await claimLanes(database, { holder, most: MOST_LANES - running.size, failing: false })
  const most = Math.min(MOST_LANES - running.size - well.length, MOST_FAILING - failing)
  return [...well, ...(await claimLanes(database, { holder, most, failing: true }))]
}

/** One question instead of six, once a second, where nobody has webhooks. */
const hasEndpoints = async (database: Database): Promise<boolean> => {
  const row = await database.first<{ any: boolean }>(
    sql`select exists (select from minaret.webhook_endpoints where state = 'enabled') as any`,
  )
  return row?.any === true
}

export const startWebhooks = async ({ listener, watch = unwatched, ...input }: WebhooksInput): Promise<Webhooks> => {
  const { database, engines, log } = input
  const running = new Map<Lane, Promise<void>>()
  const stopping = new AbortController()
  let closed = false
  let looking: Promise<void> | undefined

  const run = (lane: Lane): Promise<void> =>
    runLane({ ...input, isClosed: () => closed, stopping: stopping.signal }, lane)
      .catch(
        error => void (closed || log.warn({ err: error, endpoint: lane.endpointId }, 'a webhook could not be sent')),
      )
      .finally(() => running.delete(lane))

  const look = async (): Promise<void> => {
    if (!(await hasEndpoints(database))) return
    await planDeliveries(database, engines)
    for (const lane of await claimFree(database, listener.number, running)) running.set(lane, run(lane))
  }

  const wake = (): void => {
    if (closed || looking !== undefined) return
    looking = watch('webhooks', look)
      .catch(error => void (closed || log.warn({ err: error }, 'webhooks could not be planned')))
      .finally(() => {
        looking = undefined
      })
  }

  await listener.on(WEBHOOKS_CHANNEL, wake)
  const timer = setInterval(wake, LOOK_EVERY_MS).unref()
  return {
    close: async () => {
      closed = true
      clearInterval(timer)
      await looking
      const lastMoment = setTimeout(() => stopping.abort(), LAST_MOMENT_MS)
      await Promise.all(running.values())
      clearTimeout(lastMoment)
    },
  }
}
