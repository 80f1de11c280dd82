// Endpoints for tests, through the same code as the console; and what the database knows about their deliveries.
import type { Scope } from '../../src/access/scopes.ts'
import type { MasjidChoice } from '../../src/apps/masjids.ts'
import { commandActor } from '../../src/audit/record-audit.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { createEndpoint } from '../../src/webhooks/change-endpoint.ts'
import type { EndpointValues } from '../../src/webhooks/endpoint.ts'
import { sealingSecret } from '../../src/webhooks/secrets.ts'
import { makeApp } from '../support/apps.ts'
import { insertMasjid } from '../support/masjids.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'

export const PATIENCE_MS = 30_000

export interface EndpointWishes extends Partial<EndpointValues> {
  readonly url: string
  readonly appId?: string
  readonly environment?: 'live' | 'test'
  readonly scopes?: readonly Scope[]
  readonly reach?: MasjidChoice
}

export interface MadeEndpoint {
  readonly appId: string
  readonly endpointId: string
  readonly secret: string
}

export const makeEndpoint = async (database: Database, wishes: EndpointWishes): Promise<MadeEndpoint> => {
  const scopes = wishes.scopes ?? ['masjid:read', 'events:read']
  const appId = wishes.appId ?? (await makeApp(database, { scopes, ...(wishes.reach && { masjids: wishes.reach }) })).id
  const { url, tables = ['up_events'], masjids = null, query = null } = wishes
  const { id, secret } = await createEndpoint(database, {
    appId,
    actor: commandActor,
    environment: wishes.environment ?? 'live',
    values: { url, description: '', tables, masjids, query },
    sealing: sealingSecret([TEST_SECRET]),
  })
  return { appId, endpointId: id, secret }
}

export interface StoredDelivery {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly attempts: number
  readonly key: unknown
  readonly body: string | null
  readonly tries: readonly {
    readonly status: number | null
    readonly reason: string | null
    readonly excerpt: string
  }[]
  readonly seconds: number
}

export const deliveriesOf = (database: Database, endpointId: string): Promise<StoredDelivery[]> =>
  database.query<StoredDelivery>(sql`
    select id, kind, state, attempts, key, body, tries, extract(epoch from next_attempt_at - now())::float8 as seconds
    from minaret.webhook_deliveries where endpoint_id = ${endpointId} order by sequence`)

/** As if the pause after a failure, and the lease of a process that died, had passed. */
export const letTimePass = async (database: Database, endpointId: string): Promise<void> => {
  await database.run(sql`
    update minaret.webhook_deliveries set next_attempt_at = now() where endpoint_id = ${endpointId} and state = 'waiting'`)
  await database.run(sql`
    update minaret.webhook_endpoints set due_at = now(), leased_until = '-infinity', lease = null where id = ${endpointId}`)
  await database.run(sql`select pg_notify('minaret_webhooks', '')`)
}

export const untilStates = async (database: Database, endpointId: string, states: readonly string[]) => {
  const current = async () => (await deliveriesOf(database, endpointId)).map(({ state }) => state)
  await within(PATIENCE_MS, `deliveries are ${states}`, async () => String(await current()) === String(states)).catch(
    async error => {
      throw new Error(`${error.message}; they are ${await current()}`)
    },
  )
  return deliveriesOf(database, endpointId)
}

export const stateOf = (database: Database, endpointId: string) =>
  database.first<{ state: string; because: string | null; failing: boolean }>(sql`
    select state, disabled_because as because, failing_since is not null as failing
    from minaret.webhook_endpoints where id = ${endpointId}`)

/** Until the service has looked through the change log up to now: what an endpoint of its own would be told by then, others were too. */
export const untilPlanned = async (database: Database): Promise<void> => {
  const { endpointId } = await makeEndpoint(database, { url: 'https://nobody.invalid/', tables: ['up_masjids'] })
  await insertMasjid(database)
  await within(PATIENCE_MS, 'the log was read', async () => (await deliveriesOf(database, endpointId)).length > 0)
  await database.run(sql`delete from minaret.webhook_endpoints where id = ${endpointId}`)
}
