-- Up Migration
-- The times that people pray by are worked out when something changes, not whenever somebody reads. defined_prayer_times says what they
-- are. announced_times holds them for masjids that somebody looks after, and pc_prayer_times reads it; days that it does not have, and
-- masjids that just changed, are read from the definition in the same statement.

-- As pc_prayer_times was until now, but for what a source says of itself: that is looked up when it is read, so that a source which was
-- read again without news changes no row.
create view defined_prayer_times as
select day.masjid_id, day.date, slot.prayer, slot.session, (slot.schedule).label,
  moment.adhan_at, moment.iqamah_at,
  moment.iqamah_at - make_interval(mins => (slot.schedule).khutbah_minutes) as khutbah_at,
  local_time(moment.adhan_at, zone.clock) as adhan_local,
  local_time(moment.iqamah_at, zone.clock) as iqamah_local,
  local_time(moment.iqamah_at - make_interval(mins => (slot.schedule).khutbah_minutes), zone.clock) as khutbah_local,
  masjid.timezone, day.hijri_year, day.hijri_month, day.hijri_day, day.is_ramadan,
  case when slot.prayer in ('maghrib', 'isha', 'taraweeh') then day.evening_hijri_year else day.hijri_year end as prayer_hijri_year,
  case when slot.prayer in ('maghrib', 'isha', 'taraweeh') then day.evening_hijri_month else day.hijri_month end as prayer_hijri_month,
  case when slot.prayer in ('maghrib', 'isha', 'taraweeh') then day.evening_hijri_day else day.hijri_day end as prayer_hijri_day,
  case when moment.iqamah is not null then coalesce(moment.kind, 'uploaded')
    when (slot.schedule).id is null then 'calculated' else coalesce(slot.source_kind, 'manual') end as source,
  case when moment.iqamah is null then (slot.schedule).id end as schedule_id,
  case when moment.iqamah is null then (slot.schedule).source_id else moment.source_id end as source_id,
  case when moment.iqamah is null then coalesce((slot.schedule).updated_at, day.updated_at) else moment.given_at end as given_at,
  moment.timetable_id, (slot.schedule).imam, (slot.schedule).language
from pc_calculated_times day
join up_masjids masjid on masjid.id = day.masjid_id and masjid.deleted_at is null
-- once for each day, and no table more for the planner to order
cross join lateral (select (select known.clock from zone_offsets known where known.zone = masjid.timezone) as clock offset 0) zone
cross join lateral (
  select distinct on (candidate.prayer, candidate.session) candidate.* from (
    select always.prayer, 1::smallint as session, null::pc_iqamah_schedules as schedule, -1 as priority, 0 as season_rank,
      null::pc_source_kind as source_kind, null::smallint as source_priority
    from (values ('fajr'::pc_prayer), ('dhuhr'), ('asr'), ('maghrib'), ('isha')) always(prayer)
    union all
    -- sessions that a timetable has and no rule
    select given.prayer, given.session, null, -1, 0, null, null
    from pc_timetable_days given
    where given.masjid_id = day.masjid_id and given.date = day.date and given.in_force
    union all
    select schedule.prayer, schedule.session, schedule, schedule.priority::integer, season_rank(schedule.season),
      source.kind, source.priority
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
      uploaded.given_at, uploaded.iqamah
    from (select) always
    left join lateral (
      select given.timetable_id, given.adhan, case when given.by_rule is null and ((slot.schedule).layer is null
          or (slot.schedule).layer < (select timetable.layer from pc_timetables timetable where timetable.id = given.timetable_id))
          then given.iqamah end as iqamah,
        followed.id as source_id, followed.kind, given.updated_at as given_at
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
comment on view defined_prayer_times is E'@hidden\nWhat the times of each masjid, day, prayer and session are, worked out from its rules, timetables and calculated times.';

create table announced_times (
  like defined_prayer_times,
  primary key (masjid_id, date, prayer, session)
);
alter table announced_times alter column timezone set not null, alter column source set not null, alter column given_at set not null,
  alter column is_ramadan set not null;
-- Its columns are those of pc_prayer_times.
comment on table announced_times is E'@hidden\n@made_of pc_calculated_times, up_masjids, pc_iqamah_schedules, pc_prayer_sources, pc_timetable_days, pc_timetables, zone_offsets\nRows of defined_prayer_times, kept by whoever changes what they are made of. Not part of the API.';
do $$
declare
  part record;
begin
  for part in
    select own.attrelid::regclass as target, own.attname as name, col_description(shown.attrelid, shown.attnum) as said
    from pg_attribute own
    left join pg_attribute shown on shown.attrelid = 'pc_prayer_times'::regclass and shown.attname = own.attname
    where own.attrelid in ('announced_times'::regclass, 'defined_prayer_times'::regclass) and own.attnum > 0
  loop
    execute format('comment on column %s.%I is %L', part.target, part.name,
      coalesce(part.said, 'When the rule, the day of a timetable or the calculation last changed.'));
  end loop;
end
$$;

create table announced_reach (
  masjid_id uuid primary key references up_masjids on delete cascade,
  last_date date not null,
  checked_at timestamptz not null default now()
);
create index announced_reach_last on announced_reach (last_date);
create index announced_reach_checked on announced_reach (checked_at);
comment on table announced_reach is E'@hidden\n@made_of\nHow far announced_times reaches, for each masjid that has rows there. Not part of the API.';
comment on column announced_reach.masjid_id is 'The masjid.';
comment on column announced_reach.last_date is 'The last day whose times are in announced_times.';
comment on column announced_reach.checked_at is 'When the rows were last compared with the definition.';

-- Rows are only ever added: whoever changes something waits for nobody before it commits.
create table outdated_times (
  id bigint generated always as identity primary key,
  masjid_id uuid not null,
  first_date date not null default '-infinity',
  last_date date not null default 'infinity',
  prayers pc_prayer[],
  at_commit boolean not null default false,
  transaction xid8 not null default pg_current_xact_id(),
  since timestamptz not null default now()
);
create index outdated_times_masjid on outdated_times (masjid_id);
create index outdated_times_transaction on outdated_times (transaction);
alter table outdated_times set (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0, fillfactor = 100);
comment on table outdated_times is E'@hidden\n@made_of\nDays of announced_times that may no longer agree with the definition. Not part of the API.';
comment on column outdated_times.id is 'The row''s lasting identifier.';
comment on column outdated_times.masjid_id is 'The masjid. While it has a line here, its times are read from the definition.';
comment on column outdated_times.first_date is 'The first day.';
comment on column outdated_times.last_date is 'The last day.';
comment on column outdated_times.prayers is 'The prayers; null: all.';
comment on column outdated_times.at_commit is 'Whether the transaction that made the line also brings the rows up to date. If not, the job does.';
comment on column outdated_times.transaction is 'That transaction.';
comment on column outdated_times.since is 'Since when.';

-- Planned once, and without a date or masjid in the plan: planning the definition takes longer than a day of it.
create function defined_day(masjid uuid, on_day date) returns setof defined_prayer_times
language plpgsql stable strict parallel safe security definer rows 6 set search_path from current set plan_cache_mode = force_generic_plan as $$
begin
  return query select defined.* from defined_prayer_times defined where defined.masjid_id = masjid and defined.date = on_day;
end
$$;
comment on function defined_day is E'@hidden\n@reads pc_calculated_times, up_masjids, pc_iqamah_schedules, pc_prayer_sources, pc_timetable_days, pc_timetables, zone_offsets\nThe times of a day at a masjid, by definition.';

-- Everything hangs on one row of pc_calculated_times, as before: whatever a query knows of a masjid and a day is looked up in an index, and
-- of other days nothing is worked out. Without a day, defined_day is not called.
create or replace view pc_prayer_times as
select day.masjid_id, day.date, times.prayer, times.session, times.label, times.adhan_at, times.iqamah_at, times.khutbah_at,
  times.adhan_local, times.iqamah_local, times.timezone, times.hijri_year, times.hijri_month, times.hijri_day, times.is_ramadan,
  times.source, times.schedule_id, times.source_id,
  (select source.confidence::numeric from pc_prayer_sources source where source.id = times.source_id) as confidence,
  coalesce((select source.last_success_at from pc_prayer_sources source where source.id = times.source_id), times.given_at)
    as source_updated_at,
  times.prayer_hijri_year, times.prayer_hijri_month, times.prayer_hijri_day, times.timetable_id, times.imam, times.language,
  times.khutbah_local,
  coalesce((select state.filled_revision is distinct from state.revision from calculation_states state
    where state.masjid_id = day.masjid_id), true) as is_recalculating
from pc_calculated_times day
-- one look into an index, however many marks there are; as a join, or "not in", all of them would be read
left join announced_reach reach on reach.masjid_id = day.masjid_id and reach.last_date >= day.date
  and (select true from outdated_times mark where mark.masjid_id = reach.masjid_id limit 1) is not true
cross join lateral (
  select * from announced_times stored where stored.masjid_id = reach.masjid_id and stored.date = day.date
  union all
  select * from defined_day(day.masjid_id, case when reach.masjid_id is null then day.date end)
) times;
comment on column pc_prayer_times.is_recalculating is 'Whether the masjid''s place, method or calendar has just changed, and its times are being calculated anew.';
-- They return all columns of the view.
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

select changes.watch('calculation_states') where current_schema() = 'public';
do $$
begin
  execute format('comment on view pc_prayer_times is %L', replace(obj_description('pc_prayer_times'::regclass, 'pg_class'),
    '@of_masjid masjid_id pc_calculated_times,', '@of_masjid masjid_id calculation_states, pc_calculated_times,'));
end
$$;

-- Whoever changes something marks the days. More masjids than a person changes at once are left to the job.
create function outdate_times_of_rules() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into outdated_times (masjid_id, first_date, last_date, prayers, at_commit)
  select masjid_id, min(coalesce(lower(valid), '-infinity')), max(coalesce(upper(valid) - 1, 'infinity')), array_agg(distinct prayer),
    count(*) over () <= 20
  from changed group by masjid_id;
  return null;
end
$$;
comment on function outdate_times_of_rules is 'Marks the days for which rules hold that changed.';

-- A rule whose time changes weekly follows a day of up to six days before.
create function outdate_times_of_timetable_days() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into outdated_times (masjid_id, first_date, last_date, prayers, at_commit)
  select masjid_id, min(date), max(date) + 6, array_agg(distinct prayer), count(*) over () <= 20
  from changed where in_force group by masjid_id;
  return null;
end
$$;
comment on function outdate_times_of_timetable_days is 'Marks days of timetables that changed.';

create function outdate_times_of_timetables() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into outdated_times (masjid_id, at_commit)
  select after.masjid_id, count(*) over () <= 20 from before join after using (id) where before.layer <> after.layer group by after.masjid_id;
  return null;
end
$$;
comment on function outdate_times_of_timetables is 'Marks the days of masjids with timetables that moved above or below others.';

create function outdate_times_of_sources() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into outdated_times (masjid_id, at_commit)
  select masjid_id, count(*) over () <= 20 from (
    select masjid_id, source_id from pc_iqamah_schedules
    union all
    select masjid_id, source_id from pc_timetable_days
  ) used
  where source_id in (
    select id from before join after using (id)
    where (before.kind, before.priority, before.deleted_at) is distinct from (after.kind, after.priority, after.deleted_at))
  group by masjid_id;
  return null;
end
$$;
comment on function outdate_times_of_sources is 'Marks the days of masjids whose rules or timetables come from sources that changed.';

create function outdate_times_of_masjid() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into outdated_times (masjid_id, at_commit) values (new.id, true);
  return null;
end
$$;
comment on function outdate_times_of_masjid is 'Marks all days of a masjid.';

create function outdate_times_of_zones() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into outdated_times (masjid_id)
  select masjid.id from before join after using (zone) join up_masjids masjid on masjid.timezone = zone
  join announced_reach reach on reach.masjid_id = masjid.id
  where before.clock <> after.clock;
  return null;
end
$$;
comment on function outdate_times_of_zones is 'Marks all days of masjids in zones whose offsets changed.';

create function outdate_times_of_other_zones() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into outdated_times (masjid_id)
  select masjid.id from changed join up_masjids masjid on masjid.timezone = zone join announced_reach reach on reach.masjid_id = masjid.id;
  return null;
end
$$;
comment on function outdate_times_of_other_zones is 'Marks all days of masjids in zones that came or went.';

-- The job calculates, and the job brings up to date what it outdates. Days beyond the rows outdate nothing.
create function outdate_calculated_times() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into outdated_times (masjid_id, first_date, last_date)
  select masjid_id, min(date), max(date) + 6 from changed join announced_reach reach using (masjid_id)
  where date <= reach.last_date group by masjid_id;
  return null;
end
$$;
comment on function outdate_calculated_times is 'Marks days that were calculated anew.';

-- Rows of such days stay until the masjid is checked: nobody reads them. Deleting them here, without the masjid's lock, could wait in a
-- circle with whoever keeps its rows at the time, and who might add them again.
create function outdate_times_after_removed() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into outdated_times (masjid_id, first_date, last_date)
  select masjid_id, min(date), max(date) + 6 from changed
  where exists (select from pc_iqamah_schedules schedule where schedule.masjid_id = changed.masjid_id and schedule.changes_on is not null)
    and exists (select from announced_reach reach where reach.masjid_id = changed.masjid_id)
  group by masjid_id;
  return null;
end
$$;
comment on function outdate_times_after_removed is 'Marks the days after those that are no longer calculated, for rules whose time changes by the week.';

-- Also when the masjid itself is removed. Whoever keeps its rows holds its row in up_masjids: neither comes in between.
create function remove_announced_times() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from announced_times stored using changed where stored.masjid_id = changed.masjid_id;
  return null;
end
$$;
comment on function remove_announced_times is 'Removes the rows of masjids that are to have none.';
create trigger remove_announced after delete on announced_reach referencing old table as changed
  for each statement execute function remove_announced_times();

create function outdate_all_times() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into outdated_times (masjid_id) select masjid_id from announced_reach;
  return null;
end
$$;
comment on function outdate_all_times is 'Marks all days of all masjids.';

do $$
declare
  part record;
begin
  for part in
    select * from (values
      ('pc_iqamah_schedules', 'outdate_times_of_rules'),
      ('pc_timetable_days', 'outdate_times_of_timetable_days')
    ) as made (target, called)
  loop
    execute format('create trigger outdate_inserted after insert on %I referencing new table as changed for each statement execute function %I()',
      part.target, part.called);
    execute format('create trigger outdate_updated after update on %I referencing new table as changed for each statement execute function %I()',
      part.target, part.called);
    execute format('create trigger outdate_overwritten after update on %I referencing old table as changed for each statement execute function %I()',
      part.target, part.called);
    execute format('create trigger outdate_deleted after delete on %I referencing old table as changed for each statement execute function %I()',
      part.target, part.called);
    execute format('create trigger outdate_all after truncate on %I execute function outdate_all_times()', part.target);
  end loop;
  for part in
    select * from (values
      ('pc_timetables', 'outdate_times_of_timetables'),
      ('pc_prayer_sources', 'outdate_times_of_sources'),
      ('zone_offsets', 'outdate_times_of_zones')
    ) as made (target, called)
  loop
    execute format('create trigger outdate_updated after update on %I referencing old table as before new table as after '
      'for each statement execute function %I()', part.target, part.called);
  end loop;
end
$$;
create trigger outdate_updated after update of timezone, deleted_at on up_masjids for each row
  when (old.timezone <> new.timezone or old.deleted_at is distinct from new.deleted_at) execute function outdate_times_of_masjid();
create trigger outdate_inserted after insert on pc_calculated_times referencing new table as changed
  for each statement execute function outdate_calculated_times();
create trigger outdate_updated after update on pc_calculated_times referencing new table as changed
  for each statement execute function outdate_calculated_times();
create trigger outdate_deleted after delete on pc_calculated_times referencing old table as changed
  for each statement execute function outdate_times_after_removed();
create trigger outdate_all after truncate on pc_calculated_times execute function outdate_all_times();
create trigger outdate_inserted after insert on zone_offsets referencing new table as changed
  for each statement execute function outdate_times_of_other_zones();
create trigger outdate_deleted after delete on zone_offsets referencing old table as changed
  for each statement execute function outdate_times_of_other_zones();
create trigger outdate_all after truncate on zone_offsets execute function outdate_all_times();

-- Only rows that differ are touched: "on conflict" alone would lock, and log, all the others. Rows of days that are not calculated any
-- more are removed and not counted: nobody could read them.
create function write_announced_times(masjid uuid, first date, last date, chosen pc_prayer[] default null) returns integer
language plpgsql security definer set search_path from current as $$
declare
  written integer;
begin
  with defined as materialized (
    select * from defined_prayer_times defined
    where defined.masjid_id = masjid and defined.date between first and last and (chosen is null or defined.prayer = any (chosen))
  ), known as materialized (
    select * from announced_times stored
    where stored.masjid_id = masjid and stored.date between first and last and (chosen is null or stored.prayer = any (chosen))
  ), removed as (
    delete from announced_times stored using (select date, prayer, session from known except select date, prayer, session from defined) gone
    where stored.masjid_id = masjid and stored.date = gone.date and stored.prayer = gone.prayer and stored.session = gone.session
    returning exists (select from pc_calculated_times day where day.masjid_id = masjid and day.date = stored.date) as shown
  ), kept as (
    insert into announced_times select * from (select * from defined except select * from known) differing
    on conflict (masjid_id, date, prayer, session) do update set (label, adhan_at, iqamah_at, khutbah_at, adhan_local, iqamah_local,
        khutbah_local, timezone, hijri_year, hijri_month, hijri_day, is_ramadan, prayer_hijri_year, prayer_hijri_month, prayer_hijri_day,
        source, schedule_id, source_id, given_at, timetable_id, imam, language) =
      (excluded.label, excluded.adhan_at, excluded.iqamah_at, excluded.khutbah_at, excluded.adhan_local, excluded.iqamah_local,
        excluded.khutbah_local, excluded.timezone, excluded.hijri_year, excluded.hijri_month, excluded.hijri_day, excluded.is_ramadan,
        excluded.prayer_hijri_year, excluded.prayer_hijri_month, excluded.prayer_hijri_day, excluded.source, excluded.schedule_id,
        excluded.source_id, excluded.given_at, excluded.timetable_id, excluded.imam, excluded.language)
    returning 1
  )
  select (select count(*) from removed where shown) + (select count(*) from kept) into written;
  return written;
end
$$;
comment on function write_announced_times is 'Brings rows of announced_times to what the definition says. Returns how many differed.';

-- One transaction at a time for each masjid. Each statement below sees what was committed before it began: where a transaction sees
-- only what was there when it began itself, it must not be called.
create function settle_announced_times(masjid uuid) returns integer
language plpgsql security definer set search_path from current as $$
declare
  marks bigint[];
  reached date;
  first date;
  last date;
  chosen pc_prayer[];
  written integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(masjid::text, 6206420));
  select reach.last_date into reached from announced_reach reach where reach.masjid_id = masjid;
  if reached is null then
    return 0;
  end if;
  select array_agg(outdated.id), min(outdated.first_date), max(outdated.last_date) into marks, first, last
  from outdated_times outdated where outdated.masjid_id = masjid;
  if not exists (select from outdated_times outdated where outdated.id = any (marks) and outdated.prayers is null) then
    chosen := array(select distinct unnest(prayers) from outdated_times outdated where outdated.id = any (marks));
  end if;
  written := write_announced_times(masjid, first, least(last, reached), chosen);
  delete from outdated_times where id = any (marks);
  return written;
end
$$;
comment on function settle_announced_times is 'Brings the marked days of a masjid up to date, if it has rows. Returns how many differed.';

create function settle_own_times() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  own constant text := pg_current_xact_id()::text;
  masjids uuid[];
begin
  if current_setting('minaret.leaves_times', true) = own or not exists (select from outdated_times where id = new.id) then
    return null;
  end if;
  masjids := array(select distinct masjid_id from outdated_times where transaction = pg_current_xact_id() order by masjid_id);
  if cardinality(masjids) > 20 or current_setting('transaction_isolation') <> 'read committed' then
    perform set_config('minaret.leaves_times', own, true);
    return null;
  end if;
  -- all of them in one order: two transactions that changed the same masjids wait for each other one way round
  perform settle_announced_times(reach.masjid_id) from (
    select masjid_id from announced_reach where masjid_id = any (masjids) order by masjid_id) reach;
  -- of a masjid that was removed
  delete from outdated_times mark where mark.masjid_id = any (masjids) and not exists (select from up_masjids where id = mark.masjid_id);
  return null;
end
$$;
comment on function settle_own_times is 'Brings the days up to date that the transaction marked, before it commits.';
create constraint trigger settle_own after insert on outdated_times deferrable initially deferred for each row
  when (new.at_commit) execute function settle_own_times();

create function announces_times(masjid uuid) returns boolean
language sql stable
begin atomic;
  select exists (select from pc_iqamah_schedules schedule where schedule.masjid_id = masjid and schedule.deleted_at is null)
    or exists (select from pc_timetable_days day where day.masjid_id = masjid and day.in_force);
end;
comment on function announces_times is 'Whether a masjid announces times of its own: only then are they kept as rows.';

-- Called by the job for a masjid with marks, or whose rows end too early or too late.
create function keep_announced_times(masjid uuid, until date) returns void
language plpgsql security definer set search_path from current as $$
declare
  marks constant bigint[] := array(select id from outdated_times where masjid_id = masjid);
  had date;
  reached date;
begin
  perform settle_announced_times(masjid);
  select reach.last_date into had from announced_reach reach where reach.masjid_id = masjid;
  select max(date) into reached from pc_calculated_times day
  where day.masjid_id = masjid and day.date <= until and announces_times(masjid);
  if reached is null then
    delete from announced_reach reach where reach.masjid_id = masjid;
    delete from outdated_times where id = any (marks);
  elsif had is null then
    perform write_announced_times(masjid, '-infinity', reached);
    insert into announced_reach (masjid_id, last_date) values (masjid, reached);
    delete from outdated_times where id = any (marks);
  elsif reached <> had then
    delete from announced_times stored where stored.masjid_id = masjid and stored.date > reached;
    perform write_announced_times(masjid, had + 1, reached);
    update announced_reach reach set last_date = reached where reach.masjid_id = masjid;
  end if;
end
$$;
comment on function keep_announced_times is 'Brings the rows of a masjid up to date, up to a day.';

create function check_announced_times(masjid uuid) returns integer
language plpgsql security definer set search_path from current as $$
declare
  reach date;
  wrong integer;
begin
  perform settle_announced_times(masjid);
  select last_date into reach from announced_reach where masjid_id = masjid;
  wrong := write_announced_times(masjid, '-infinity', reach);
  update announced_reach set checked_at = clock_timestamp() where masjid_id = masjid;
  -- whoever changed something since the first statement has marked it
  if wrong = 0 or exists (select from outdated_times mark where mark.masjid_id = masjid) then
    return 0;
  end if;
  -- so that whoever has kept or copied the times asks again; who holds the row says so too, and may be waiting for our lock
  update calculation_states state set changed_at = clock_timestamp() from (
    select held.masjid_id from calculation_states held where held.masjid_id = masjid for update skip locked) free
  where state.masjid_id = free.masjid_id;
  return wrong;
end
$$;
comment on function check_announced_times is 'Compares the rows of a masjid with the definition, and mends them. Returns how many differed.';

revoke execute on function announces_times, write_announced_times, settle_announced_times, keep_announced_times, check_announced_times from public;

insert into outdated_times (masjid_id)
select masjid_id from pc_iqamah_schedules where deleted_at is null union select masjid_id from pc_timetable_days where in_force;

select pin_search_paths();
