-- Up Migration
-- In the sandbox a mutation can only be tried. The role that tries it may write, but no commit of it succeeds: a constraint
-- trigger of every table, checked at the commit, refuses it. A dry run rolls back before that.

do $do$
begin
  if current_schema() <> 'sandbox' then
    return;
  end if;

  create function refuse_commit() returns trigger
  language plpgsql as $$
  begin
    raise exception 'Nothing can be changed in the sandbox.' using errcode = 'MN003';
  end
  $$;
  comment on function refuse_commit is E'@hidden\nRefuses every commit of the role that tries mutations.';

  -- The condition is checked when a row is written, so other roles pay next to nothing, and queue nothing.
  create function guard_against_commits() returns void
  language plpgsql set search_path from current as $$
  declare
    target regclass;
  begin
    for target in
      select c.oid from pg_catalog.pg_class c
      where c.relnamespace = 'sandbox'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select from pg_catalog.pg_trigger where tgrelid = c.oid and tgname = 'sandbox_never_commits')
    loop
      execute format(
        'create constraint trigger sandbox_never_commits after insert or update or delete on %s '
        'deferrable initially deferred for each row '
        'when (session_user::text like ''minaret\_sandbox\_writer%%'' or current_user::text like ''minaret\_sandbox\_writer%%'') '
        'execute function refuse_commit()', target);
    end loop;
  end
  $$;
  comment on function guard_against_commits is E'@hidden\nGives every table of the sandbox its guard; tables that have one stay as they are.';

  perform guard_against_commits();
end
$do$;
