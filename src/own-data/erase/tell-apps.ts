// An account that is erased → a message to the webhooks of every app that knew the person, with the subject it knew.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { WEBHOOKS_CHANNEL } from '../../webhooks/start-webhooks.ts'

export const tellApps = async (transaction: Queryable, userId: string): Promise<void> => {
  await transaction.run(sql`
    with told as (
      update minaret.webhook_endpoints set due_at = least(due_at, now())
      where environment = 'live' and state = 'enabled'
        and app_id in (select app_id from minaret.consents where user_id = ${userId})
      returning id
    )
    insert into minaret.webhook_deliveries (endpoint_id, kind, key)
    select id, 'person', jsonb_build_object('sub', ${userId}::text) from told`)
  await transaction.run(sql`select pg_notify(${WEBHOOKS_CHANNEL}, '')`)
}
