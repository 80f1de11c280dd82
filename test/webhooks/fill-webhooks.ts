// Endpoints in every state, with deliveries that nobody sends: for pages.
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { makeEndpoint } from './use-webhooks.ts'

const tries = JSON.stringify([
  { at: '2026-11-16T18:04:11Z', milliseconds: 15_000, status: null, reason: 'too_slow', excerpt: '' },
  {
    at: '2026-11-16T18:09:11Z',
    milliseconds: 85,
    status: 500,
    reason: null,
    excerpt: '<h1>Internal Server Error</h1>',
  },
])

const body = JSON.stringify({
  type: 'up_events.updated',
  timestamp: '2026-11-16T18:04:10.000Z',
  data: { table: 'up_events', masjid_id: '32000000-0000-4000-8000-000000000001', key: null, kind: 'update' },
})

/** Disabled, so that the service does not try to reach them. */
export const fillWebhooks = async (database: Database, appId: string) => {
  const url = 'https://hooks.example.org/minaret/a-rather-long-path-that-has-to-wrap-on-a-phone'
  const query = 'query ($id: uuid!) { up_events_by_pk(id: $id) { title starts_local } }'
  const tables = ['up_events', 'up_masjids', 'ua_members']
  const { endpointId } = await makeEndpoint(database, { url, appId, tables, query, environment: 'test' })
  const { endpointId: disabledId } = await makeEndpoint(database, { url: 'https://old.example.org/', appId })
  for (const state of ['delivered', 'dead', 'waiting', 'withheld'])
    await database.run(sql`
      insert into minaret.webhook_deliveries (endpoint_id, kind, table_name, change, state, attempts, tries, body, ended_at, next_attempt_at)
      select id, 'change', 'sandbox.up_events', 'update', ${state}, 2, ${tries}::jsonb, ${body},
        case when ${state} <> 'waiting' then now() end, now() + interval '1 day'
      from minaret.webhook_endpoints where app_id = ${appId}`)
  await database.run(sql`
    update minaret.webhook_endpoints set state = 'disabled', disabled_because = 'failing' where id = ${disabledId}`)
  const delivery = await database.first<{ id: string }>(sql`
    select id from minaret.webhook_deliveries where endpoint_id = ${endpointId} and state = 'dead'`)
  return { endpointId, disabledId, deliveryId: String(delivery?.id) }
}
