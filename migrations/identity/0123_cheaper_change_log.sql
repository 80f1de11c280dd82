-- Up Migration
-- A write pays half as much for the log. What it paid for was mostly preparation: PostgreSQL plans for a thousand changed rows, and
-- allocates a hash table for them where a sort of one or two is enough; it parses a check constraint for every statement; and it
-- compares a row of the default partition with all others.

-- Only our triggers write here, and each names one of its kinds.
do $$
declare
  part regclass;
begin
  alter table changes.log drop constraint log_kind_check;
  for part in select inhrelid from pg_inherits where inhparent = 'changes.log'::regclass loop
    execute format('alter table %s drop constraint if exists log_kind_check', part);
  end loop;
end
$$;

-- DISTINCT ON always sorts, and never hashes.
create or replace function changes.source_for(target regclass, operation text, changed_rows text, counted text) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  named constant text := quote_literal(changes.name_of(target));
  masjid constant text := coalesce(quote_ident(changes.masjid_column_of(target)), 'null::pg_catalog.uuid');
  key constant text[] := changes.key_of(target);
  columns constant text := (
    select string_agg(format('%I as key_%s', name, place), ', ') from unnest(key) with ordinality part (name, place));
  object constant text := (
    select string_agg(format('%L, key_%s', name, place), ', ') from unnest(key) with ordinality part (name, place));
  names constant text := 'masjid' || (
    select string_agg(format(', key_%s', place), '' order by place) from generate_series(1, cardinality(key)) place);
  each_row constant text := format(changed_rows, masjid || ' as masjid, ' || columns);
  in_bulk constant text := format('insert into changes.log (table_name, masjid_id, kind) '
    'select %s, masjid, ''bulk'' from (%s) changed group by masjid;', named, format(changed_rows, masjid || ' as masjid'));
begin
  if key = '{}' then
    return in_bulk;
  end if;
  return format(E'perform from %s offset 20 limit 1;\n  if found then\n    %s\n  else\n    %s\n  end if;', counted, in_bulk,
    format('insert into changes.log (table_name, masjid_id, key, kind) '
      'select %s, masjid, pg_catalog.jsonb_build_object(%s), %L from (%s) changed;', named, object, operation,
      case operation when 'update' then format('select distinct on (%1$s) %1$s from (%2$s) sides order by %1$s', names, each_row)
        else each_row end));
end
$$;
comment on function changes.source_for(regclass, text, text, text) is 'The statements that log what one kind of statement changed in a table.';

-- An update is logged under the old and the new masjid and key, which is one row where they are the same.
create or replace function changes.source_for(target regclass) returns text
language sql stable
begin atomic;
  select format(
    E'\nbegin\nif tg_op = ''INSERT'' then\n  %s\nelsif tg_op = ''UPDATE'' then\n  %s\nelsif tg_op = ''DELETE'' then\n  %s\nelse\n  %s\n'
      'end if;\nreturn null;\nend\n',
    changes.source_for(target, 'insert', 'select %s from after_rows', 'after_rows'),
    changes.source_for(target, 'update', 'select %1$s from before_rows union all select %1$s from after_rows', 'after_rows'),
    changes.source_for(target, 'delete', 'select %s from before_rows', 'before_rows'),
    format('insert into changes.log (table_name, kind) values (%L, ''truncate'');', changes.name_of(target)));
end;
comment on function changes.source_for(regclass) is 'The body of the function that logs the changes of a table.';

do $$
declare
  root regclass;
begin
  for root in
    select distinct changes.watched_root_of(entry.tgrelid) from pg_trigger entry join pg_proc called on called.oid = entry.tgfoid
    where entry.tgname = 'changes_insert' and called.pronamespace = 'changes'::regnamespace
  loop
    perform changes.write_function(root);
  end loop;
end
$$;

-- The first partition begins today. What migrations left in the default one is older than any cursor, and nobody reads the log yet.
-- A lock that others hold is no reason not to start: the next round tries again.
create or replace function changes.open_partitions(retention interval) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  length constant interval := make_interval(days => greatest(ceil(extract(epoch from retention) / 86400 / 3), 1)::int);
  begins timestamptz;
  name text;
  opened integer := 0;
begin
  if not exists (select from changes.partitions()) then
    truncate changes.log_default;
  end if;
  begins := greatest(
    coalesce((select max(ends) from changes.partitions()), date_trunc('day', now(), 'UTC')),
    (select date_trunc('day', max(at), 'UTC') + interval '1 day' from changes.log_default));
  while begins < now() + length loop
    name := 'log_' || to_char(begins at time zone 'UTC', 'YYYYMMDD');
    execute format('create table changes.%I (like changes.log including defaults including constraints including indexes)', name);
    execute format('alter table changes.log attach partition changes.%I for values from (%L) to (%L)', name, begins, begins + length);
    begins := begins + length;
    opened := opened + 1;
  end loop;
  return opened;
exception when lock_not_available then
  return 0;
end
$$;
