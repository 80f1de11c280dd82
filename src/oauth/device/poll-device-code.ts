// One question of a device → what became of its request. A single statement, decided by the row as it is once locked: of many
// concurrent polls exactly one gets the tokens.
import type { Scope } from '../../access/scopes.ts'
import type { Queryable } from '../../db/database.ts'
import { prepared, sql } from '../../db/sql.ts'
import { DEVICE_SLOWER_SECONDS, REFRESH_REPEAT_SECONDS, SCREEN_IDLE_SECONDS } from '../lifetimes.ts'

export interface DevicePoll {
  readonly codeHash: Buffer
  readonly appId: string
  /** Of the refresh token that the code is exchanged for. */
  readonly tokenHash: Buffer
  /** The key that it will be bound to. */
  readonly thumbprint: string | undefined
}

export type PollOutcome = 'tokens' | 'pending' | 'too_fast' | 'denied' | 'expired' | 'revoked' | 'used' | 'replayed'

export interface PolledCode {
  readonly outcome: PollOutcome
  readonly grantId: string | null
  /** Null if the grant is a masjid's. */
  readonly userId: string | null
  readonly scopes: readonly Scope[]
  readonly authenticatedAt: Date | null
  readonly amr: readonly string[] | null
}

/**
 * RFC 8628 section 3.5: only a device that must still wait can ask too often; an answer is never held back. A grant that this
 * statement's snapshot does not show yet is there at the next poll.
 */
const outcome = sql`
  case when code.state = 'used'
      then case when code.used_at > now() - make_interval(secs => ${REFRESH_REPEAT_SECONDS}) then 'used' else 'replayed' end
    when code.expires_at <= now() then 'expired'
    when code.state = 'denied' then 'denied'
    when grants.revoked_at is not null then 'revoked'
    when grants.id is not null then 'tokens'
    when code.polled_at > now() - make_interval(secs => code.interval_seconds) then 'too_fast'
    else 'pending' end`

/** Undefined if the code is unknown, or of another client. */
export const pollDeviceCode = (database: Queryable, poll: DevicePoll): Promise<PolledCode | undefined> =>
  database.first<PolledCode>(
    prepared(
      'oauth_poll_device_code',
      sql`
      with code as (
        select * from minaret.device_codes where device_code_hash = ${poll.codeHash} and app_id = ${poll.appId} for update
      ), found as (
        select code.id, code.app_id, code.grant_id, code.scopes, grants.user_id, grants.auth_time, grants.amr, ${outcome} as outcome
        from code left join minaret.grants on grants.id = code.grant_id
      ), polled as (
        update minaret.device_codes as code set polled_at = now(),
          interval_seconds = least(600, code.interval_seconds
            + case when found.outcome = 'too_fast' then ${DEVICE_SLOWER_SECONDS}::int else 0 end),
          state = case when found.outcome = 'tokens' then 'used' else code.state end,
          used_at = case when found.outcome = 'tokens' then now() else code.used_at end
        from found where code.id = found.id
        returning found.*
      ), stored as (
        insert into minaret.refresh_tokens (token_hash, grant_id, app_id, scopes, dpop_jkt, idle_expires_at, expires_at)
        select ${poll.tokenHash}, grant_id, app_id, polled.scopes, ${poll.thumbprint ?? null},
          now() + make_interval(secs => case when user_id is null then ${SCREEN_IDLE_SECONDS}::int else apps.refresh_idle_seconds end),
          case when user_id is null then 'infinity' else now() + make_interval(secs => apps.refresh_total_seconds) end
        from polled join minaret.apps on apps.id = polled.app_id where outcome = 'tokens'
      )
      select outcome, grant_id as "grantId", user_id as "userId", scopes, auth_time as "authenticatedAt", amr from polled`,
    ),
  )
