// Iqamah rules and resolved times for a test.
import type { Queryable } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'

export interface TestRule {
  readonly prayer: string
  readonly session?: number
  readonly rule: 'fixed' | 'offset' | 'rounded_offset'
  readonly fixed_time?: string | null
  readonly offset_minutes?: number | null
  readonly round_to?: number | null
  readonly not_before?: string | null
  readonly not_after?: string | null
  readonly season?: string
  readonly weekdays?: readonly number[] | null
  readonly valid?: string
  readonly priority?: number
  readonly khutbah_minutes?: number | null
  readonly source_id?: string | null
  readonly label?: string
}

/** Returns the rule's id; undefined if it overlaps another rule of the same priority. */
export const insertRule = async (database: Queryable, masjid: string, rule: TestRule): Promise<string | undefined> => {
  const row = await database.first<{ id: string }>(sql`
    insert into pc_iqamah_schedules (masjid_id, source_id, prayer, session, rule, fixed_time, offset_minutes, round_to,
      not_before, not_after, season, weekdays, valid, priority, khutbah_minutes, label)
    values (${masjid}, ${rule.source_id ?? null}, ${rule.prayer}, ${rule.session ?? 1}, ${rule.rule},
      ${rule.fixed_time ?? null}, ${rule.offset_minutes ?? null}, ${rule.round_to ?? null}, ${rule.not_before ?? null},
      ${rule.not_after ?? null}, ${rule.season ?? 'all_year'}, ${rule.weekdays ?? null}, ${rule.valid ?? '(,)'},
      ${rule.priority ?? 0}, ${rule.khutbah_minutes ?? null}, ${rule.label ?? null})
    on conflict do nothing returning id`)
  return row?.id
}

export interface ResolvedTime {
  readonly date: string
  readonly prayer: string
  readonly session: number
  readonly adhan_at: Date | null
  readonly iqamah_at: Date | null
  readonly khutbah_at: Date | null
  /** `2026-03-08 13:30:00`, in the masjid's local time. */
  readonly adhan_local: string | null
  readonly iqamah_local: string | null
  readonly source: string
  readonly schedule_id: string | null
  readonly source_updated_at: Date
  readonly confidence: string | null
  readonly is_ramadan: boolean
}

export const resolvedTimes = (
  database: Queryable,
  masjid: string,
  from: string,
  until = from,
): Promise<ResolvedTime[]> =>
  database.query<ResolvedTime>(sql`
    select date, prayer, session, adhan_at, iqamah_at, khutbah_at, adhan_local::text, iqamah_local::text, source,
      schedule_id, source_updated_at, confidence, is_ramadan
    from pc_prayer_times where masjid_id = ${masjid} and date between ${from} and ${until}
    order by date, prayer, session`)
