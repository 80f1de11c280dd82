-- Up Migration
-- The audit trail's dearest index was the one by record: keys are random, long, and came after the table's name. A number made of
-- the key finds the same rows in a third of the space, and is filled in half the time.
create index written_rows_record_newest on written_rows (hashtextextended(record_key, 0), id);
drop index written_rows_table_name_record_key_id_idx;

create or replace function record_history(record_table text, key text, masjid uuid, newest integer) returns jsonb
language sql stable
begin atomic;
  select coalesce(jsonb_agg(jsonb_build_object('at', at, 'kind', kind, 'columns', changed_columns, 'old', old_values,
      'new', new_values, 'user_id', case when may_know then user_id end, 'app_id', case when may_know then app_id end,
      'capability', case when may_know then capability end) order by id desc), '[]')
  from (
    select * from written_rows
    where hashtextextended(record_key, 0) = hashtextextended(key, 0) and table_name = record_table and record_key = key
    order by id desc limit least(greatest(newest, 0), 100)
  ) written
  cross join (select masjid = any (masjids_in_full()) or all_in_full() is not null or is_service_admin() as may_know) reader;
end;

-- The name of a key with one column is told to the trigger, and nothing is taken away from a row of which nothing is private.
create or replace function note_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  present constant jsonb := to_jsonb(new) - tg_argv[3]::text[];
begin
  if current_setting('minaret.user_id', true) <> '' then
    insert into written_rows (table_name, record_key, masjid_id, kind, changed_columns, new_values, user_id, app_id, request_id,
      authority, capability, database_user)
    select tg_table_name,
      case when tg_argv[7] <> '' then present ->> tg_argv[7] else key_of(present, tg_argv[0]::text[]) end,
      (present ->> tg_argv[1])::uuid, 'insert', tg_argv[6]::text[],
      case tg_argv[2] when '{}' then present else present - tg_argv[2]::text[] end, by_user,
      nullif(current_setting('minaret.app_id', true), '')::uuid,
      nullif(current_setting('minaret.request_id', true), ''), authority,
      case authority when 'capability' then tg_argv[5]::ua_capability end, session_user
    from (select current_setting('minaret.user_id', true)::uuid as by_user offset 0) person
    cross join lateral (
      select authority_of(by_user, (present ->> tg_argv[1])::uuid, nullif(tg_argv[5], '')::ua_capability) as authority offset 0
    ) held;
  else
    insert into written_rows (table_name, record_key, masjid_id, kind, changed_columns, new_values, app_id, request_id, authority,
      database_user)
    values (tg_table_name,
      case when tg_argv[7] <> '' then present ->> tg_argv[7] else key_of(present, tg_argv[0]::text[]) end,
      (present ->> tg_argv[1])::uuid, 'insert', tg_argv[6]::text[],
      case tg_argv[2] when '{}' then present else present - tg_argv[2]::text[] end,
      nullif(current_setting('minaret.app_id', true), '')::uuid,
      nullif(current_setting('minaret.request_id', true), ''), app_authority(), session_user);
  end if;
  return null;
end
$$;

-- The triggers as they should be, by name; a trigger that is there already, with the same arguments, is left as it is.
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
    select 'note_insert' as name, 'insert' as event, 'note_inserted' as called,
      told || noted_columns(target, told[4]::text[])::text
        || case cardinality(told[1]::text[]) when 1 then (told[1]::text[])[1] else '' end as arguments
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
