// The event triggers that migrations create where the owner may: the same statements for a superuser to run once.
const told = [
  ...['ALTER DOMAIN', 'ALTER FUNCTION', 'ALTER INDEX', 'ALTER MATERIALIZED VIEW', 'ALTER POLICY', 'ALTER ROUTINE'],
  ...['ALTER TABLE', 'ALTER TYPE', 'ALTER VIEW', 'COMMENT', 'CREATE DOMAIN', 'CREATE FOREIGN TABLE', 'CREATE FUNCTION'],
  ...['CREATE INDEX', 'CREATE MATERIALIZED VIEW', 'CREATE POLICY', 'CREATE TABLE', 'CREATE TABLE AS', 'CREATE TYPE'],
  ...['CREATE VIEW', 'SELECT INTO'],
]

const listOf = (tags: readonly string[]): string => tags.map(tag => `'${tag}'`).join(', ')

export const eventTriggers: Readonly<Record<string, string>> = {
  minaret_structure: `on ddl_command_end when tag in (${listOf(told)}) execute function minaret.tell_structure_changed()`,
  minaret_structure_drop: 'on sql_drop execute function minaret.tell_structure_changed()',
  minaret_changes: 'on ddl_command_end execute function changes.note_structure()',
  minaret_changes_drop: 'on sql_drop execute function changes.note_structure()',
  minaret_sandbox_guard: `on ddl_command_end when tag in (${listOf(['CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO'])}) execute function sandbox.guard_new_tables()`,
}

/** They have to fire in sessions that replay what another server did, too. */
const always = ['minaret_changes', 'minaret_changes_drop']

export const createEventTriggers = (missing: readonly string[]): string[] => [
  ...missing.map(name => `create event trigger ${name} ${eventTriggers[name]}`),
  ...always.filter(name => missing.includes(name)).map(name => `alter event trigger ${name} enable always`),
]
