-- Up Migration
-- Finding masjids by place and by name.

-- A point on a sphere of 6,371.0088 km (the mean radius), in kilometres. Written out, and not by earthdistance's
-- ll_to_earth: that extension needs a superuser, and looks its parts up by search_path, so that restores fail on its index.
create function earth_point(latitude double precision, longitude double precision) returns cube
language sql immutable parallel safe
begin atomic;
  select cube(array[
    6371.0088 * cos(radians(latitude)) * cos(radians(longitude)),
    6371.0088 * cos(radians(latitude)) * sin(radians(longitude)),
    6371.0088 * sin(radians(latitude))
  ]);
end;
comment on function earth_point is 'The point of a latitude and longitude in space, in kilometres from the centre of the earth.';

create index up_masjids_earth_point_idx on up_masjids using gist (earth_point(latitude, longitude));

create function chord_km(distance_km double precision) returns double precision
language sql immutable parallel safe
begin atomic;
  select 2 * 6371.0088 * sin(least(distance_km / (2 * 6371.0088), pi() / 2));
end;
comment on function chord_km is 'The straight line through the earth between points a distance apart on its surface.';

-- One statement, so that the planner opens it up and the GiST index both finds and orders.
create function up_masjids_nearby(
  latitude double precision, longitude double precision, radius_km double precision default 10
) returns setof up_masjids
language sql stable parallel safe
begin atomic;
  select masjid.* from up_masjids masjid
  where cube_enlarge(earth_point($1, $2), chord_km($3), 3) @> earth_point(masjid.latitude, masjid.longitude)
    and (earth_point(masjid.latitude, masjid.longitude) <-> earth_point($1, $2)) <= chord_km($3)
    and $1 between -90 and 90 and $2 between -180 and 180 and $3 >= 0
    and masjid.deleted_at is null
  order by earth_point(masjid.latitude, masjid.longitude) <-> earth_point($1, $2), masjid.id;
end;
comment on function up_masjids_nearby is
  'Masjids within a radius (in kilometres, 10 unless told) of a place, nearest first.';

create function up_masjids_distance_km(masjid up_masjids, latitude double precision, longitude double precision)
returns double precision
language sql stable parallel safe
begin atomic;
  select 2 * 6371.0088 * asin(least(1,
    (earth_point((masjid).latitude, (masjid).longitude) <-> earth_point($2, $3)) / (2 * 6371.0088)));
end;
comment on function up_masjids_distance_km is
  E'@computed distance_km\nThe distance from a place to the masjid, in kilometres as the crow flies.';

-- Loads the library: only then may a role that is not a superuser set its parameter in the function below.
select show_limit();

create function up_masjids_search(search text) returns setof up_masjids
language sql stable parallel safe set search_path from current
set pg_trgm.word_similarity_threshold = 0.4 as $$
  select masjid.* from up_masjids masjid
  where masjid.search_document %> search_text(search) and masjid.deleted_at is null
  order by word_similarity(search_text(search), masjid.search_document) desc,
    similarity(search_text(search), masjid.search_document) desc, masjid.name, masjid.id
$$;
comment on function up_masjids_search is
  'Masjids whose name or city is like the words searched for, best first; forgives accents and slips of spelling.';
