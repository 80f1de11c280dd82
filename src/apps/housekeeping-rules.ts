// Retention rules: every table that would grow forever, with the rows that are no longer needed. Logs: `src/audit/keep-logs.ts`.
import { type Sql, sql } from '../db/sql.ts'

export interface HousekeepingRule {
  /** `minaret`, unless it is said. */
  readonly schema?: 'minaret' | 'public'
  readonly table: string
  /** The rows to delete. */
  readonly past: Sql
  /** What they are set to instead of being deleted. */
  readonly becomes?: Sql
  /** Runs every minute; the others hourly, since they scan more rows than they delete. */
  readonly often?: true
}

/**
 * Thirty days after the owner of an account that was taken back has answered, what they have not kept is gone. Without
 * an answer nothing is.
 */
const notKept = (suspended: Sql): Sql => sql`exists (
  select from minaret.account_acts act join minaret.take_backs back on back.id = act.take_back_id
  where ${suspended} and back.answered_at < now() - interval '30 days')`

/** Suspended when an account was taken back: it may resume, however late its owner answers. */
const isSuspended = (table: string): Sql => sql`exists (
  select from minaret.account_acts act
  where act.table_name = ${`minaret.${table}`} and act.take_back_id is not null and act.key = jsonb_build_object('id', t.id))`

/** An account was taken back, and its owner has yet to say what of the 30 days before was theirs. */
const isAskedAbout = (account: Sql, moment: Sql): Sql => sql`exists (
  select from minaret.take_backs back where back.answered_at is null and back.because = 'link'
    and ${moment} between back.at - interval '30 days' and back.at and ${account})`

const signInAskedAbout = isAskedAbout(sql`back.user_id = t.user_id`, sql`t.created_at`)

/**
 * Referencing rows before referenced ones. A used code is kept for a day after it expires, and a used refresh
 * token until it would have expired, so that a replay is still detected.
 */
export const housekeepingRules: readonly HousekeepingRule[] = [
  { table: 'authorization_codes', often: true, past: sql`expires_at < now() - interval '1 day'` },
  { table: 'authorization_requests', often: true, past: sql`expires_at < now() - interval '1 hour'` },
  { table: 'change_handles', often: true, past: sql`expires_at < now() - interval '1 hour'` },
  { table: 'device_codes', often: true, past: sql`expires_at < now() - interval '1 day'` },
  {
    table: 'apps',
    past: sql`host is not null and updated_at < now() - interval '30 days'
      and not exists (select from minaret.consents c where c.app_id = t.id)`,
  },
  { table: 'logout_notices', past: sql`created_at < now() - interval '4 days'` },
  { table: 'refresh_tokens', past: sql`least(idle_expires_at, expires_at) < now() - interval '1 day'` },
  {
    table: 'grants',
    past: sql`created_at < now() - interval '1 day' and not ${isSuspended('grants')}
      and not exists (select from minaret.refresh_tokens r where r.grant_id = t.id)
      and not exists (select from minaret.authorization_codes c where c.grant_id = t.id)`,
  },
  { table: 'grants', past: sql`revoked_at < now() - interval '30 days' and not ${isSuspended('grants')}` },
  { table: 'used_token_ids', often: true, past: sql`expires_at < now()` },
  { table: 'counts', often: true, past: sql`ends_at < now()` },
  { table: 'revocations', often: true, past: sql`expires_at < now() - interval '1 minute'` },
  // For a month they can be named as the last sign-in before somebody else came.
  {
    table: 'sessions',
    past: sql`expires_at < now() - interval '1 day' and created_at < now() - interval '30 days' and not ${signInAskedAbout}`,
  },
  { table: 'sessions', past: sql`ended_at < now() - interval '30 days' and not ${signInAskedAbout}` },
  { table: 'data_exports', often: true, past: sql`expires_at < now()` },
  { table: 'sign_in_challenges', often: true, past: sql`expires_at < now()` },
  { table: 'used_passkey_challenges', often: true, past: sql`expires_at < now()` },
  { table: 'totp_factors', past: sql`confirmed_at is null and pending_at < now() - interval '1 day'` },
  { table: 'devices', past: sql`last_seen_at < now() - interval '400 days'` },
  { table: 'app_invitations', past: sql`expires_at < now() - interval '30 days'` },
  { table: 'mail_tokens', past: sql`expires_at < now() - interval '1 day'` },
  { table: 'email_changes', past: sql`undo_expires_at < now() - interval '30 days'` },
  {
    table: 'images',
    past: sql`asked_at < now() - interval '1 day'
      and not exists (select from minaret.apps where logo = t.address and deleted_at is null)
      and not exists (select from minaret.app_changes where proposed ->> 'logo' = t.address and state = 'pending')
      and not exists (select from minaret.screens where settings ->> 'logo' = t.address)
      and not exists (select from minaret.users where picture = t.address)`,
  },
  { table: 'outbox', past: sql`created_at < now() - interval '30 days'` },
  { table: 'signing_keys', past: sql`state = 'retired' and expires_at < now()` },
  { table: 'app_secrets', past: sql`revoked_at < now() - interval '180 days' and not ${isSuspended('app_secrets')}` },
  {
    table: 'api_keys',
    past: sql`least(revoked_at, expires_at) < now() - interval '180 days' and not ${isSuspended('api_keys')}`,
  },
  { table: 'usage_minutes', often: true, past: sql`minute < now() - interval '25 hours'` },
  // Two months, so that one can be compared with the one before.
  { table: 'usage_hours', past: sql`hour < now() - interval '61 days'` },
  { table: 'app_drafts', past: sql`updated_at < now() - interval '180 days'` },
  { table: 'usage_errors', past: sql`hour < now() - interval '31 days'` },
  { table: 'tailed_requests', often: true, past: sql`at < now() - interval '15 minutes'` },
  { table: 'app_tails', often: true, past: sql`until < now()` },
  { table: 'usage_queries', past: sql`at < now() - interval '30 days'` },
  {
    table: 'usage_queries',
    past: sql`id in (select id from (select id, row_number() over (partition by app_id, outcome
        order by case when outcome = 'slow' then milliseconds end desc nulls last, at desc) as place
      from minaret.usage_queries) as ranked where place > 50)`,
  },
  {
    table: 'webhook_endpoints',
    // An app that somebody else deleted comes back, with its webhooks.
    past: sql`exists (select from minaret.apps where id = t.app_id and deleted_at is not null)
      and not exists (select from minaret.account_acts act
        where act.table_name = 'minaret.apps' and act.key = jsonb_build_object('id', t.app_id))`,
  },
  {
    table: 'webhook_endpoints',
    past: notKept(
      sql`act.table_name = 'minaret.webhook_endpoints' and act.act = 'added' and act.key = jsonb_build_object('id', t.id)`,
    ),
  },
  { table: 'account_acts', past: notKept(sql`act.id = t.id`) },
  {
    table: 'account_acts',
    past: sql`take_back_id is null and at < now() - interval '60 days' and not ${isAskedAbout(
      sql`t.id in (select id from minaret.acts_since(back.user_id, back.at - interval '30 days'))`,
      sql`t.at`,
    )}`,
  },
  {
    table: 'take_backs',
    past: sql`at < now() - interval '60 days' and answered_at is not null
      and not exists (select from minaret.account_acts act where act.take_back_id = t.id)`,
  },
  { table: 'webhook_ids', past: sql`used_at < now() - interval '30 days'` },
  { table: 'webhook_secrets', past: sql`expires_at < now()` },
  { table: 'webhook_deliveries', past: sql`ended_at < now() - interval '7 days' and state <> 'dead'` },
  { table: 'webhook_deliveries', past: sql`ended_at < now() - interval '30 days'` },
  {
    table: 'webhook_deliveries',
    past: sql`id in (select id from (select id, row_number() over (partition by endpoint_id order by sequence desc) as place
      from minaret.webhook_deliveries where ended_at is not null) as ranked where place > 5000)`,
  },
  { schema: 'public', table: 'guest_answers', often: true, past: sql`expires_at < now()` },
  // The place stays taken, so that the counts of what is over do not change.
  {
    schema: 'public',
    table: 'up_event_rsvps',
    past: sql`guest_email not like '%@guest.invalid' and exists (select from public.up_event_occurrences occurrence
      where occurrence.id = t.occurrence_id and occurrence.ends_at < now() - interval '90 days')`,
    becomes: sql`guest_name = '–', guest_email = id || '@guest.invalid'`,
  },
  { schema: 'public', table: 'idempotent_requests', past: sql`created_at < now() - interval '24 hours'` },
]
