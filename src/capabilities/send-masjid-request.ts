// Sending a request about a masjid, which anybody with an account may do; and withdrawing it.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { findListed, type MasjidDetails, type MasjidRequest } from './masjid-requests.ts'
import { tellReviewers } from './tell-reviewers.ts'

export interface NewRequest {
  readonly actor: Actor & { readonly userId: string }
  readonly baseUrl: string
  readonly words: string
  /** One of the two: a listed masjid, or the details of a new one. */
  readonly masjidId?: string
  readonly details?: MasjidDetails
}

export type RequestRefusal = 'tooMany' | 'already' | 'notThere'

const refusalOf = (error: unknown): RequestRefusal => {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  if (constraint === 'masjid_requests_limit_check') return 'tooMany'
  if (constraint === 'masjid_requests_claim_key') return 'already'
  throw error
}

/** With its id. */
const store = async (transaction: Queryable, { actor, words, masjidId, details }: NewRequest): Promise<string> => {
  const kind = masjidId === undefined ? 'register' : 'claim'
  const row = await transaction.first<{ id: string }>(sql`
    insert into minaret.masjid_requests (kind, user_id, masjid_id, details, words)
    values (${kind}, ${actor.userId}, ${masjidId ?? null}, ${JSON.stringify(details ?? {})}::jsonb, ${words})
    returning id`)
  const detail = masjidId === undefined ? { name: details?.name } : { masjid_id: masjidId }
  await recordAudit(transaction, { action: `masjid.${kind}_asked`, actor, detail })
  return row?.id ?? ''
}

/** @returns why it was not taken, or undefined. */
export const requestMasjid = (database: Database, input: NewRequest): Promise<RequestRefusal | undefined> =>
  database
    .transaction(async transaction => {
      const { masjidId } = input
      if (masjidId !== undefined && (await findListed(transaction, masjidId)) === undefined) return 'notThere' as const
      await tellReviewers(transaction, await store(transaction, input), input.baseUrl)
      return undefined
    })
    .catch(refusalOf)

export interface Withdrawal {
  readonly id: string
  readonly actor: Actor & { readonly userId: string }
}

/** Only the person who asked, as long as nobody decided. @returns whether there was anything to withdraw. */
export const withdrawRequest = (database: Database, { id, actor }: Withdrawal): Promise<boolean> =>
  database.transaction(async transaction => {
    const withdrawn = await transaction.first<{ kind: MasjidRequest['kind']; masjidId: string | null }>(sql`
      update minaret.masjid_requests set state = 'withdrawn', decided_at = now(), decided_by = user_id
      where id = ${id} and user_id = ${actor.userId} and state = 'pending' returning kind, masjid_id as "masjidId"`)
    if (withdrawn === undefined) return false
    const detail = { masjid_id: withdrawn.masjidId }
    await recordAudit(transaction, { action: `masjid.${withdrawn.kind}_withdrawn`, actor, detail })
    return true
  })
