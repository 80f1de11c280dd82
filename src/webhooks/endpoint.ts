// Rows of minaret.webhook_endpoints → endpoints as the rest of the code sees them.
import type { KeyEnvironment } from '../access/api-key-format.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'

type DisabledBecause = 'owner' | 'gone' | 'failing'

/** What the owner of an app chooses. */
export interface EndpointValues {
  readonly url: string
  readonly description: string
  /** Names in the API. */
  readonly tables: readonly string[]
  /** Null: every masjid that the app reaches. */
  readonly masjids: readonly string[] | null
  /** Its result is sent with every change; null: only what changed. */
  readonly query: string | null
}

export interface WebhookEndpoint extends EndpointValues {
  readonly id: string
  readonly appId: string
  /** `live`: the data. `test`: the sandbox. */
  readonly environment: KeyEnvironment
  readonly state: 'enabled' | 'disabled'
  readonly disabledBecause: DisabledBecause | null
  readonly createdAt: Date
  readonly failingSince: Date | null
  readonly lastSuccessAt: Date | null
}

/** For a statement that has the table as `e`. */
export const endpointColumns: Sql = sql`
  e.id, e.app_id as "appId", e.environment, e.url, e.description, e.tables, e.masjids::text[] as masjids, e.query, e.state,
  e.disabled_because as "disabledBecause", e.created_at as "createdAt", e.failing_since as "failingSince",
  e.last_success_at as "lastSuccessAt"`

export const listEndpoints = (queryable: Queryable, appId: string): Promise<WebhookEndpoint[]> =>
  queryable.query<WebhookEndpoint>(
    sql`select ${endpointColumns} from minaret.webhook_endpoints e where e.app_id = ${appId} order by e.created_at, e.id`,
  )

/** Of that app only: another app's endpoint looks like one that does not exist. */
export const findEndpoint = (
  queryable: Queryable,
  { appId, endpointId }: { readonly appId: string; readonly endpointId: string },
): Promise<WebhookEndpoint | undefined> =>
  queryable.first<WebhookEndpoint>(sql`
    select ${endpointColumns} from minaret.webhook_endpoints e where e.app_id = ${appId} and e.id::text = ${endpointId}`)
