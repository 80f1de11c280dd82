// Masjids and whether administrators have checked them. The database's own function decides who may say so.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import { Fault } from '../base/fault.ts'
import { contains } from '../base/like.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { actAs } from './act-as.ts'

export const verifications = ['unverified', 'pending', 'verified', 'disputed'] as const
export type Verification = (typeof verifications)[number]

export interface ListedMasjid {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly city: string
  readonly country: string
  readonly verification: Verification
  readonly verifiedAt: Date | null
}

export interface FoundMasjids {
  readonly masjids: readonly ListedMasjid[]
  readonly total: number
}

export const MASJIDS_PER_PAGE = 25

/** Those that nobody has checked come first. */
export const listMasjids = async (
  queryable: Queryable,
  { words, verification, page }: { words: string; verification: Verification | undefined; page: number },
): Promise<FoundMasjids> => {
  const pattern = contains(words)
  const rows = await queryable.query<ListedMasjid & { total: string }>(sql`
    select id, slug, name, city, country, verification, verified_at as "verifiedAt", count(*) over () as total
    from public.up_masjids
    where deleted_at is null and (${words} = '' or name ilike ${pattern} or city ilike ${pattern} or slug = ${words})
      and verification::text = coalesce(${verification}, verification::text)
    order by verification = 'verified', name, id limit ${MASJIDS_PER_PAGE} offset ${(page - 1) * MASJIDS_PER_PAGE}`)
  return { masjids: rows, total: Number(rows[0]?.total ?? 0) }
}

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
