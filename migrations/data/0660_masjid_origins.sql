-- Up Migration
-- Masjids that an operator imported from a directory: where each comes from, under which licence, and what the import wrote, so that it
-- changes only rows that it made and that nobody edited since.

create table up_masjid_origins (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null unique references up_masjids on delete cascade,
  source text not null check (source <> '' and length(source) <= 100 and is_plain_line(source)),
  source_id text not null check (source_id <> '' and length(source_id) <= 200 and is_plain_line(source_id)),
  licence text not null check (licence <> '' and length(licence) <= 300 and is_plain_line(licence)),
  imported_at timestamptz not null default now(),
  content_hash text not null,
  written_version bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (source, source_id)
);
select adopt_table('up_masjid_origins');

comment on table up_masjid_origins is E'@scope masjid:read\nWhere masjids come from that were imported from a directory, and under which licence: whoever shows them names both. Masjids that were registered here have none.';
comment on column up_masjid_origins.masjid_id is 'The masjid.';
comment on column up_masjid_origins.source is E'@erase none: the name of a directory\nThe directory, as it is to be named.';
comment on column up_masjid_origins.source_id is 'The row''s identifier in that directory.';
comment on column up_masjid_origins.licence is 'The licence of the directory, and what it asks of those who use its data.';
comment on column up_masjid_origins.imported_at is 'When what the directory says was last written here.';
comment on column up_masjid_origins.content_hash is E'@hidden\nA hash of what the directory said then: a row that says the same is not written again.';
comment on column up_masjid_origins.written_version is E'@hidden\nThe version of the masjid''s row after it was written. A higher one was edited since, and is left alone.';
comment on constraint up_masjid_origins_masjid_id_fkey on up_masjid_origins is
  E'@object masjid\n@array origin\nWhere the masjid comes from, if it was imported.';

-- What an import has read so far: to find a source_id that is given twice, and rows that the source no longer has. After a crash it is
-- empty, and so is it for the next import.
create unlogged table imported_rows (
  source_id text primary key,
  line bigint not null,
  point cube,
  name text
);
create index imported_rows_point on imported_rows using gist (point);
comment on table imported_rows is E'@hidden\n@made_of\nThe rows that an import has read so far. Not part of the API.';
comment on column imported_rows.source_id is 'The row''s identifier in the directory.';
comment on column imported_rows.line is 'The line on which it begins.';
comment on column imported_rows.point is 'In a trial, where a masjid would be added.';
comment on column imported_rows.name is E'@erase none: the name of a masjid\nIn a trial, its name as searching compares it.';

-- One statement inserts thousands of masjids, and one statement marks them.
create function note_new_masjids() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into calculation_states (masjid_id) select id from entered on conflict (masjid_id) do nothing;
  return null;
end
$$;
comment on function note_new_masjids is 'Marks the times of new masjids as due for calculation.';
create or replace trigger note_new_masjid after insert on up_masjids referencing new table as entered
  for each statement execute function note_new_masjids();

-- An import is one entry of the audit log, with its counts, and each masjid says where it comes from: a million rows more would only hide
-- what people do. Only the owner of the table can leave them out.
create function is_importing() returns boolean
language sql stable
begin atomic;
  select coalesce(current_setting('minaret.importing', true), '') = 'yes' and not row_security_active('up_masjids'::regclass);
end;
comment on function is_importing is 'Whether this transaction is part of an import by the owner of the database.';

create or replace function watch_writes(target regclass) returns boolean
language plpgsql set search_path from current as $$
declare
  each record;
  changed boolean := false;
begin
  if current_schema() = 'sandbox' then
    return false;
  end if;
  if changes.hears_structure() then
    perform write_insert_note(target);
  end if;
  for each in select * from missing_write_notes(target) loop
    execute format('create or replace trigger %I after %s on %s for each row %s execute function %s', each.name, each.event, target,
      case when target = to_regclass('up_masjids') then 'when (not is_importing())' else '' end, each.definition);
    changed := true;
  end loop;
  return changed;
end
$$;

create or replace function missing_write_notes(target regclass) returns table (name text, event text, definition text)
language sql stable set search_path from current as $$
  select wanted.name, wanted.event, wanted.definition from write_notes(target) wanted
  where not exists (
    select from pg_trigger where tgrelid = target and tgname = wanted.name
      and right(pg_get_triggerdef(oid), length(wanted.definition)) = wanted.definition
      and (tgtype & 4 = 4) = (wanted.event = 'insert')
      and (tgqual is not null) = (target is not distinct from to_regclass('up_masjids')))
$$;
select watch_writes('up_masjids');

-- The same masjid in two directories: within 150 metres, or of the same name within a kilometre.
create function masjid_beside(latitude double precision, longitude double precision, name text) returns table (id uuid, distance_km double precision)
language sql stable parallel safe
begin atomic;
  select beside.id, beside.distance from (
    select masjid.id, masjid.name, earth_point(masjid.latitude, masjid.longitude) <-> earth_point($1, $2) as distance
    from up_masjids masjid
    where cube_enlarge(earth_point($1, $2), chord_km(1), 3) @> earth_point(masjid.latitude, masjid.longitude) and masjid.deleted_at is null
  ) beside
  where beside.distance <= chord_km(0.15) or beside.distance <= chord_km(1) and search_text(beside.name) = search_text($3)
  order by beside.distance, beside.id limit 1;
end;
comment on function masjid_beside is E'@hidden\nThe nearest masjid that is probably the same as one that is to be imported.';

create function imported_beside(latitude double precision, longitude double precision, name text) returns table (source_id text, distance_km double precision)
language sql stable
begin atomic;
  select beside.source_id, beside.distance from (
    select read.source_id, read.name, read.point <-> earth_point($1, $2) as distance from imported_rows read
    where cube_enlarge(earth_point($1, $2), chord_km(1), 3) @> read.point
  ) beside
  where beside.distance <= chord_km(0.15) or beside.distance <= chord_km(1) and beside.name = search_text($3)
  order by beside.distance, beside.source_id limit 1;
end;
comment on function imported_beside is E'@hidden\nIn a trial: the nearest masjid that would be added, and is probably the same.';
revoke execute on function masjid_beside, imported_beside from public;
select changes.watch('up_masjid_origins') where current_schema() = 'public';
select pin_search_paths();
