// Apps → how each is doing: credentials, their use, requests and errors of two days, webhooks.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { AppSigns } from './next-steps.ts'

const none: AppSigns = {
  changeWaits: false,
  tried: false,
  hasCredential: false,
  answered: false,
  unusedSecret: false,
  failingWebhook: false,
  requests: 0,
  errors: 0,
  requestsBefore: 0,
  errorsBefore: 0,
}

export type SignsOf = (appId: string) => AppSigns

export const readSigns = async (database: Queryable, appIds: readonly string[]): Promise<SignsOf> => {
  const rows = await database.query<AppSigns & { readonly id: string }>(sql`
    select a.id,
      exists (select from minaret.app_changes c where c.app_id = a.id and c.state = 'pending') as "changeWaits",
      exists (select from minaret.api_keys k where k.app_id = a.id and k.environment = 'test' and k.last_used_at is not null)
        or exists (select from minaret.apps d join minaret.grants g on g.app_id = d.id where d.development_of = a.id)
        or exists (select from minaret.apps d join minaret.app_secrets s on s.app_id = d.id
          where d.development_of = a.id and s.last_used_at is not null) as tried,
      a.jwks is not null or a.jwks_uri is not null
        or exists (select from minaret.app_secrets s where s.app_id = a.id and s.revoked_at is null)
        or exists (select from minaret.api_keys k where k.app_id = a.id and k.environment = 'live' and k.revoked_at is null)
        as "hasCredential",
      exists (select from minaret.usage_hours u where u.app_id = a.id and u.requests > u.errors) as answered,
      exists (select from minaret.app_secrets s where s.app_id = a.id and s.revoked_at is null and s.last_used_at is null
        and s.created_at < now() - interval '1 day') as "unusedSecret",
      exists (select from minaret.webhook_endpoints w where w.app_id = a.id
        and (w.failing_since is not null or w.disabled_because = 'failing')) as "failingWebhook",
      used.*
    from minaret.apps a cross join lateral (
      select coalesce(sum(requests) filter (where hour >= now() - interval '1 day'), 0)::float8 as requests,
        coalesce(sum(errors) filter (where hour >= now() - interval '1 day'), 0)::float8 as errors,
        coalesce(sum(requests) filter (where hour < now() - interval '1 day'), 0)::float8 as "requestsBefore",
        coalesce(sum(errors) filter (where hour < now() - interval '1 day'), 0)::float8 as "errorsBefore"
      from minaret.usage_hours u where u.app_id = a.id and hour >= now() - interval '2 days') as used
    where a.id = any(${appIds}::uuid[])`)
  const signs = new Map(rows.map(row => [row.id, row]))
  return appId => signs.get(appId) ?? none
}
