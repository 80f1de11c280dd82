// Deliveries that ended, or everything in the change log since a moment → sent again, with what the app may read by then.
import { recordAudit } from '../audit/record-audit.ts'
import { advisoryLocks } from '../db/advisory-locks.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { OfEndpoint } from './change-endpoint.ts'
import { sentAgain } from './delivery.ts'
import { webhookRefused } from './faults.ts'
import { WEBHOOKS_CHANNEL } from './start-webhooks.ts'

/** Nobody makes more and more wait by asking for it again and again. */
const MOST_WAITING = 1000

const wakeEndpoint = async (transaction: Queryable, { appId, endpointId }: OfEndpoint): Promise<void> => {
  const found = await transaction.run(sql`
    update minaret.webhook_endpoints set due_at = least(due_at, now())
    where app_id = ${appId} and id = ${endpointId} and state = 'enabled'`)
  if (found === 0) throw webhookRefused('Enable the endpoint first.')
}

const replay = (
  database: Database,
  input: OfEndpoint,
  work: (transaction: Queryable) => Promise<Readonly<Record<string, unknown>>>,
): Promise<void> =>
  database.transaction(async transaction => {
    const { appId, actor, endpointId } = input
    // The job that plans deliveries must not move the position ahead again; it has this lock before any row.
    await transaction.run(sql`select pg_advisory_xact_lock(${advisoryLocks.webhooks})`)
    await wakeEndpoint(transaction, input)
    const detail = { endpoint_id: endpointId, ...(await work(transaction)) }
    await recordAudit(transaction, { action: 'webhook.replayed', actor, appId, detail })
    await transaction.run(sql`select pg_notify(${WEBHOOKS_CHANNEL}, '')`)
  })

/** What was withheld has lost its content, and a test is sent anew by its button. */
export const replayOne = (database: Database, input: OfEndpoint & { deliveryId: string }): Promise<void> =>
  replay(database, input, async transaction => {
    const deliveries = await transaction.run(sql`
      update minaret.webhook_deliveries set ${sentAgain}
      where endpoint_id = ${input.endpointId} and id = ${input.deliveryId} and state in ('delivered', 'dead')
        and kind <> 'test'`)
    return { deliveries }
  })

const checkRoom = async (transaction: Queryable, endpointId: string): Promise<void> => {
  const row = await transaction.first<{ many: number }>(sql`
    select count(*)::int as many from minaret.webhook_deliveries where endpoint_id = ${endpointId} and state = 'waiting'`)
  if ((row?.many ?? 0) > MOST_WAITING)
    throw webhookRefused('Too much is waiting already. Ask again once it has arrived.')
}

/** The endpoint goes back to the first change of that time, even one from before it was made, and is told everything from there on. */
const goBack = (transaction: Queryable, endpointId: string, since: Date): Promise<number> =>
  transaction.run(sql`
    update minaret.webhook_endpoints e set begins_after = null, xid = least(e.xid, first.xid),
      number = case when first.xid <= e.xid then 0 else e.number end
    from changes.history cross join lateral (
      select log.xid from changes.log where log.at >= ${since} and log.xid >= history.since order by log.xid limit 1
    ) first
    where e.id = ${endpointId} and e.history = history.id`)

/** What the log does not have, or no longer, but we do. */
const repeatKept = (transaction: Queryable, endpointId: string, since: Date): Promise<number> =>
  transaction.run(sql`
    update minaret.webhook_deliveries set ${sentAgain}
    where endpoint_id = ${endpointId} and state in ('delivered', 'dead') and kind in ('change', 'person') and happened_at >= ${since}
      and (xid is null or xid < (select history.since from changes.history))`)

/** In order for each masjid, with the ids that they had, as far as we know them. */
export const replaySince = (database: Database, input: OfEndpoint & { since: Date }): Promise<void> =>
  replay(database, input, async transaction => {
    const { endpointId, since } = input
    await checkRoom(transaction, endpointId)
    await repeatKept(transaction, endpointId, since)
    await goBack(transaction, endpointId, since)
    return { since: since.toISOString() }
  })

/** When the first change was made that the log still has; undefined if it has none. */
export const firstLogged = async (queryable: Queryable): Promise<Date | undefined> =>
  (
    await queryable.first<{ at: Date }>(sql`
      select log.at from changes.history join changes.log on log.xid >= history.since order by log.xid limit 1`)
  )?.at
