// A member → how they agreed, as the masjid recorded it, newest first.
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export const consentWays = ['paper', 'in_person', 'online', 'email', 'phone', 'other'] as const
export type ConsentWay = (typeof consentWays)[number]

export interface ConsentRecord {
  /** Null if sharing was not asked about. */
  readonly apiSharing: boolean | null
  readonly givenOn: string
  readonly givenHow: ConsentWay
  readonly evidence: string
  readonly recordedAt: Date
}

const MOST_SHOWN = 20

export const findConsentRecords = (
  database: Database,
  { masjidId, memberId }: { readonly masjidId: string; readonly memberId: string },
): Promise<ConsentRecord[]> =>
  database.query<ConsentRecord>(sql`
    select api_sharing as "apiSharing", given_on::text as "givenOn", given_how as "givenHow", evidence,
      recorded_at as "recordedAt"
    from public.consent_records where masjid_id = ${masjidId} and member_id = ${memberId}
    order by id desc limit ${MOST_SHOWN}`)
