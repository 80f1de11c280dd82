-- Up Migration
-- Whatever converts between instants and local times uses the offsets of zone_offsets.

create function prayer_instant(date date, local time, at_night boolean, clock zone_clock) returns timestamptz
language sql immutable parallel safe
begin atomic;
  select local_instant(date + case when at_night and local < time '12:00' then 1 else 0 end + local, clock);
end;
comment on function prayer_instant(date, time, boolean, zone_clock) is 'The instant of a clock time on a prayer day; at night, times before noon are those of the next morning.';

create or replace function prayer_instant(date date, clock time, at_night boolean, timezone text) returns timestamptz
language sql stable parallel safe
begin atomic;
  select prayer_instant($1, $2, $3, clock_of($4));
end;
comment on function prayer_instant(date, time, boolean, text) is E'@reads zone_offsets\nThe instant of a clock time on a prayer day; at night, times before noon are those of the next morning.';

create function rounded_up(instant timestamptz, step smallint, clock zone_clock) returns timestamptz
language sql stable parallel safe
begin atomic;
  select instant + make_interval(mins => (step - extract(epoch from local_time(instant, clock)::time)::integer / 60 % step) % step);
end;
comment on function rounded_up(timestamptz, smallint, zone_clock) is E'@reads\nAn instant, rounded up to the next step of minutes on the local clock.';

create function iqamah_instant(schedule pc_iqamah_schedules, adhan timestamptz, date date, clock zone_clock) returns timestamptz
language sql stable parallel safe
begin atomic;
  select case
    when (schedule).rule = 'fixed' then prayer_instant(date, (schedule).fixed_time, (schedule).prayer in ('isha', 'taraweeh'), clock)
    when adhan is null then null
    -- bounds that are not set (null) are left out
    else greatest(adhan, least(greatest(
        case when (schedule).rule = 'rounded_offset'
          then rounded_up(adhan + make_interval(mins => (schedule).offset_minutes), (schedule).round_to, clock)
          else adhan + make_interval(mins => (schedule).offset_minutes) end,
        prayer_instant(date, (schedule).not_before, (schedule).prayer in ('isha', 'taraweeh'), clock)),
      prayer_instant(date, (schedule).not_after, (schedule).prayer in ('isha', 'taraweeh'), clock))) end;
end;
comment on function iqamah_instant(pc_iqamah_schedules, timestamptz, date, zone_clock) is E'@hidden\n@reads\nThe iqamah that a rule gives for an adhan on a prayer day.';

create function is_daylight_time(date date, clock zone_clock) returns boolean
language sql immutable parallel safe
begin atomic;
  -- at noon, since clocks change at night; compared with the lesser offset of January and July, for both hemispheres
  select (clock).seconds[width_bucket(date + time '12:00', (clock).since_local)] > least(
    (clock).seconds[width_bucket(make_date(extract(year from date)::integer, 1, 1) + time '12:00', (clock).since_local)],
    (clock).seconds[width_bucket(make_date(extract(year from date)::integer, 7, 1) + time '12:00', (clock).since_local)]);
end;
comment on function is_daylight_time(date, zone_clock) is 'Whether a clock is ahead of standard time on a day.';

create function is_in_season(season pc_season, ramadan boolean, date date, clock zone_clock) returns boolean
language sql immutable parallel safe
begin atomic;
  select case season
    when 'all_year' then true
    when 'ramadan' then ramadan
    when 'outside_ramadan' then not ramadan
    when 'daylight_time' then is_daylight_time(date, clock)
    when 'standard_time' then not is_daylight_time(date, clock) end;
end;
comment on function is_in_season(pc_season, boolean, date, zone_clock) is 'Whether a season of rules holds on a day.';

create function rule_holds(
  prayer pc_prayer, season pc_season, weekdays smallint[], date date, ramadan boolean, ramadan_evening boolean,
  hijri_month smallint, hijri_day smallint, clock zone_clock
) returns boolean
language sql immutable parallel safe
begin atomic;
  select (weekdays is null or extract(isodow from date)::smallint = any (weekdays))
    and coalesce(case prayer
      when 'jumuah' then extract(isodow from date) = 5
      when 'taraweeh' then ramadan_evening
      when 'eid_fitr' then hijri_month = 10 and hijri_day = 1
      when 'eid_adha' then hijri_month = 12 and hijri_day = 10
      else true end, true)
    and is_in_season(season,
      coalesce(case when prayer in ('maghrib', 'isha', 'taraweeh') then ramadan_evening else ramadan end, prayer = 'taraweeh'),
      date, clock);
end;
comment on function rule_holds(pc_prayer, pc_season, smallint[], date, boolean, boolean, smallint, smallint, zone_clock) is
  'Whether a rule holds on a day, by its prayer, weekdays and season.';

-- As before, with the offsets of the masjid's zone.
create or replace view pc_prayer_times as
select day.masjid_id, day.date, slot.prayer, slot.session, (slot.schedule).label,
  moment.adhan_at, moment.iqamah_at,
  moment.iqamah_at - make_interval(mins => (slot.schedule).khutbah_minutes) as khutbah_at,
  local_time(moment.adhan_at, zone.clock) as adhan_local,
  local_time(moment.iqamah_at, zone.clock) as iqamah_local,
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
  local_time(moment.iqamah_at - make_interval(mins => (slot.schedule).khutbah_minutes), zone.clock) as khutbah_local
from pc_calculated_times day
join up_masjids masjid on masjid.id = day.masjid_id and masjid.deleted_at is null
-- once for each day, and no table more for the planner to order
cross join lateral (select (select known.clock from zone_offsets known where known.zone = masjid.timezone) as clock offset 0) zone
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
        day.hijri_month, day.hijri_day, zone.clock)
  ) candidate
  order by candidate.prayer, candidate.session, candidate.priority desc, candidate.season_rank desc,
    candidate.source_priority desc nulls first, (candidate.schedule).id
) slot
cross join lateral (
  -- "offset 0" keeps the planner from opening this up: each instant is then found once, not once for each column
  select given.*, case
    when given.iqamah is not null then prayer_instant(day.date, given.iqamah, slot.prayer in ('isha', 'taraweeh'), zone.clock)
    when (slot.schedule).id is null or (slot.schedule).is_cancelled then null
    when (slot.schedule).changes_on is not null
      then weekly_iqamah(slot.schedule, given.follows, day.date, masjid.timezone)
    else iqamah_instant(slot.schedule, given.follows, day.date, zone.clock) end as iqamah_at
  from (
    -- here too, so that the functions above are given values, and the outer joins do not keep the planner from dropping or reordering
    -- joins outside
    select adhan.adhan_at, coalesce(adhan.adhan_at, day.sunrise) as follows, uploaded.timetable_id, uploaded.source_id, uploaded.kind,
      uploaded.confidence, uploaded.fresh_at, uploaded.iqamah
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
      then prayer_instant(day.date, uploaded.adhan, slot.prayer in ('isha', 'taraweeh'), zone.clock)
      else case slot.prayer
        when 'fajr' then day.fajr when 'dhuhr' then day.dhuhr when 'asr' then day.asr when 'maghrib' then day.maghrib
        when 'isha' then day.isha when 'jumuah' then day.dhuhr when 'taraweeh' then day.isha end end as adhan_at) adhan
    offset 0
  ) given
  offset 0
) moment
-- The five prayers of a day are held without an announced time too; other sessions that are not held are left out.
where (slot.schedule).is_cancelled is not true or moment.iqamah is not null
  or slot.prayer in ('fajr', 'dhuhr', 'asr', 'maghrib', 'isha');


create or replace function weekly_iqamah(
  schedule pc_iqamah_schedules, adhan timestamptz, date date, timezone text
) returns timestamptz
language plpgsql stable parallel safe security definer set search_path from current as $$
#variable_conflict use_variable
declare
  changed_on constant date := date - (extract(isodow from date)::integer - (schedule).changes_on + 7) % 7;
  at_night constant boolean := (schedule).prayer in ('isha', 'taraweeh');
  clock constant zone_clock := clock_of(timezone);
  adhan_then timestamptz := adhan;
begin
  if changed_on <> date then
    select coalesce(prayer_instant(changed_on, uploaded.adhan, at_night, clock), case (schedule).prayer
      when 'fajr' then day.fajr when 'dhuhr' then day.dhuhr when 'jumuah' then day.dhuhr when 'asr' then day.asr
      when 'maghrib' then day.maghrib when 'isha' then day.isha when 'taraweeh' then day.isha else day.sunrise end, adhan)
    into adhan_then
    from pc_calculated_times day
    left join pc_timetable_days uploaded on uploaded.masjid_id = day.masjid_id and uploaded.date = day.date
      and uploaded.prayer = (schedule).prayer and uploaded.session = (schedule).session and uploaded.in_force
    where day.masjid_id = (schedule).masjid_id and day.date = changed_on;
  end if;
  -- before the first day there is: as on the day itself
  adhan_then := coalesce(adhan_then, adhan);
  if adhan_then = adhan then
    return iqamah_instant(schedule, adhan, date, clock);
  end if;
  return greatest(adhan,
    prayer_instant(date, local_time(iqamah_instant(schedule, adhan_then, changed_on, clock), clock)::time, at_night, clock));
end
$$;
comment on function weekly_iqamah is E'@hidden\n@reads pc_calculated_times, pc_timetable_days, zone_offsets\nThe iqamah that a rule gives whose time changes on one weekday.';

create or replace function rule_in_force(masjid uuid, at_prayer pc_prayer, at_session smallint, on_day date) returns pc_iqamah_schedules
language sql stable set search_path from current as $$
  select schedule from pc_iqamah_schedules schedule
  join up_masjids place on place.id = schedule.masjid_id
  left join pc_prayer_sources source on source.id = schedule.source_id
  left join pc_calculated_times day on day.masjid_id = schedule.masjid_id and day.date = on_day
  where schedule.masjid_id = masjid and schedule.prayer = at_prayer and schedule.session = at_session
    and schedule.deleted_at is null and source.deleted_at is null and schedule.valid @> on_day
    and rule_holds(schedule.prayer, schedule.season, schedule.weekdays, on_day, day.is_ramadan, day.is_taraweeh,
      day.hijri_month, day.hijri_day, clock_of(place.timezone))
  order by schedule.priority desc, season_rank(schedule.season) desc, source.priority desc nulls first, schedule.id
  limit 1
$$;

-- Nothing calls them any more: these rules are given a clock, not the name of a zone.
drop function rule_holds(pc_prayer, pc_season, smallint[], date, boolean, boolean, smallint, smallint, text);
drop function is_in_season(pc_season, boolean, date, text);
drop function is_daylight_time(date, text);
drop function iqamah_instant(pc_iqamah_schedules, timestamptz, date, text);
drop function rounded_up(timestamptz, smallint, text);

create or replace function pc_prayer_times_today(masjid_id uuid, at timestamptz default now()) returns setof pc_prayer_times
language sql stable parallel safe
begin atomic;
  select times.* from up_masjids masjid
  join pc_prayer_times times on times.masjid_id = masjid.id and times.date = local_time($2, masjid.timezone)::date
  where masjid.id = $1
  order by coalesce(times.iqamah_at, times.adhan_at), times.prayer, times.session;
end;

create or replace function pc_prayer_times_nearby(
  latitude double precision, longitude double precision, radius_km double precision default 10, at timestamptz default now()
) returns setof pc_prayer_times
language sql stable parallel safe
begin atomic;
  select times.* from up_masjids_nearby($1, $2, $3) masjid
  join pc_prayer_times times on times.masjid_id = masjid.id and times.date = local_time($4, masjid.timezone)::date
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
      and times.date between local_time($4, masjid.timezone)::date - 1 and local_time($4, masjid.timezone)::date + 1
      and coalesce(times.iqamah_at, times.adhan_at) > $4
    order by coalesce(times.iqamah_at, times.adhan_at), times.prayer, times.session
    limit 1
  ) next
  order by up_masjids_distance_km(masjid, $1, $2), masjid.id;
end;

create or replace function check_change(change pc_iqamah_changes) returns void
language plpgsql stable set search_path from current as $$
declare
  zone constant text := (select timezone from up_masjids where id = change.masjid_id and deleted_at is null);
  today constant date := local_time(now(), zone);
begin
  if change.first_on < today then
    perform refuse_change('A change begins today or later: what people prayed by stays as it was.');
  end if;
  if change.first_on > today + 400 or change.last_on > change.first_on + 400 then
    perform refuse_change('A change begins within 400 days, and lasts at most 400 days if it ends.');
  end if;
  if change.publish_at <= now() then
    return;
  end if;
  if local_time(change.publish_at, zone)::date > change.first_on then
    perform refuse_change('A planned change is published on its first day at the latest.');
  end if;
  if asking_user() is null then
    perform refuse_change('Only people plan changes: their rights are checked again when the time comes.');
  end if;
  if (select count(*) from pc_iqamah_changes where masjid_id = change.masjid_id and status = 'planned') >= 100 then
    perform refuse_change('At most 100 changes are planned at once.');
  end if;
end
$$;

create or replace function run_planned_changes(most integer default 10) returns integer
language plpgsql set search_path from current as $$
declare
  change pc_iqamah_changes;
  ran integer := 0;
begin
  for change in
    select * from pc_iqamah_changes where status = 'planned' and publish_at <= now()
    order by publish_at, id limit most for update skip locked
  loop
    ran := ran + 1;
    perform set_config('minaret.user_id', coalesce(change.made_by::text, ''), true);
    begin
      perform refuse_unless_writing(change.masjid_id, 'times');
      perform lock_iqamah_rules(change.masjid_id);
      if change.last_on < local_time(now(), (select timezone from up_masjids where id = change.masjid_id))::date then
        perform refuse_change('Its days were over before it could be made.');
      end if;
      perform publish_change(change);
    exception when sqlstate 'MN003' or integrity_constraint_violation then
      update pc_iqamah_changes set status = 'failed', ended_at = now(), reason = sqlerrm where id = change.id;
    end;
    perform set_config('minaret.user_id', '', true);
  end loop;
  return ran;
end
$$;

create or replace function apply_consent(member uuid, api_sharing boolean, given_on date, given_how text, evidence text) returns void
language plpgsql set search_path from current as $$
begin
  update ua_members target set consent_api_sharing = $2,
    consent_at = case when $2 then least(now(), local_instant($3 + time '12:00', masjid.timezone)) end
  from up_masjids masjid
  where target.id = $1 and masjid.id = target.masjid_id and target.consent_api_sharing is distinct from $2;
  insert into consent_records (masjid_id, member_id, api_sharing, given_on, given_how, evidence, recorded_by)
  select target.masjid_id, target.id, $2, $3, $4, btrim($5), asking_user() from ua_members target where target.id = $1;
end
$$;

create or replace function import_member(masjid uuid, person imported_member) returns uuid
language plpgsql set search_path from current as $$
declare
  household constant uuid := find_or_create_household(masjid, nullif(btrim((person).household), ''));
  member ua_members;
begin
  if (person).id is null then
    insert into ua_members (masjid_id, household_id, given_name, family_name, email, phone, joined_on)
    values (masjid, household, (person).given_name, (person).family_name, (person).email, (person).phone,
      coalesce((person).joined_on, (select local_time(now(), timezone)::date from up_masjids where id = masjid)))
    returning * into member;
  else
    update ua_members set given_name = coalesce((person).given_name, given_name),
      family_name = coalesce((person).family_name, family_name), email = coalesce((person).email, email),
      phone = coalesce((person).phone, phone), joined_on = coalesce((person).joined_on, joined_on),
      household_id = coalesce(household, household_id)
    where id = (person).id and masjid_id = masjid and deleted_at is null
    returning * into member;
    if member.id is null then
      raise exception 'A person of the list is not a member of this masjid, or was deleted.' using errcode = 'check_violation',
        constraint = 'ua_members_import_check', table = 'ua_members';
    end if;
  end if;
  if (person).api_sharing and member.user_id is not null and not member.consent_api_sharing then
    raise exception 'Somebody with an account agrees to sharing themselves.' using errcode = 'MN003';
  end if;
  return member.id;
end
$$;

select pin_search_paths();
