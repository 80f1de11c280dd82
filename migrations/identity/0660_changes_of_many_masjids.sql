-- Up Migration
-- An import of a directory writes thousands of masjids in one statement. In a table with one row for each masjid, a line of the log for
-- each of them says no more than one for all: whoever follows the table reads it again either way. More than 500 are one line now.
-- The job changes at most 250 in a statement, so that what concerns a few masjids is still told by masjid.

create function changes.has_row_for_masjid(target regclass) returns boolean
language sql stable
begin atomic;
  select exists (
    select from pg_index index
    join pg_attribute attribute on attribute.attrelid = index.indrelid and attribute.attnum = index.indkey[0]
    where index.indrelid = target and index.indisunique and index.indnkeyatts = 1 and index.indpred is null
      and attribute.attname = changes.masjid_column_of(target));
end;
comment on function changes.has_row_for_masjid is 'Whether a table has at most one row for each masjid.';

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
  in_all constant text := format(E'    perform from %s offset 500 limit 1;\n    if found then\n'
    '      insert into changes.log (table_name, kind) values (%s, ''bulk'');\n      return null;\n    end if;\n', counted, named);
begin
  if key = '{}' then
    return in_bulk;
  end if;
  return format(E'perform from %s offset 20 limit 1;\n  if found then\n%s    %s\n  else\n    %s\n  end if;', counted,
    case when changes.has_row_for_masjid(target) then in_all else '' end, in_bulk,
    format('insert into changes.log (table_name, masjid_id, key, kind) '
      'select %s, masjid, pg_catalog.jsonb_build_object(%s), %L from (%s) changed;', named, object, operation,
      case operation when 'update' then format('select distinct on (%1$s) %1$s from (%2$s) sides order by %1$s', names, each_row)
        else each_row end));
end
$$;
comment on function changes.source_for(regclass, text, text, text) is 'The statements that log what one kind of statement changed in a table.';

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

-- Whether somebody claims a masjid is asked for thousands at once.
create index masjid_requests_masjid on minaret.masjid_requests (masjid_id) where masjid_id is not null;
