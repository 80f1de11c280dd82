-- Up Migration
-- The function that notes a table's inserts in the audit trail names its columns. It is written again when they change, in the same
-- transaction: also when they go with something else, such as their type.

create function changes.follow_columns(target oid) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if exists (
    select from pg_trigger entry join pg_proc called on called.oid = entry.tgfoid
    where entry.tgrelid = target and entry.tgname = 'note_insert' and entry.tgparentid = 0
      and called.pronamespace = 'public'::regnamespace and starts_with(called.proname::text, 'note_insert_into_')) then
    perform public.write_insert_note(target::regclass);
  end if;
end
$$;
comment on function changes.follow_columns is 'Writes the function again that notes a table''s inserts in the audit trail, if it has one.';

create or replace function changes.note_structure() returns event_trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  altered oid;
  noted boolean;
begin
  if tg_tag in ('CREATE INDEX', 'CREATE STATISTICS', 'REFRESH MATERIALIZED VIEW', 'REINDEX') then
    return;
  end if;
  if tg_event = 'sql_drop' then
    insert into changes.log (table_name, kind)
    select distinct object_identity, 'structure' from pg_event_trigger_dropped_objects()
    where original and not is_temporary and schema_name is distinct from 'changes';
    noted := found;
    for altered in
      select distinct objid from pg_event_trigger_dropped_objects()
      where object_type = 'table column' and not is_temporary and schema_name is distinct from 'changes'
    loop
      perform changes.follow_columns(altered);
    end loop;
  else
    insert into changes.log (table_name, kind)
    select distinct coalesce(object_identity, tg_tag), 'structure' from pg_event_trigger_ddl_commands()
    where coalesce(schema_name, '') not in ('pg_temp', 'changes');
    noted := found;
    for altered in
      select distinct objid from pg_event_trigger_ddl_commands()
      where classid = 'pg_class'::regclass and object_type in ('table', 'table column') and schema_name not in ('pg_temp', 'changes')
    loop
      perform changes.follow_alteration(altered);
      perform changes.follow_columns(altered);
    end loop;
  end if;
  if noted then
    perform pg_notify('minaret_structure', coalesce(current_setting('minaret.corrected_by', true), ''));
  end if;
end
$$;
