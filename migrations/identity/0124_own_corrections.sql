-- Up Migration
-- A process that grants rights or creates triggers after it has read the structure knows what it did. Notifications of such changes
-- name that process, which then need not read everything again; all others do.

create or replace function tell_structure_changed() returns event_trigger
language plpgsql as $$
begin
  perform pg_notify('minaret_structure', coalesce(current_setting('minaret.corrected_by', true), ''));
end
$$;

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
    end loop;
  end if;
  if noted then
    perform pg_notify('minaret_structure', coalesce(current_setting('minaret.corrected_by', true), ''));
  end if;
end
$$;
