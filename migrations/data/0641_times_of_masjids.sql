-- Up Migration
-- Times of a masjid on any day, also of one whose days are not stored: by its own place, method and calendar.

create or replace view pc_place_times as
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
  null::jsonb as moved, null::uuid as masjid_id, null::pc_source_kind as source
where false;
comment on view pc_place_times is
  E'@scope prayer-times:read\n@calculated\nA day of prayer times of a place, or of a masjid without what it announces. Nothing is stored: pc_times_at has them calculated.';
comment on column pc_place_times.masjid_id is 'The masjid that was asked for; null for a place.';
comment on column pc_place_times.source is
  'Always calculated: no iqamah, and no time that a masjid announces, is among these. Those are in pc_prayer_times.';

-- contract: no release has it; the one below takes the same arguments
drop function pc_times_at;
create function pc_times_at(
  latitude double precision default null, longitude double precision default null, date date default null, "from" date default null,
  "to" date default null, time_zone text default null, method pc_calculation_method default null, madhab pc_madhab default null,
  high_latitude_rule pc_high_latitude_rule default null, elevation double precision default null, adjustments jsonb default null,
  fajr_angle double precision default null, isha_angle double precision default null,
  isha_minutes integer default null, maghrib_angle double precision default null, masjid_id uuid default null
) returns setof pc_place_times
language plpgsql stable as $$
begin
  raise exception 'pc_times_at is calculated by the service: the database has no times of places.';
end
$$;
comment on function pc_times_at is
  E'@calculated\nPrayer times of a place, by its coordinates in degrees: of a date, or from a day to another (400 at most, 1900 to 2173), or today there. Parameters as at /v1/times; those left out are chosen for the place, and named in the answer. With masjid_id instead, those of a masjid by its own place, method and calendar as they are now, of days that pc_prayer_times does not have too.';
