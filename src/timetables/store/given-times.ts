// What people pray by, over a stretch of days: which published timetables give it, and what holds where none does.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

type Prayer = 'fajr' | 'dhuhr' | 'asr' | 'maghrib' | 'isha' | 'jumuah' | 'taraweeh' | 'eid_fitr' | 'eid_adha'

interface Slot {
  readonly prayer: Prayer
  readonly session: number
}

/** A prayer of a published timetable, and the first and last day on which people pray by it. */
export interface GivenTimes extends Slot {
  readonly id: string
  readonly name: string
  readonly publishedAt: Date
  readonly first: string
  readonly last: string
}

/** From a day on, in the order in which they begin. */
export const readGivenTimes = (queryable: Queryable, masjidId: string, since: string): Promise<GivenTimes[]> =>
  queryable.query<GivenTimes>(sql`
    select timetable.id, timetable.name, timetable.published_at as "publishedAt", day.prayer, day.session,
      min(day.date) as first, max(day.date) as last
    from public.days_given_by_timetables(${masjidId}, ${since}) day
    join public.pc_timetables timetable on timetable.id = day.timetable_id
    group by timetable.id, day.prayer, day.session order by min(day.date), timetable.layer, day.prayer, day.session`)

export type NamedTimetable = Pick<GivenTimes, 'id' | 'name' | 'publishedAt'>

export const nameTimetables = (queryable: Queryable, ids: readonly string[]): Promise<NamedTimetable[]> =>
  queryable.query<NamedTimetable>(sql`
    select id, name, published_at as "publishedAt" from public.pc_timetables where id = any (${ids}::uuid[])
    order by first_date, layer`)

/** What gives a prayer's iqamah: a timetable, a rule, or nothing. */
export interface Holding extends Slot {
  readonly timetable: string | null
  readonly hasRule: boolean
  /** Null: the session is not held. */
  readonly rule: 'fixed' | 'offset' | 'rounded_offset' | null
  readonly fixed_time: string | null
  readonly offset_minutes: number | null
  readonly round_to: number | null
  readonly first: string
  readonly last: string
}

export interface DaysOfMasjid {
  readonly masjidId: string
  readonly from: string
  readonly to: string
}

/** As far as times are calculated. */
export const readHoldings = (queryable: Queryable, { masjidId, from, to }: DaysOfMasjid): Promise<Holding[]> =>
  queryable.query<Holding>(sql`
    select times.prayer, times.session, timetable.name as timetable, schedule.id is not null as "hasRule",
      case when not schedule.is_cancelled then schedule.rule end as rule, schedule.fixed_time::text, schedule.offset_minutes,
      schedule.round_to, min(times.date) as first, max(times.date) as last
    from public.pc_prayer_times times
    left join public.pc_iqamah_schedules schedule on schedule.id = times.schedule_id
    left join public.pc_timetables timetable
      on timetable.id = times.timetable_id and times.schedule_id is null and times.iqamah_at is not null
    where times.masjid_id = ${masjidId} and times.date between ${from} and ${to}
    group by 1, 2, timetable.id, 3, 4, 5, 6, 7, 8 order by 1, 2, min(times.date)`)

/** What became of the times of a published timetable. */
export interface TimesInForce {
  readonly id: string
  readonly all: number
  readonly newer: number
  readonly rules: number
  readonly changes: number
  /** The first day and the prayers of those that later changes replaced. */
  readonly changedFrom: string | null
  readonly changedPrayers: readonly Prayer[] | null
}

export const readTimesInForce = (queryable: Queryable, masjidId: string): Promise<TimesInForce[]> =>
  queryable.query<TimesInForce>(sql`
    select id, count(*)::integer as all, count(*) filter (where lost_to = 'newer')::integer as newer,
      count(*) filter (where lost_to = 'rules')::integer as rules, count(*) filter (where lost_to = 'changes')::integer as changes,
      min(date) filter (where lost_to = 'changes') as "changedFrom",
      array_agg(distinct prayer order by prayer) filter (where lost_to = 'changes')::text[] as "changedPrayers"
    from (
      select day.timetable_id as id, day.date, day.prayer, case
        when day.by_rule is not null then 'rules' when not day.in_force then 'newer'
        when day.iqamah is not null and given.id is null then 'changes' end as lost_to
      from public.pc_timetable_days day
      join public.pc_timetables timetable on timetable.id = day.timetable_id and timetable.state = 'published'
      left join public.days_given_by_timetables(${masjidId}, '-infinity') given on given.id = day.id
      where day.masjid_id = ${masjidId}
    ) listed group by id`)
