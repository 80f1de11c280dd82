-- Up Migration
-- Calculated times and iqamah rules → pc_prayer_times: what people pray by.

alter table pc_iqamah_schedules add column khutbah_minutes smallint check (khutbah_minutes between 0 and 120);
alter table pc_iqamah_schedules add constraint pc_iqamah_schedules_khutbah_check
  check (khutbah_minutes is null or prayer = 'jumuah');
comment on column pc_iqamah_schedules.khutbah_minutes is 'Jumu''ah: how many minutes before the iqamah the khutbah begins.';

-- RFC 5545 section 3.3.5: a local time that occurs twice means its first occurrence, and one that clocks skip is read with
-- the offset from before the gap. PostgreSQL does the latter by itself, but takes the second occurrence.
create function local_instant(local timestamp, timezone text) returns timestamptz
language plpgsql immutable parallel safe as $$
declare
  usual constant timestamptz := local at time zone timezone;
  -- the offset of a few hours earlier: no zone changes its clocks by more
  before constant timestamptz := usual - interval '3 hours';
  first constant timestamptz := (local - ((before at time zone timezone) - (before at time zone 'UTC'))) at time zone 'UTC';
begin
  if first at time zone timezone = local then
    return first;
  end if;
  return usual;
end
$$;
comment on function local_instant is 'The instant of a local time in a zone, right on the days that clocks change.';

-- The night belongs to the day before it: an Isha at 00:30 is meant for the night that follows the day.
create function prayer_instant(date date, clock time, at_night boolean, timezone text) returns timestamptz
language plpgsql immutable parallel safe set search_path from current as $$
begin
  return local_instant(date + case when at_night and clock < time '12:00' then 1 else 0 end + clock, timezone);
end
$$;
comment on function prayer_instant is 'The instant of a clock time on a prayer day; at night, times before noon are those of the next morning.';

-- Rounded up in steps counted from local midnight. What is added are minutes that pass, so that the day clocks change is no exception.
create function rounded_up(instant timestamptz, step smallint, timezone text) returns timestamptz
language plpgsql immutable parallel safe as $$
declare
  minutes constant integer := extract(epoch from (instant at time zone timezone)::time)::integer / 60;
begin
  return instant + make_interval(mins => (step - minutes % step) % step);
end
$$;
comment on function rounded_up is 'An instant, rounded up to the next step of minutes on the local clock.';

-- A fixed time is what the masjid announces, even before the adhan (Isha joined to Maghrib). All other rules follow the
-- adhan, and no bound makes them precede it.
create function iqamah_instant(
  schedule pc_iqamah_schedules, adhan timestamptz, date date, timezone text
) returns timestamptz
language plpgsql immutable parallel safe set search_path from current as $$
declare
  at_night constant boolean := (schedule).prayer in ('isha', 'taraweeh');
  iqamah timestamptz := adhan + make_interval(mins => (schedule).offset_minutes);
begin
  if (schedule).rule = 'fixed' then
    return prayer_instant(date, (schedule).fixed_time, at_night, timezone);
  end if;
  if (schedule).rule = 'rounded_offset' then
    iqamah := rounded_up(iqamah, (schedule).round_to, timezone);
  end if;
  if iqamah is null then
    return null;
  end if;
  if (schedule).not_before is not null then
    iqamah := greatest(iqamah, prayer_instant(date, (schedule).not_before, at_night, timezone));
  end if;
  if (schedule).not_after is not null then
    iqamah := least(iqamah, prayer_instant(date, (schedule).not_after, at_night, timezone));
  end if;
  return greatest(iqamah, adhan);
end
$$;
comment on function iqamah_instant is E'@hidden\nThe iqamah that a rule gives for an adhan on a prayer day.';

create function is_in_season(season pc_season, ramadan boolean, date date, timezone text) returns boolean
language plpgsql stable parallel safe set search_path from current as $$
begin
  return case season
    when 'all_year' then true
    when 'ramadan' then ramadan
    when 'outside_ramadan' then not ramadan
    when 'daylight_time' then is_daylight_time(date, timezone)
    when 'standard_time' then not is_daylight_time(date, timezone)
  end;
end
$$;
comment on function is_in_season is 'Whether a season of rules holds on a day.';

-- The more a season says, the stronger: at the same priority Ramadan's rule wins over the one of all year.
create function season_rank(season pc_season) returns integer
language sql immutable parallel safe
begin atomic;
  select case season when 'ramadan' then 3 when 'outside_ramadan' then 1 when 'all_year' then 0 else 2 end;
end;
comment on function season_rank is 'Which of two rules of the same priority wins: the one with the narrower season.';

-- For each masjid and day: the five prayers, always; and every session that a rule in force adds. Everything hangs on one
-- row of pc_calculated_times, so that a filter on masjid and date is a look into its index and never a scan.
create view pc_prayer_times as
select day.masjid_id, day.date, slot.prayer, slot.session, (slot.schedule).label,
  moment.adhan_at, moment.iqamah_at,
  moment.iqamah_at - make_interval(mins => (slot.schedule).khutbah_minutes) as khutbah_at,
  moment.adhan_at at time zone masjid.timezone as adhan_local,
  moment.iqamah_at at time zone masjid.timezone as iqamah_local,
  masjid.timezone, day.hijri_year, day.hijri_month, day.hijri_day, day.is_ramadan,
  case when (slot.schedule).id is null then 'calculated' else coalesce(slot.source_kind, 'manual') end as source,
  (slot.schedule).id as schedule_id, (slot.schedule).source_id as source_id, slot.confidence,
  coalesce(slot.last_success_at, (slot.schedule).updated_at, day.updated_at) as source_updated_at
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

comment on view pc_prayer_times is E'@scope prayer-times:read\n@key masjid_id, date, prayer, session\n@foreign_key (masjid_id) references up_masjids (id)\nThe times people pray by: adhan and iqamah of each masjid, day, prayer and session, and where they come from.';
comment on column pc_prayer_times.masjid_id is 'The masjid.';
comment on column pc_prayer_times.date is 'The prayer day, in the masjid''s time zone; Isha may fall after its midnight.';
comment on column pc_prayer_times.prayer is 'The prayer.';
comment on column pc_prayer_times.session is 'Which congregation of the prayer, where there are several (first and second Jumu''ah).';
comment on column pc_prayer_times.label is 'What the session is called.';
comment on column pc_prayer_times.adhan_at is 'When the prayer''s time begins, as calculated; null for Eid, and where the sun gives no such time.';
comment on column pc_prayer_times.iqamah_at is 'When the congregation prays, by the masjid''s own rule; null where the masjid gave none.';
comment on column pc_prayer_times.khutbah_at is 'Jumu''ah: when the khutbah begins.';
comment on column pc_prayer_times.adhan_local is 'adhan_at on the clock of the masjid.';
comment on column pc_prayer_times.iqamah_local is 'iqamah_at on the clock of the masjid.';
comment on column pc_prayer_times.timezone is 'The masjid''s time zone.';
comment on column pc_prayer_times.hijri_year is 'Year of the hijri date by the masjid''s own decision.';
comment on column pc_prayer_times.hijri_month is 'Month of the hijri date, 1 (Muharram) to 12 (Dhu al-Hijjah).';
comment on column pc_prayer_times.hijri_day is 'Day of the hijri date.';
comment on column pc_prayer_times.is_ramadan is 'Whether the day is in Ramadan.';
comment on column pc_prayer_times.source is 'Where the iqamah comes from; calculated: there is none, and the adhan alone stands.';
comment on column pc_prayer_times.schedule_id is 'The rule that gave the iqamah.';
comment on column pc_prayer_times.source_id is 'The source that the rule was taken from.';
comment on column pc_prayer_times.confidence is 'How sure that source''s times are, from 0 to 1.';
comment on column pc_prayer_times.source_updated_at is 'How fresh: when the source last gave times, or else the rule or the calculation last changed.';

create function pc_prayer_times_today(masjid_id uuid, at timestamptz default now()) returns setof pc_prayer_times
language sql stable parallel safe
begin atomic;
  select times.* from up_masjids masjid
  join pc_prayer_times times on times.masjid_id = masjid.id and times.date = ($2 at time zone masjid.timezone)::date
  where masjid.id = $1
  order by coalesce(times.iqamah_at, times.adhan_at), times.prayer, times.session;
end;
comment on function pc_prayer_times_today is 'A masjid''s times of the day it is there now (or at the moment given), in the order they come.';

create function pc_prayer_times_nearby(
  latitude double precision, longitude double precision, radius_km double precision default 10, at timestamptz default now()
) returns setof pc_prayer_times
language sql stable parallel safe
begin atomic;
  select times.* from up_masjids_nearby($1, $2, $3) masjid
  join pc_prayer_times times on times.masjid_id = masjid.id and times.date = ($4 at time zone masjid.timezone)::date
  order by up_masjids_distance_km(masjid, $1, $2), masjid.id, coalesce(times.iqamah_at, times.adhan_at), times.prayer,
    times.session;
end;
comment on function pc_prayer_times_nearby is 'Today''s times of the masjids within a radius (in kilometres, 10 unless told) of a place, nearest first.';

create function pc_next_prayers_nearby(
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
comment on function pc_next_prayers_nearby is 'The next prayer at each masjid within a radius (in kilometres, 10 unless told) of a place, nearest masjid first: by iqamah, or by adhan where no iqamah is known.';
