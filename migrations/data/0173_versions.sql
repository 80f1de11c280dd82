-- Up Migration
-- Every table that is open to writing has a version, which rises with every update, by SQL and by upserts too: whoever read an
-- older one can be told so. Counts that follow from other rows do not raise it: an answer to an event must not
-- get in the way of whoever edits the event.

create function raise_version() returns trigger
language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;
comment on function raise_version is 'Raises a row''s version.';

create function keep_id() returns trigger
language plpgsql as $$
begin
  raise exception 'The id of a row never changes.' using errcode = 'check_violation', constraint = tg_table_name || '_id_check',
    table = tg_table_name;
end
$$;
comment on function keep_id is 'Refuses to change the id of a row.';

-- Newer minor versions of PostgreSQL refuse a column with a default while a function with a body of its own uses the type of the table's
-- rows. The column is added bare then, and filled without telling the triggers: that is no change of the rows.
create function add_filled_column(target regclass, name text, type text, value text) returns void
language plpgsql set search_path from current as $$
begin
  execute format('alter table %s add column %I %s not null default %s', target, name, type, value);
exception when feature_not_supported then
  execute format('alter table %s add column %I %s, disable trigger user', target, name, type);
  execute format('update %s set %I = %s', target, name, value);
  execute format('alter table %s alter column %I set default %s, alter column %I set not null, enable trigger user', target, name, value, name);
end
$$;
comment on function add_filled_column is 'Adds a column that is never null, with a default, to a table that functions may use the row type of.';

create function add_version(target regclass, counts text[] default '{}') returns void
language plpgsql set search_path from current as $$
declare
  unchanged text := (select string_agg(format('old.%I is not distinct from new.%I', name, name), ' and ') from unnest(counts) name);
begin
  perform add_filled_column(target, 'version', 'bigint', '1');
  execute format('comment on column %s.version is %L', target, E'@version\nRises with every change of the row.');
  execute format('create trigger raise_version before update on %s for each row %s execute function raise_version()', target,
    case when unchanged is null then '' else format('when (%s)', unchanged) end);
  execute format('create trigger keep_id before update of id on %s for each row when (old.id <> new.id) execute function keep_id()', target);
end
$$;
comment on function add_version is 'Gives a table a version that rises with every update, except of the counts named.';

select add_version('up_entities');
select add_version('up_masjids');
select add_version('up_events', '{going_count}');
select add_version('up_event_occurrences', '{going_count,waitlisted_count}');
select add_version('up_event_rsvps');
select add_version('ua_campaigns', '{raised_minor}');
select add_version('ua_donations');
select add_version('ua_recurring_donations');
select add_version('ua_members');
select add_version('ua_households');
select add_version('pc_prayer_sources');
select add_version('pc_iqamah_schedules');
select add_version('pc_hijri_authorities');
select add_version('pc_hijri_months');

-- Its body names the columns of up_masjids, so it is read anew.
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
select pin_search_paths();
