// A reviewer's decision about a pending app: approved, perhaps with fewer scopes, or rejected with a reason.
import type { Claim } from '../access/claims.ts'
import { type Scope, sortScopes } from '../access/scopes.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import { randomBase62 } from '../base/secrets.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { explainDatabaseFault, registrationRefused, scopeRefused, stateRefused } from './faults.ts'
import { mailOwner } from './mail-owner.ts'
import { everyMasjidNoneOwn, type MasjidChoice, setMasjids } from './masjids.ts'

export interface ApproveInput {
  readonly appId: string
  readonly actor: Actor
  /** Defaults to every requested scope. */
  readonly scopes?: readonly Scope[] | undefined
  /** What userinfo may show it without `openid`: everything, where none are named. */
  readonly plainClaims?: readonly Claim[] | undefined
  readonly masjids?: MasjidChoice | undefined
  readonly words?: string | undefined
  /** The revision the reviewer saw; a later edit must not be approved unseen. */
  readonly revision?: number | undefined
  /** For the link in the owner's mail. */
  readonly baseUrl?: string | undefined
}

const alreadyDecided = (): Error =>
  stateRefused('The app is not waiting for this decision any more: it was decided, edited or withdrawn meanwhile.')

const checkScopes = async (transaction: Queryable, { appId, scopes }: ApproveInput): Promise<void> => {
  if (scopes === undefined) return
  if (scopes.length === 0) throw scopeRefused('Grant at least one scope, or reject the app.')
  const row = await transaction.first<{ beyond: string[] }>(sql`
    select array(select unnest(${scopes}::text[]) except select unnest(requested_scopes)) as beyond
    from minaret.apps where id = ${appId}`)
  const beyond = row?.beyond ?? []
  if (beyond.length > 0) throw scopeRefused(`The app did not ask for: ${beyond.join(', ')}.`)
}

/** One conditional update: of two concurrent reviewers, exactly one decides. */
const moveToApproved = async (transaction: Queryable, input: ApproveInput): Promise<string> => {
  const { appId, actor, scopes, words, revision } = input
  const row = await transaction.first<{ client_id: string }>(sql`
    update minaret.apps set state = 'approved', approved_at = now(),
      client_id = coalesce(client_id, ${`app_${randomBase62(24)}`}),
      scopes = coalesce(${scopes === undefined ? null : sortScopes(scopes)}::text[], requested_scopes),
      plain_claims = coalesce(${input.plainClaims ?? null}::text[], plain_claims),
      reviewer_words = ${words}, moved_by = ${actor.userId}, moved_because = ${words}
    where id = ${appId} and state = 'pending' and deleted_at is null
      and revision = coalesce(${revision}, revision)
    returning client_id`)
  if (row === undefined) throw alreadyDecided()
  return row.client_id
}

/** @returns the client_id */
export const approveApp = (database: Database, input: ApproveInput): Promise<string> =>
  database
    .transaction(async transaction => {
      await checkScopes(transaction, input)
      const clientId = await moveToApproved(transaction, input)
      const { appId, actor, masjids = everyMasjidNoneOwn } = input
      await setMasjids(transaction, { appId, actor, choice: masjids })
      const detail = {
        scopes: input.scopes,
        plain_claims: input.plainClaims,
        masjids: masjids.only,
        own_masjids: masjids.own,
        words: input.words,
      }
      await recordAudit(transaction, { action: 'app.approved', actor: input.actor, appId: input.appId, detail })
      await mailOwner(transaction, { ...input, decision: 'approved' })
      return clientId
    })
    .catch(explainDatabaseFault)

export interface RejectInput {
  readonly appId: string
  readonly actor: Actor
  readonly reason: string
  readonly revision?: number | undefined
  /** For the link in the owner's mail. */
  readonly baseUrl?: string | undefined
}

export const rejectApp = (
  database: Database,
  { appId, actor, reason, revision, baseUrl }: RejectInput,
): Promise<void> =>
  database
    .transaction(async transaction => {
      if (reason.trim() === '') throw registrationRefused('Give the owner a reason.')
      const moved = await transaction.run(sql`
        update minaret.apps set state = 'rejected', reviewer_words = ${reason.trim()},
          moved_by = ${actor.userId}, moved_because = ${reason.trim()}
        where id = ${appId} and state = 'pending' and deleted_at is null
          and revision = coalesce(${revision}, revision)`)
      if (moved === 0) throw alreadyDecided()
      await recordAudit(transaction, { action: 'app.rejected', actor, appId, detail: { reason: reason.trim() } })
      await mailOwner(transaction, { appId, decision: 'rejected', words: reason.trim(), baseUrl })
    })
    .catch(explainDatabaseFault)
