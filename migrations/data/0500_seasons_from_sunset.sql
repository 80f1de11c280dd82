-- Up Migration
-- A hijri day begins at sunset: Maghrib, Isha and Taraweeh follow the rules of the hijri date of their evening, all else those of the
-- morning. One function decides which rules hold on a day, for pc_prayer_times and for changes of a prayer alike.

-- Of a day that is not calculated yet (null), Ramadan is not assumed, and that Taraweeh or Eid are held is. It reads what is_in_season reads.
create function rule_holds(
  prayer pc_prayer, season pc_season, weekdays smallint[], date date, ramadan boolean, ramadan_evening boolean,
  hijri_month smallint, hijri_day smallint, timezone text
) returns boolean
language sql stable parallel safe
begin atomic;
  select (weekdays is null or extract(isodow from date)::smallint = any (weekdays))
    and coalesce(case prayer
      when 'jumuah' then extract(isodow from date) = 5
      when 'taraweeh' then ramadan_evening
      when 'eid_fitr' then hijri_month = 10 and hijri_day = 1
      when 'eid_adha' then hijri_month = 12 and hijri_day = 10
      else true end, true)
    and (season = 'all_year' or is_in_season(season,
      coalesce(case when prayer in ('maghrib', 'isha', 'taraweeh') then ramadan_evening else ramadan end, prayer = 'taraweeh'),
      date, timezone));
end;
comment on function rule_holds is E'@reads\nWhether a rule holds on a day, by its prayer, weekdays and season.';

-- As before, but for the one condition.
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
      and rule_holds(schedule.prayer, schedule.season, schedule.weekdays, day.date, day.is_ramadan, day.is_taraweeh,
        day.hijri_month, day.hijri_day, masjid.timezone)
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

create or replace function rule_in_force(masjid uuid, at_prayer pc_prayer, at_session smallint, on_day date) returns pc_iqamah_schedules
language sql stable set search_path from current as $$
  select schedule from pc_iqamah_schedules schedule
  join up_masjids place on place.id = schedule.masjid_id
  left join pc_prayer_sources source on source.id = schedule.source_id
  left join pc_calculated_times day on day.masjid_id = schedule.masjid_id and day.date = on_day
  where schedule.masjid_id = masjid and schedule.prayer = at_prayer and schedule.session = at_session
    and schedule.deleted_at is null and source.deleted_at is null and schedule.valid @> on_day
    and rule_holds(schedule.prayer, schedule.season, schedule.weekdays, on_day, day.is_ramadan, day.is_taraweeh,
      day.hijri_month, day.hijri_day, place.timezone)
  order by schedule.priority desc, season_rank(schedule.season) desc, source.priority desc nulls first, schedule.id
  limit 1
$$;

comment on column pc_calculated_times.is_taraweeh is
  'Whether the evening is in Ramadan and Taraweeh is prayed: the night belongs to the next day. Rules for Ramadan hold for Maghrib and Isha of these evenings.';
