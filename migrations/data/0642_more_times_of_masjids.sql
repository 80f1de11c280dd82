-- Up Migration
-- Of a masjid's days, what pc_place_times has of a place's, by the same names: stored where it follows from the sun, and a number of
-- minutes away from that where it is customary. An older engine left the new columns empty, so that the job fills them after an upgrade.
alter table pc_calculated_times add column sunset timestamptz, add column first_third_ends timestamptz,
  add column midnight_to_sunrise timestamptz;

create function pc_calculated_times_imsak(day pc_calculated_times) returns timestamptz
language sql immutable parallel safe
begin atomic;
  select (day).fajr - interval '10 minutes';
end;

-- Neither on a day too short for both.
create function pc_calculated_times_duha(day pc_calculated_times) returns timestamptz
language sql immutable parallel safe
begin atomic;
  select case when (day).sunrise + interval '15 minutes' < (day).dhuhr - interval '10 minutes' then (day).sunrise + interval '15 minutes' end;
end;

create function pc_calculated_times_duha_ends(day pc_calculated_times) returns timestamptz
language sql immutable parallel safe
begin atomic;
  select case when (day).sunrise + interval '15 minutes' < (day).dhuhr - interval '10 minutes' then (day).dhuhr - interval '10 minutes' end;
end;

-- On a day too short for it, it begins with Asr.
create function pc_calculated_times_evening_forbidden(day pc_calculated_times) returns timestamptz
language sql immutable parallel safe
begin atomic;
  select case when (day).sunset is not null
    then greatest((day).sunset - interval '15 minutes', coalesce((day).asr, (day).dhuhr)) end;
end;

do $$
declare
  name text;
begin
  foreach name in array array['sunset', 'first_third_ends', 'midnight_to_sunrise'] loop
    execute format('comment on column pc_calculated_times.%I is %L', name, (
      select col_description(attrelid, attnum) from pg_attribute where attrelid = 'pc_place_times'::regclass and attname = name));
  end loop;
  foreach name in array array['imsak', 'duha', 'duha_ends', 'evening_forbidden'] loop
    execute format('comment on function %I is %L', 'pc_calculated_times_' || name, format(E'@computed %s\n', name) || (
      select col_description(attrelid, attnum) from pg_attribute where attrelid = 'pc_place_times'::regclass and attname = name));
  end loop;
end
$$;
select pin_search_paths();
