-- Up Migration
-- pc_prayer_times says who leads a prayer and in which language the khutbah is, leaves out sessions that are not held, and has changes
-- stand above the timetables that were published before them.

alter table pc_iqamah_schedules add column layer bigint;
comment on column pc_iqamah_schedules.layer is E'@hidden\nWhere the rule stands among published timetables: above those of a lesser number. Null: below all of them.';

create or replace function change_as_rule(change pc_iqamah_changes) returns jsonb
language sql volatile set search_path from current as $$
  select jsonb_build_object('masjid_id', change.masjid_id, 'prayer', change.prayer, 'session', change.session,
    'rule', coalesce(change.rule, 'offset'), 'fixed_time', change.fixed_time,
    'offset_minutes', case when change.rule is null then 0 else change.offset_minutes end, 'round_to', change.round_to,
    'not_before', change.not_before, 'not_after', change.not_after, 'label', change.label,
    'khutbah_minutes', change.khutbah_minutes, 'imam', change.imam, 'language', change.language,
    'is_cancelled', change.rule is null, 'season', 'all_year', 'priority', 0, 'layer', nextval('timetable_layers'))
$$;

create or replace view pc_prayer_times as
select day.masjid_id, day.date, slot.prayer, slot.session, (slot.schedule).label,
  moment.adhan_at, moment.iqamah_at,
  moment.iqamah_at - make_interval(mins => (slot.schedule).khutbah_minutes) as khutbah_at,
  moment.adhan_at at time zone masjid.timezone as adhan_local,
  moment.iqamah_at at time zone masjid.timezone as iqamah_local,
  masjid.timezone, day.hijri_year, day.hijri_month, day.hijri_day, day.is_ramadan,
  case when moment.iqamah is not null then coalesce(moment.kind, 'uploaded')
    when (slot.schedule).id is null then 'calculated' else coalesce(slot.source_kind, 'manual') end as source,
  case when moment.iqamah is null then (slot.schedule).id end as schedule_id,
  case when moment.iqamah is null then (slot.schedule).source_id else moment.source_id end as source_id,
  case when moment.iqamah is null then slot.confidence else moment.confidence end as confidence,
  case when moment.iqamah is null then coalesce(slot.last_success_at, (slot.schedule).updated_at, day.updated_at)
    else moment.fresh_at end as source_updated_at,
  case when slot.prayer in ('maghrib', 'isha', 'taraweeh') then day.evening_hijri_year else day.hijri_year end as prayer_hijri_year,
  case when slot.prayer in ('maghrib', 'isha', 'taraweeh') then day.evening_hijri_month else day.hijri_month end as prayer_hijri_month,
  case when slot.prayer in ('maghrib', 'isha', 'taraweeh') then day.evening_hijri_day else day.hijri_day end as prayer_hijri_day,
  moment.timetable_id,
  (slot.schedule).imam, (slot.schedule).language,
  (moment.iqamah_at - make_interval(mins => (slot.schedule).khutbah_minutes)) at time zone masjid.timezone as khutbah_local
from pc_calculated_times day
join up_masjids masjid on masjid.id = day.masjid_id and masjid.deleted_at is null
cross join lateral (
  select distinct on (candidate.prayer, candidate.session) candidate.* from (
    select always.prayer, 1::smallint as session, null::pc_iqamah_schedules as schedule, -1 as priority, 0 as season_rank,
      null::pc_source_kind as source_kind, null::smallint as source_priority, null::numeric as confidence,
      null::timestamptz as last_success_at
    from (values ('fajr'::pc_prayer), ('dhuhr'), ('asr'), ('maghrib'), ('isha')) always(prayer)
    union all
    -- sessions that a timetable has and no rule
    select given.prayer, given.session, null, -1, 0, null, null, null, null
    from pc_timetable_days given
    where given.masjid_id = day.masjid_id and given.date = day.date and given.in_force
    union all
    select schedule.prayer, schedule.session, schedule, schedule.priority::integer, season_rank(schedule.season),
      source.kind, source.priority, source.confidence, source.last_success_at
    from pc_iqamah_schedules schedule
    left join pc_prayer_sources source on source.id = schedule.source_id
    where schedule.masjid_id = day.masjid_id and schedule.deleted_at is null and source.deleted_at is null
      and schedule.valid @> day.date
      and (schedule.weekdays is null or extract(isodow from day.date)::smallint = any (schedule.weekdays))
      and case schedule.prayer
        when 'jumuah' then extract(isodow from day.date) = 5
        when 'taraweeh' then day.is_taraweeh
        when 'eid_fitr' then day.hijri_month = 10 and day.hijri_day = 1
        when 'eid_adha' then day.hijri_month = 12 and day.hijri_day = 10
        else true end
      and (schedule.season = 'all_year' or is_in_season(schedule.season,
        case schedule.prayer when 'taraweeh' then day.is_taraweeh else day.is_ramadan end, day.date, masjid.timezone))
  ) candidate
  order by candidate.prayer, candidate.session, candidate.priority desc, candidate.season_rank desc,
    candidate.source_priority desc nulls first, (candidate.schedule).id
) slot
cross join lateral (
  -- "offset 0" keeps the planner from opening this up: each instant is then found once, not once for each column, and the outer
  -- joins inside do not keep it from dropping or reordering joins outside
  select adhan.adhan_at, uploaded.timetable_id, uploaded.source_id, uploaded.kind, uploaded.confidence,
    uploaded.fresh_at, uploaded.iqamah, case
    when uploaded.iqamah is not null
      then prayer_instant(day.date, uploaded.iqamah, slot.prayer in ('isha', 'taraweeh'), masjid.timezone)
    when (slot.schedule).id is null or (slot.schedule).is_cancelled then null
    when (slot.schedule).changes_on is not null
      then weekly_iqamah(slot.schedule, coalesce(adhan.adhan_at, day.sunrise), day.date, masjid.timezone)
    else iqamah_instant(slot.schedule, coalesce(adhan.adhan_at, day.sunrise), day.date, masjid.timezone) end as iqamah_at
  from (select) always
  left join lateral (
    select given.timetable_id, given.adhan, case when given.by_rule is null and ((slot.schedule).layer is null
        or (slot.schedule).layer < (select timetable.layer from pc_timetables timetable where timetable.id = given.timetable_id))
        then given.iqamah end as iqamah,
      followed.id as source_id, followed.kind, followed.confidence, coalesce(followed.last_success_at, given.updated_at) as fresh_at
    from pc_timetable_days given
    left join pc_prayer_sources followed on followed.id = given.source_id and followed.deleted_at is null
    where given.masjid_id = day.masjid_id and given.date = day.date and given.prayer = slot.prayer
      and given.session = slot.session and given.in_force
  ) uploaded on true
  cross join lateral (select case when uploaded.adhan is not null
    then prayer_instant(day.date, uploaded.adhan, slot.prayer in ('isha', 'taraweeh'), masjid.timezone)
    else case slot.prayer
      when 'fajr' then day.fajr when 'dhuhr' then day.dhuhr when 'asr' then day.asr when 'maghrib' then day.maghrib
      when 'isha' then day.isha when 'jumuah' then day.dhuhr when 'taraweeh' then day.isha end end as adhan_at) adhan
  offset 0
) moment
-- The five prayers of a day are held without an announced time too; other sessions that are not held are left out.
where (slot.schedule).is_cancelled is not true or moment.iqamah is not null
  or slot.prayer in ('fajr', 'dhuhr', 'asr', 'maghrib', 'isha');
comment on column pc_prayer_times.imam is 'Who leads the prayer and, at Jumu''ah and Eid, gives the khutbah; null: not announced.';
comment on column pc_prayer_times.language is 'The language of the khutbah, as a BCP 47 tag; null: not announced.';
comment on column pc_prayer_times.khutbah_local is 'khutbah_at on the clock of the masjid.';

-- Their bodies name the columns of the view, so they are read anew.
create or replace function pc_prayer_times_today(masjid_id uuid, at timestamptz default now()) returns setof pc_prayer_times
language sql stable parallel safe
begin atomic;
  select times.* from up_masjids masjid
  join pc_prayer_times times on times.masjid_id = masjid.id and times.date = ($2 at time zone masjid.timezone)::date
  where masjid.id = $1
  order by coalesce(times.iqamah_at, times.adhan_at), times.prayer, times.session;
end;

create or replace function pc_prayer_times_nearby(
  latitude double precision, longitude double precision, radius_km double precision default 10, at timestamptz default now()
) returns setof pc_prayer_times
language sql stable parallel safe
begin atomic;
  select times.* from up_masjids_nearby($1, $2, $3) masjid
  join pc_prayer_times times on times.masjid_id = masjid.id and times.date = ($4 at time zone masjid.timezone)::date
  order by up_masjids_distance_km(masjid, $1, $2), masjid.id, coalesce(times.iqamah_at, times.adhan_at), times.prayer,
    times.session;
end;

create or replace function pc_next_prayers_nearby(
  latitude double precision, longitude double precision, radius_km double precision default 10, at timestamptz default now()
) returns setof pc_prayer_times
language sql stable parallel safe
begin atomic;
  select next.* from up_masjids_nearby($1, $2, $3) masjid
  cross join lateral (
    select times.* from pc_prayer_times times
    -- yesterday too: its Isha may still be to come
    where times.masjid_id = masjid.id
      and times.date between ($4 at time zone masjid.timezone)::date - 1 and ($4 at time zone masjid.timezone)::date + 1
      and coalesce(times.iqamah_at, times.adhan_at) > $4
    order by coalesce(times.iqamah_at, times.adhan_at), times.prayer, times.session
    limit 1
  ) next
  order by up_masjids_distance_km(masjid, $1, $2), masjid.id;
end;

select pin_search_paths();
