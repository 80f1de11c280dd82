// What a masjid received in a period, less what was taken back: by fund, currency and month.
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface GivingTotal {
  readonly fund: string
  readonly currency: string
  /** 1 to 12, on the masjid's calendar. */
  readonly month: number
  readonly gifts: number
  readonly minor: number
}

export interface Period {
  readonly masjidId: string
  readonly timezone: string
  readonly from: Date
  readonly to: Date
}

/** For those who look after giving at the masjid: the caller has checked that. */
export const readGivingTotals = (database: Database, period: Period): Promise<GivingTotal[]> =>
  database.query<GivingTotal>(sql`
    select fund::text, currency, extract(month from public.local_time(received_at, zone.clock))::integer as month,
      (count(*) filter (where reverses_donation_id is null))::integer as gifts,
      sum(amount_minor - refunded_minor)::float8 as minor
    from public.ua_donations join public.zone_offsets zone on zone.zone = ${period.timezone}
    where masjid_id = ${period.masjidId} and deleted_at is null and status in ('succeeded', 'refunded')
      and received_at >= ${period.from} and received_at < ${period.to}
    group by 1, 2, 3 order by 2, 1, 3`)

/** The currency that the masjid used last. */
export const usualCurrency = async (database: Database, masjidId: string): Promise<string | undefined> => {
  const row = await database.first<{ currency: string }>(sql`
    select currency from (
      (select currency, created_at from public.ua_donations where masjid_id = ${masjidId} order by received_at desc nulls last limit 1)
      union all
      (select currency, created_at from public.ua_campaigns where masjid_id = ${masjidId} order by starts_on desc limit 1)
    ) used order by created_at desc limit 1`)
  return row?.currency
}
