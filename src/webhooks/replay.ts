// Deliveries that ended → sent again, with the same webhook-id and what the app may read by then.

import { recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { OfEndpoint } from './change-endpoint.ts'
import { webhookRefused } from './faults.ts'
import { WEBHOOKS_CHANNEL } from './start-webhooks.ts'

/** What was withheld has lost its content, and a test is sent anew by its button. */
const repeat = (transaction: Queryable, endpointId: string, which: Sql): Promise<number> =>
  transaction.run(sql`
    update minaret.webhook_deliveries set state = 'waiting', attempts = 0, first_attempt_at = null, ended_at = null,
      next_attempt_at = now()
    where endpoint_id = ${endpointId} and state in ('delivered', 'dead') and kind <> 'test' and ${which}`)

const replay = (database: Database, input: OfEndpoint, which: Sql): Promise<number> =>
  database.transaction(async transaction => {
    const { appId, actor, endpointId } = input
    const found = await transaction.run(sql`
      update minaret.webhook_endpoints set due_at = least(due_at, now())
      where app_id = ${appId} and id = ${endpointId} and state = 'enabled'`)
    if (found === 0) throw webhookRefused('Enable the endpoint first.')
    const many = await repeat(transaction, endpointId, which)
    const detail = { endpoint_id: endpointId, deliveries: many }
    await recordAudit(transaction, { action: 'webhook.replayed', actor, appId, detail })
    await transaction.run(sql`select pg_notify(${WEBHOOKS_CHANNEL}, '')`)
    return many
  })

export const replayOne = (database: Database, input: OfEndpoint & { deliveryId: string }): Promise<number> =>
  replay(database, input, sql`id = ${input.deliveryId}`)

/** @returns how many; those that are no longer kept are not among them. */
export const replaySince = (database: Database, input: OfEndpoint & { since: Date }): Promise<number> =>
  replay(database, input, sql`happened_at >= ${input.since}`)
