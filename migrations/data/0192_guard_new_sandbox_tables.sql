-- Up Migration
-- Tables that are added to the sandbox later get their guard at once, where event triggers are allowed; everywhere at the
-- next start.

do $do$
begin
  if current_schema() <> 'sandbox' then
    return;
  end if;

  create function guard_new_tables() returns event_trigger
  language plpgsql as $$
  begin
    if exists (select from pg_event_trigger_ddl_commands() where schema_name = 'sandbox' and object_type = 'table') then
      perform sandbox.guard_against_commits();
    end if;
  end
  $$;
  comment on function guard_new_tables is E'@hidden\nGives new tables of the sandbox their guard against commits.';

  begin
    create event trigger minaret_sandbox_guard on ddl_command_end
      when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO')
      execute function guard_new_tables();
  exception when insufficient_privilege then
    raise notice 'event triggers are not allowed here: new tables of the sandbox are guarded at the next start';
  end;
end
$do$;
