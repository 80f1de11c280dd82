-- Up Migration

-- A place that is none, or a radius below nothing, is a slip of whoever asks: said so, it is found; an empty list hides it.

-- Immutable and apart from any row, so that it is asked once for each statement, and searches are opened up as before.
create function checked_place(latitude double precision, longitude double precision, radius_km double precision)
returns boolean
language plpgsql immutable parallel safe strict as $$
begin
  if latitude not between -90 and 90 then
    raise exception 'latitude is %; it may be -90 to 90.', latitude using errcode = 'invalid_parameter_value';
  elsif longitude not between -180 and 180 then
    raise exception 'longitude is %; it may be -180 to 180.', longitude using errcode = 'invalid_parameter_value';
  elsif not radius_km >= 0 or radius_km = 'nan' then
    raise exception 'radius_km is %; it may be 0 or more.', radius_km using errcode = 'invalid_parameter_value';
  end if;
  return true;
end $$;
comment on function checked_place is 'True for a place on the earth and a radius around it; anything else is an error.';

create or replace function up_masjids_nearby(
  latitude double precision, longitude double precision, radius_km double precision default 10
) returns setof up_masjids
language sql stable parallel safe
begin atomic;
  select masjid.* from up_masjids masjid
  where cube_enlarge(earth_point($1, $2), chord_km($3), 3) @> earth_point(masjid.latitude, masjid.longitude)
    and (earth_point(masjid.latitude, masjid.longitude) <-> earth_point($1, $2)) <= chord_km($3)
    and checked_place($1, $2, $3)
    and masjid.deleted_at is null
  order by earth_point(masjid.latitude, masjid.longitude) <-> earth_point($1, $2), masjid.id;
end;
