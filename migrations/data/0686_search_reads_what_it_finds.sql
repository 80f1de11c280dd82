-- Up Migration
-- Of the masjids that a search finds each is looked up: a join of some hundreds read the whole directory for every search as long as that
-- looked cheaper, up to a hundred thousand masjids. `offset 0` keeps the planner from joining.
create or replace function up_masjids_search(search text, latitude double precision default null, longitude double precision default null)
returns setof up_masjids
language sql stable parallel safe
begin atomic;
  select masjid.* from found_masjids($1, $2, $3) found
  cross join lateral (select * from up_masjids where id = found.masjid_id and deleted_at is null offset 0) masjid
  where checked_search_place($2, $3)
  order by found.place;
end;
select pin_search_paths();
