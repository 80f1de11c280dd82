// Sign-outs that apps have yet to be told of: claimed, done, tried again, given up.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { pauseAfter } from '../../webhooks/retries.ts'
import type { SigningAlgorithm } from '../signing-keys/signing-key.ts'

export interface LogoutNotice {
  readonly id: string
  readonly appId: string
  readonly clientId: string
  readonly algorithm: SigningAlgorithm
  readonly uri: string
  readonly userId: string
  readonly sid: string | null
  readonly attempts: number
}

/** Longer than an attempt may take: a process that is killed leaves the rest to others. */
const CLAIM_SECONDS = 60

/** One of each app at most, and none of those that are busy: apps that hang do not hold up the others. */
export const claimNotices = async (
  queryable: Queryable,
  most: number,
  busy: readonly string[] = [],
): Promise<LogoutNotice[]> =>
  queryable.query<LogoutNotice>(sql`
    update minaret.logout_notices notice
    set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${CLAIM_SECONDS})
    from minaret.apps app
    where app.id = notice.app_id and notice.id = any (array(
      select due.id
      from (select distinct app_id from minaret.logout_notices where next_attempt_at <= now()) waiting
        join minaret.apps receiver on receiver.id = waiting.app_id
        cross join lateral (
          select id, next_attempt_at from minaret.logout_notices
          where app_id = waiting.app_id and next_attempt_at <= now()
          order by next_attempt_at limit 1 for update skip locked) due
      where receiver.backchannel_logout_uri is not null and not receiver.id = any (${busy}::uuid[])
        and receiver.state = 'approved' and receiver.deleted_at is null and not minaret.is_held(receiver.owner_id)
      order by due.next_attempt_at limit ${most}))
    returning notice.id, app.id as "appId", app.client_id as "clientId", app.id_token_alg as algorithm,
      app.backchannel_logout_uri as uri, notice.user_id as "userId", notice.sid, notice.attempts`)

export const finishNotice = (queryable: Queryable, id: string): Promise<number> =>
  queryable.run(sql`delete from minaret.logout_notices where id = ${id}`)

/** An app that does not answer is left alone for a while, with everything that waits for it. False if that was the last try. */
export const postponeNotice = async (queryable: Queryable, { id, appId, attempts }: LogoutNotice): Promise<boolean> => {
  const pause = pauseAfter(attempts)
  if (pause === undefined) {
    await finishNotice(queryable, id)
    return false
  }
  await queryable.run(sql`
    update minaret.logout_notices
    set next_attempt_at = greatest(next_attempt_at, now() + make_interval(secs => ${pause / 1000}))
    where app_id = ${appId}`)
  return true
}
