-- Up Migration
-- Inserts were noted by one function for all tables, which learnt from its trigger's arguments what to keep of a row, and turned
-- the whole row into JSON first. Each table has a function of its own now, which names its columns, as in the change log. It must
-- follow whatever happens to them in the same transaction, and that takes event triggers: without these the general function stays.

create function insert_note_source(target regclass) returns text
language plpgsql stable set search_path from current as $$
declare
  told constant text[] := writing_arguments(target);
  key constant text[] := told[1];
  private constant text[] := told[3];
  columns constant text[] := noted_columns(target, told[4]::text[]);
  masjid constant text := case told[2] when '' then 'null::uuid' else format('new.%I', told[2]) end;
  capability constant text := format('nullif(%L, '''')::ua_capability', told[6]);
  -- Casting is quicker than by way of JSON, and gives the same text.
  record_key constant text := case
    when cardinality(key) <> 1 then format('key_of(jsonb_build_object(%s), %L)', (
      select string_agg(format('%L, new.%I', name, name), ', ') from unnest(key) name), key)
    when exists (select from pg_attribute where attrelid = target and attname = key[1]
      and atttypid = any (array['uuid', 'text', 'integer', 'bigint']::regtype[])) then format('new.%I::text', key[1])
    else format('to_jsonb(new.%I) #>> ''{}''', key[1]) end;
  -- A function takes a hundred arguments at most.
  kept constant text := coalesce((
    select string_agg(format('jsonb_build_object(%s)', arguments), ' || ') from (
      select string_agg(format('%L, new.%I', name, name), ', ')
      from unnest(columns) with ordinality noted (name, place)
      where name <> all (private) group by (place - 1) / 50
    ) part (arguments)), '''{}''::jsonb');
  -- Written into it, as sessions prepare the function again only if it changes, and expect the types that it had.
  types constant text := (
    select string_agg(format_type(atttypid, atttypmod), ', ' order by attnum) from pg_attribute
    where attrelid = target and attnum > 0 and not attisdropped);
  what constant text := format('tg_table_name, %s, %s, ''insert'', %L::text[], %s', record_key, masjid, columns, kept);
  through constant text := 'nullif(current_setting(''minaret.app_id'', true), '''')::uuid, '
    'nullif(current_setting(''minaret.request_id'', true), '''')';
begin
  return format($source$
-- %5$s
begin
  if current_setting('minaret.user_id', true) <> '' then
    insert into written_rows (table_name, record_key, masjid_id, kind, changed_columns, new_values, app_id, request_id, user_id,
      authority, capability, database_user)
    select %1$s, %2$s, by_user, authority, case authority when 'capability' then %3$s end, session_user
    from (select current_setting('minaret.user_id', true)::uuid as by_user offset 0) person
    cross join lateral (select authority_of(by_user, %4$s, %3$s) as authority offset 0) held;
  else
    insert into written_rows (table_name, record_key, masjid_id, kind, changed_columns, new_values, app_id, request_id, authority,
      database_user)
    values (%1$s, %2$s, app_authority(), session_user);
  end if;
  return null;
end
$source$, what, through, capability, masjid, translate(types, E'\r\n', ''));
end
$$;
comment on function insert_note_source is 'The body of the function that notes a table''s inserts in the audit trail.';

-- A table keeps its function when it is renamed; one that takes its old name gets another.
create function insert_note_name(target regclass) returns text
language sql stable
begin atomic;
  with noting (name, relation) as (
    select called.proname::text, entry.tgrelid from pg_trigger entry join pg_proc called on called.oid = entry.tgfoid
    where entry.tgname = 'note_insert' and starts_with(called.proname::text, 'note_insert_into_')
  ),
  wanted (name) as (
    select 'note_insert_into_' || case when octet_length(relname) <= 46 then relname else md5(relname) end
    from pg_class where oid = target
  )
  select coalesce(
    (select name from noting where relation = target),
    (select 'note_insert_into_' || md5(target::oid::text || name) from wanted where name in (select name from noting)),
    (select name from wanted));
end;
comment on function insert_note_name is 'The name of the function that notes a table''s inserts, whether or not it exists.';

create function write_insert_note(target regclass) returns text
language plpgsql set search_path from current as $$
declare
  called constant text := insert_note_name(target);
  source constant text := insert_note_source(target);
begin
  if exists (select from pg_proc where pronamespace = current_schema()::regnamespace and proname = called and prosecdef
      and prosrc = source) then
    return called;
  end if;
  execute format('create or replace function %I.%I() returns trigger language plpgsql security definer '
    'set search_path = %1$I, extensions, pg_temp as %3$L', current_schema(), called, source);
  execute format('revoke execute on function %I.%I from public', current_schema(), called);
  execute format('comment on function %I.%I is %L', current_schema(), called, E'@hidden\nNotes inserts in the audit trail.');
  return called;
end
$$;
comment on function write_insert_note is 'Writes the function that notes a table''s inserts, unless it is there. Returns its name.';

create or replace function watch_writes(target regclass) returns boolean
language plpgsql set search_path from current as $$
declare
  told constant text[] := writing_arguments(target);
  each record;
  definition text;
  changed boolean := false;
begin
  if current_schema() = 'sandbox' then
    return false;
  end if;
  for each in
    select 'note_insert' as name, 'insert' as event, write_insert_note(target) as called, '{}'::text[] as arguments
    where changes.hears_structure()
    union all select 'note_insert', 'insert', 'note_inserted', told || noted_columns(target, told[4]::text[])::text
      || case cardinality(told[1]::text[]) when 1 then (told[1]::text[])[1] else '' end
    where not changes.hears_structure()
    union all select 'note_writing', 'update or delete', 'note_writing', told
  loop
    select format('%I(%s)', each.called, string_agg(quote_literal(argument), ', ' order by place)) into definition
    from unnest(each.arguments) with ordinality said (argument, place);
    if exists (select from pg_trigger where tgrelid = target and tgname = each.name
        and right(pg_get_triggerdef(oid), length(definition)) = definition and (tgtype & 4 = 4) = (each.event = 'insert')) then
      continue;
    end if;
    execute format('drop trigger if exists %I on %s', each.name, target);
    execute format('create trigger %I after %s on %s for each row execute function %s', each.name, each.event, target, definition);
    changed := true;
  end loop;
  return changed;
end
$$;

do $$
declare
  watched regclass;
begin
  for watched in select distinct tgrelid from pg_trigger where tgfoid = 'note_writing'::regproc loop
    perform watch_writes(watched);
  end loop;
end
$$;
select pin_search_paths();
