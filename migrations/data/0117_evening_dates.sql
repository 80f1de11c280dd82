-- Up Migration
-- The evening belongs to the hijri day that follows: fields that say so, beside those of the day.

alter table pc_calculated_times
  add column evening_hijri_year smallint check (evening_hijri_year between 1300 and 1700),
  add column evening_hijri_month smallint check (evening_hijri_month between 1 and 12),
  add column evening_hijri_day smallint check (evening_hijri_day between 1 and 30);
comment on column pc_calculated_times.evening_hijri_year is 'Year of the hijri date that begins at Maghrib of the day; null until the day is calculated anew.';
comment on column pc_calculated_times.evening_hijri_month is 'Month of the hijri date that begins at Maghrib of the day.';
comment on column pc_calculated_times.evening_hijri_day is 'Day of the hijri date that begins at Maghrib of the day.';

-- As before, with three columns at the end.
create or replace view pc_prayer_times as
select day.masjid_id, day.date, slot.prayer, slot.session, (slot.schedule).label,
  moment.adhan_at, moment.iqamah_at,
  moment.iqamah_at - make_interval(mins => (slot.schedule).khutbah_minutes) as khutbah_at,
  moment.adhan_at at time zone masjid.timezone as adhan_local,
  moment.iqamah_at at time zone masjid.timezone as iqamah_local,
  masjid.timezone, day.hijri_year, day.hijri_month, day.hijri_day, day.is_ramadan,
  case when (slot.schedule).id is null then 'calculated' else coalesce(slot.source_kind, 'manual') end as source,
  (slot.schedule).id as schedule_id, (slot.schedule).source_id as source_id, slot.confidence,
  coalesce(slot.last_success_at, (slot.schedule).updated_at, day.updated_at) as source_updated_at,
  case when slot.prayer in ('maghrib', 'isha', 'taraweeh') then day.evening_hijri_year else day.hijri_year end as prayer_hijri_year,
  case when slot.prayer in ('maghrib', 'isha', 'taraweeh') then day.evening_hijri_month else day.hijri_month end as prayer_hijri_month,
  case when slot.prayer in ('maghrib', 'isha', 'taraweeh') then day.evening_hijri_day else day.hijri_day end as prayer_hijri_day
from pc_calculated_times day
join up_masjids masjid on masjid.id = day.masjid_id and masjid.deleted_at is null
cross join lateral (
  select distinct on (candidate.prayer, candidate.session) candidate.* from (
    select always.prayer, 1::smallint as session, null::pc_iqamah_schedules as schedule, -1 as priority, 0 as season_rank,
      null::pc_source_kind as source_kind, null::smallint as source_priority, null::numeric as confidence,
      null::timestamptz as last_success_at
    from (values ('fajr'::pc_prayer), ('dhuhr'), ('asr'), ('maghrib'), ('isha')) always(prayer)
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
  -- "offset 0" keeps the planner from opening this up: each instant is then found once, not once for each column
  select adhan.adhan_at, case when (slot.schedule).id is not null
    then iqamah_instant(slot.schedule, coalesce(adhan.adhan_at, day.sunrise), day.date, masjid.timezone) end as iqamah_at
  from (select case slot.prayer
    when 'fajr' then day.fajr when 'dhuhr' then day.dhuhr when 'asr' then day.asr when 'maghrib' then day.maghrib
    when 'isha' then day.isha when 'jumuah' then day.dhuhr when 'taraweeh' then day.isha end as adhan_at) adhan
  offset 0
) moment;


comment on column pc_prayer_times.prayer_hijri_year is 'Year of the hijri date the prayer belongs to: from Maghrib on, that of the next day.';
comment on column pc_prayer_times.prayer_hijri_month is 'Month of the hijri date the prayer belongs to: from Maghrib on, that of the next day.';
comment on column pc_prayer_times.prayer_hijri_day is 'Day of the hijri date the prayer belongs to: from Maghrib on, that of the next day.';

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
