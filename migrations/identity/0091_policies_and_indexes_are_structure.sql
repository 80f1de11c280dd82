-- Up Migration
-- Policies decide whether rows depend on the reader, and indexes are named in mutations: their changes are news too.

do $$
begin
  drop event trigger if exists minaret_structure;
  create event trigger minaret_structure on ddl_command_end
    when tag in (
      'ALTER DOMAIN', 'ALTER FUNCTION', 'ALTER INDEX', 'ALTER MATERIALIZED VIEW', 'ALTER POLICY', 'ALTER ROUTINE',
      'ALTER TABLE', 'ALTER TYPE', 'ALTER VIEW', 'COMMENT', 'CREATE DOMAIN', 'CREATE FOREIGN TABLE', 'CREATE FUNCTION',
      'CREATE INDEX', 'CREATE MATERIALIZED VIEW', 'CREATE POLICY', 'CREATE TABLE', 'CREATE TABLE AS', 'CREATE TYPE',
      'CREATE VIEW', 'SELECT INTO')
    execute function tell_structure_changed();
exception when insufficient_privilege then
  raise notice 'event triggers are not allowed here: changes of structure are found by asking';
end
$$;
