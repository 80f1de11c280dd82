-- Up Migration
-- One clock: what the clocks of a zone show is read from a table, which the service fills from the rules of its runtime. The server has
-- rules of its own, as old as its last update: asked by name (`at time zone 'Africa/Casablanca'`), it disagrees with pages and feeds.

create type zone_clock as (since timestamptz[], since_local timestamp[], seconds integer[]);
comment on type zone_clock is
  'A zone''s offsets from UTC in seconds, the instant since which each holds, and the local time from which on it is meant; the first of each since -infinity.';

create table zone_offsets (
  zone text primary key,
  clock zone_clock not null,
  rules text
);
-- read where it lies: out of line or compressed, each use would copy it first
alter table zone_offsets alter column clock set storage plain;
comment on table zone_offsets is E'@hidden\nThe offsets of every time zone there is for us, from 1970 to 2100. Not part of the API.';
comment on column zone_offsets.zone is 'The name in the IANA database.';
comment on column zone_offsets.clock is 'Its offsets.';
comment on column zone_offsets.rules is 'The version of the rules they were taken from; null: the server''s own, until a service starts.';
select changes.watch('zone_offsets') where current_schema() = 'public';

-- Both directions: of the local times that a change skips or repeats, those up to its end are meant with the offset from before it, as in
-- RFC 5545 section 3.3.5 and as "compatible" in JavaScript. That is what since_local says.
create function local_time(instant timestamptz, clock zone_clock) returns timestamp
language sql immutable parallel safe
begin atomic;
  select (instant at time zone 'UTC') + make_interval(secs => (clock).seconds[width_bucket(instant, (clock).since)]);
end;
comment on function local_time(timestamptz, zone_clock) is 'What a clock shows at an instant.';

create function local_instant(local timestamp, clock zone_clock) returns timestamptz
language sql immutable parallel safe
begin atomic;
  select (local - make_interval(secs => (clock).seconds[width_bucket(local, (clock).since_local)])) at time zone 'UTC';
end;
comment on function local_instant(timestamp, zone_clock) is 'The instant at which a clock shows a local time.';

-- With the owner's rights: nobody else reads the table.
create function clock_of(timezone text) returns zone_clock
language sql stable parallel safe security definer
begin atomic;
  select known.clock from zone_offsets known where known.zone = $1;
end;
comment on function clock_of is E'@reads zone_offsets\nThe offsets of a zone; null: there is no such zone.';

create function local_time(instant timestamptz, timezone text) returns timestamp
language sql stable parallel safe security definer
begin atomic;
  select local_time($1, known.clock) from zone_offsets known where known.zone = $2;
end;
comment on function local_time(timestamptz, text) is E'@reads zone_offsets\nWhat clocks show at an instant in a zone.';

create or replace function local_instant(local timestamp, timezone text) returns timestamptz
language sql stable parallel safe security definer
begin atomic;
  select local_instant($1, known.clock) from zone_offsets known where known.zone = $2;
end;
comment on function local_instant(timestamp, text) is E'@reads zone_offsets\nThe instant of a local time in a zone, right on the days that clocks change.';

-- Until the service has filled it in, zones in use keep the server's offsets.
with used as (select timezone as zone from up_masjids union select timezone from up_events),
day as (
  select zone, at, seconds, lag(seconds) over (partition by zone order by at) as before
  from used cross join generate_series(date_trunc('day', now()) - interval '9600 hours', now() + interval '24000 hours', interval '24 hours') at
  cross join lateral (select extract(epoch from (at at time zone zone) - (at at time zone 'UTC'))::integer as seconds) moment
), change as (
  select zone, timestamptz '-infinity' as at, seconds as before, seconds from day where before is null
  union all
  select zone, moment.at, before, seconds from day cross join lateral (
    select min(at) as at from generate_series(day.at - interval '24 hours', day.at, interval '15 minutes') at
    where extract(epoch from (at at time zone zone) - (at at time zone 'UTC'))::integer = day.seconds) moment
  where before <> seconds
)
insert into zone_offsets (zone, clock)
select zone, row(array_agg(at order by at),
  array_agg((at at time zone 'UTC') + make_interval(secs => greatest(before, seconds)) order by at), array_agg(seconds order by at))::zone_clock
from change group by zone;

-- A zone is one that the table has. That is no check, which may not depend on another table: a dump is loaded table by table.
create or replace function is_time_zone(name text) returns boolean
language sql stable parallel safe security definer
begin atomic;
  select exists (select from zone_offsets known where known.zone = $1);
end;
comment on function is_time_zone is E'@reads zone_offsets\nWhether a name is a time zone of the IANA database, such as America/Toronto.';

create function check_time_zone() returns trigger
language plpgsql set search_path from current as $$
declare
  broken constant text := tg_table_name || '_timezone_check';
begin
  -- null is refused as such, or for naming no masjid
  if new.timezone is not null and not is_time_zone(new.timezone) then
    raise exception 'new row for relation "%" violates check constraint "%"', tg_table_name, broken using errcode = 'check_violation',
      constraint = broken, table = tg_table_name, schema = tg_table_schema;
  end if;
  return new;
end
$$;
comment on function check_time_zone is 'Refuses a time zone that is none.';

alter table up_masjids drop constraint up_masjids_timezone_check, add constraint up_masjids_timezone_check check (timezone ~ '^[A-Z][A-Za-z_/-]+$');
alter table up_events drop constraint up_events_timezone_check, add constraint up_events_timezone_check check (timezone ~ '^[A-Z][A-Za-z_/-]+$');
comment on constraint up_masjids_timezone_check on up_masjids is 'A time zone is a name of the IANA database, such as America/Toronto.';
comment on constraint up_events_timezone_check on up_events is 'A time zone is a name of the IANA database, such as America/Toronto.';
create trigger check_time_zone before insert or update of timezone on up_masjids for each row execute function check_time_zone();
create trigger check_time_zone before insert or update of timezone on up_events for each row execute function check_time_zone();

create function as_on_clock(instant timestamptz, before zone_clock, after zone_clock) returns timestamptz
language sql stable parallel safe
begin atomic;
  select case when $1 > now() then local_instant(local_time($1, $2), $3) else $1 end;
end;
comment on function as_on_clock is 'An instant to come, moved so that clocks show the same as before; the past does not move.';

create function offsets_ahead(clock zone_clock) returns text
language sql stable parallel safe
begin atomic;
  select string_agg(greatest(since, now()) || ' ' || seconds, ',' order by since)
  from (select since, seconds, lead(since, 1, timestamptz 'infinity') over (order by since) as until
    from unnest((clock).since, (clock).seconds) change (since, seconds)) change
  where since < now() + interval '400 days' and until > now();
end;
comment on function offsets_ahead is 'The offsets of the next 400 days, to be compared.';

-- When rules change, what is yet to come keeps its time on the clock. Occurrences are made anew by the job; what people gave as an
-- instant is moved here, where the offset that they meant is still known. The server's offsets, which come before a service fills in its
-- own, are nobody's: people's times were never read with them.
create function follow_offsets() returns trigger
language plpgsql set search_path from current as $$
begin
  update up_event_occurrences occurrence set starts_at = as_on_clock(starts_at, before.clock, after.clock),
    ends_at = as_on_clock(starts_at, before.clock, after.clock) + (ends_at - starts_at)
  from before join after using (zone) join up_events event on event.timezone = zone
  where event.id = occurrence.event_id and edited_by_hand and starts_at > now() and before.rules is not null
    and before.clock <> after.clock and starts_at <> as_on_clock(starts_at, before.clock, after.clock);
  update up_announcements announcement set starts_at = as_on_clock(starts_at, before.clock, after.clock),
    ends_at = case when ends_at > starts_at then greatest(as_on_clock(ends_at, before.clock, after.clock),
      as_on_clock(starts_at, before.clock, after.clock) + interval '1 minute') end
  from before join after using (zone) join up_masjids masjid on masjid.timezone = zone
  where masjid.id = announcement.masjid_id and greatest(starts_at, ends_at) > now() and before.rules is not null
    and before.clock <> after.clock and (starts_at, ends_at) is distinct from
      (as_on_clock(starts_at, before.clock, after.clock), as_on_clock(ends_at, before.clock, after.clock));
  update pc_iqamah_changes change set publish_at = as_on_clock(publish_at, before.clock, after.clock)
  from before join after using (zone) join up_masjids masjid on masjid.timezone = zone
  where masjid.id = change.masjid_id and change.status = 'planned' and before.rules is not null
    and before.clock <> after.clock and publish_at <> as_on_clock(publish_at, before.clock, after.clock);
  update occurrence_states state set revision = state.revision + 1, touched_at = now()
  from before join after using (zone), up_events event join up_masjids masjid on masjid.id = event.masjid_id
  where event.id = state.event_id and before.clock <> after.clock and offsets_ahead(before.clock) <> offsets_ahead(after.clock)
    and (event.timezone = zone or event.anchor_prayer is not null and masjid.timezone = zone);
  return null;
end
$$;
comment on function follow_offsets is 'Moves what is yet to come to the same time on the clock by the new offsets.';
create trigger follow_offsets after update on zone_offsets referencing old table as before new table as after
  for each statement execute function follow_offsets();

select pin_search_paths();
