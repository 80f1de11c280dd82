// An endpoint with everything that sending to it needs, read in one statement: what its app may read now, and its secrets.

import { type AppReachRow, appReachColumns } from '../access/app-reach.ts'
import type { Grant } from '../access/grant.ts'
import type { SealingSecrets } from '../base/secrets.ts'
import { type Sql, sql } from '../db/sql.ts'
import { grantOf } from './app-grant.ts'
import { endpointColumns, type WebhookEndpoint } from './endpoint.ts'
import { openSecret } from './secrets.ts'

export interface Target {
  readonly endpoint: WebhookEndpoint
  readonly grant: Grant
  /** The newest first. */
  readonly secrets: readonly Buffer[]
}

export interface TargetRow extends WebhookEndpoint {
  readonly app: AppReachRow
  /** In base64. */
  readonly sealed: readonly string[] | null
}

/** For a statement that has the endpoint as `e` and its app as `a`. */
export const targetColumns: Sql = sql`
  ${endpointColumns}, (select row_to_json(reach) from (select ${appReachColumns}) reach) as app,
  (select array_agg(encode(s.sealed, 'base64') order by s.created_at desc) from minaret.webhook_secrets s
    where s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > now())) as sealed`

/** @throws if the installation's secret is another one than when the secrets were made. */
export const toTarget = ({ app, sealed, ...endpoint }: TargetRow, sealing: SealingSecrets): Target => ({
  endpoint,
  grant: grantOf(app, endpoint.environment),
  secrets: (sealed ?? []).map(text => openSecret(text, endpoint.id, sealing)),
})
