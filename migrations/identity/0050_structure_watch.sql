-- Up Migration
-- Tells every process when the structure of the database changes, so that the API follows at once. Before PostgreSQL 17
-- only a superuser may create event triggers; where it is refused, the processes ask twice a second instead.

create function tell_structure_changed() returns event_trigger
language plpgsql as $$
begin
  perform pg_notify('minaret_structure', '');
end
$$;
comment on function tell_structure_changed is 'Sends the news that tables, types, functions or comments have changed.';

do $$
begin
  create event trigger minaret_structure on ddl_command_end
    when tag in (
      'ALTER DOMAIN', 'ALTER FUNCTION', 'ALTER MATERIALIZED VIEW', 'ALTER ROUTINE', 'ALTER TABLE', 'ALTER TYPE',
      'ALTER VIEW', 'COMMENT', 'CREATE DOMAIN', 'CREATE FOREIGN TABLE', 'CREATE FUNCTION', 'CREATE INDEX',
      'CREATE MATERIALIZED VIEW', 'CREATE TABLE', 'CREATE TABLE AS', 'CREATE TYPE', 'CREATE VIEW', 'SELECT INTO')
    execute function tell_structure_changed();
  create event trigger minaret_structure_drop on sql_drop execute function tell_structure_changed();
exception when insufficient_privilege then
  raise notice 'event triggers are not allowed here: changes of structure are found by asking';
end
$$;

-- The owner may be called as our own schema is: without this, a table that the owner creates by plain SQL would land there,
-- and not among the data.
do $$
begin
  execute format('alter database %I set search_path = public, extensions', current_database());
exception when insufficient_privilege then
  raise notice 'the search path of the database may not be set: name the schema when you create tables';
end
$$;
