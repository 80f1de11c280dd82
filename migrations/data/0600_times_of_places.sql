-- Up Migration
-- Prayer times of any place and day. The service calculates the rows and passes them to the statement as JSON, so there is one
-- calculation, and no second one in SQL: here are only their type and what may be asked.

create view pc_place_times as
select null::date as date, null::text as time_zone, null::text as country, null::pc_calculation_method as method,
  null::jsonb as parameters, null::double precision as qibla,
  null::timestamptz as imsak, null::timestamp as imsak_local,
  null::timestamptz as fajr, null::timestamp as fajr_local,
  null::timestamptz as sunrise, null::timestamp as sunrise_local,
  null::timestamptz as duha, null::timestamp as duha_local,
  null::timestamptz as duha_ends, null::timestamp as duha_ends_local,
  null::timestamptz as dhuhr, null::timestamp as dhuhr_local,
  null::timestamptz as asr, null::timestamp as asr_local,
  null::timestamptz as evening_forbidden, null::timestamp as evening_forbidden_local,
  null::timestamptz as sunset, null::timestamp as sunset_local,
  null::timestamptz as maghrib, null::timestamp as maghrib_local,
  null::timestamptz as isha, null::timestamp as isha_local,
  null::timestamptz as first_third_ends, null::timestamp as first_third_ends_local,
  null::timestamptz as midnight, null::timestamp as midnight_local,
  null::timestamptz as midnight_to_sunrise, null::timestamp as midnight_to_sunrise_local,
  null::timestamptz as last_third, null::timestamp as last_third_local,
  null::integer as hijri_year, null::integer as hijri_month, null::integer as hijri_day, null::boolean as is_ramadan,
  null::jsonb as moved
where false;
comment on view pc_place_times is
  E'@scope prayer-times:read\n@calculated\nA day of prayer times of a place, without a masjid. Nothing is stored: pc_times_at has them calculated.';

do $$
declare
  name text;
  meaning text;
begin
  for name, meaning in values
    ('date', 'The day, on the calendar of the place; Isha and the parts of the night may fall after its midnight.'),
    ('time_zone', 'The IANA time zone: the one asked with, or that of the coordinates.'),
    ('country', 'The country whose method was taken, where none was asked for and it has one of its own.'),
    ('method', 'The method of calculation: the one asked with, or that of the country.'),
    ('parameters', 'Everything that the times were calculated with.'),
    ('qibla', 'The direction of the Kaaba in degrees from north, clockwise, along the great circle.'),
    ('hijri_year', 'Year of the hijri date of the daylight, by the Umm al-Qura calendar.'),
    ('hijri_month', 'Month of the hijri date, 1 (Muharram) to 12 (Dhu al-Hijjah).'),
    ('hijri_day', 'Day of the hijri date.'),
    ('is_ramadan', 'Whether the day is in Ramadan.'),
    ('moved', 'The times that a rule moved away from where the sun puts them, and which rule.') loop
    execute format('comment on column pc_place_times.%I is %L', name, meaning);
  end loop;
  for name, meaning in values
    ('imsak', 'Ten minutes before Fajr, for those who fast.'),
    ('fajr', 'When Fajr begins; null where the sun gives no such time, as for all others.'),
    ('sunrise', 'When the sun rises; no voluntary prayer until duha.'),
    ('duha', 'When the time of the Duha prayer begins: 15 minutes after sunrise.'),
    ('duha_ends', 'When it ends: ten minutes before Dhuhr.'),
    ('dhuhr', 'When Dhuhr begins.'),
    ('asr', 'When Asr begins, by the madhab asked with.'),
    ('evening_forbidden', 'From here to sunset no voluntary prayer: 15 minutes before sunset.'),
    ('sunset', 'When the sun sets; Maghrib is later by some methods.'),
    ('maghrib', 'When Maghrib begins.'),
    ('isha', 'When Isha begins.'),
    ('first_third_ends', 'When the first third of the night ends, from Maghrib to the next Fajr.'),
    ('midnight', 'The middle of the night from Maghrib to the next Fajr.'),
    ('midnight_to_sunrise', 'The middle between sunset and the next sunrise.'),
    ('last_third', 'When the last third of the night begins, from Maghrib to the next Fajr.') loop
    execute format('comment on column pc_place_times.%I is %L', name, meaning);
    execute format('comment on column pc_place_times.%I is %L', name || '_local', name || ' on the clocks of the place.');
  end loop;
end
$$;

create function pc_times_at(
  latitude double precision, longitude double precision, date date default null, "from" date default null, "to" date default null,
  time_zone text default null, method pc_calculation_method default null, madhab pc_madhab default null,
  high_latitude_rule pc_high_latitude_rule default null, elevation double precision default null, adjustments jsonb default null,
  fajr_angle double precision default null, isha_angle double precision default null,
  isha_minutes integer default null, maghrib_angle double precision default null
) returns setof pc_place_times
language plpgsql stable as $$
begin
  raise exception 'pc_times_at is calculated by the service: the database has no times of places.';
end
$$;
comment on function pc_times_at is
  E'@calculated\nPrayer times of a place, by its coordinates in degrees: of a date, or from a day to another (400 at most, 1900 to 2173), or today there. Parameters as at /v1/times; those left out are chosen for the place, and named in the answer.';
