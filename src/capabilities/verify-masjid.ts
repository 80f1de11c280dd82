// Whether administrators have checked a masjid. The database's own function decides who may say so.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import { Fault } from '../base/fault.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { actAs } from './act-as.ts'

export const verifications = ['unverified', 'pending', 'verified', 'disputed'] as const
export type Verification = (typeof verifications)[number]

const forbidden = (): Fault =>
  new Fault({ code: 'forbidden', status: 403, message: 'Masjids are verified by administrators of the service.' })

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

export interface VerifyInput {
  readonly masjidId: string
  readonly verification: Verification
  readonly actor: Actor & { readonly userId: string }
}

/** @returns whether there is such a masjid */
export const verifyMasjid = (database: Database, { masjidId, verification, actor }: VerifyInput): Promise<boolean> =>
  database
    .transaction(async transaction => {
      await actAs(transaction, actor.userId)
      const row = await transaction.first<{ id: string | null }>(sql`
        select (public.up_verify_masjid(${masjidId}::uuid, ${verification}::public.up_verification)).id as id`)
      if ((row?.id ?? null) === null) return false
      const detail = { masjid_id: masjidId, verification }
      await recordAudit(transaction, { action: 'masjid.verification_changed', actor, detail })
      return true
    })
    .catch(error => {
      throw codeOf(error) === 'MN003' ? forbidden() : error
    })
