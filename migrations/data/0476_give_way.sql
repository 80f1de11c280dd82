-- Up Migration
-- While the service runs, what it changes of the structure gives way to everybody else: it waits for locks for 200 ms at most, and
-- changes one table in each transaction. Triggers are replaced in place: dropping one stops those who read.

create function write_notes(target regclass) returns table (name text, event text, definition text)
language sql stable set search_path from current as $$
  select each.name, each.event, format('%I(%s)', each.called, (
    select string_agg(quote_literal(argument), ', ' order by place) from unnest(each.arguments) with ordinality said (argument, place)))
  from (select writing_arguments(target) as told offset 0) asked
  cross join lateral (
    select 'note_insert', 'insert', insert_note_name(target), '{}'::text[] where changes.hears_structure()
    union all select 'note_insert', 'insert', 'note_inserted', told || noted_columns(target, told[4]::text[])::text
      || case cardinality(told[1]::text[]) when 1 then (told[1]::text[])[1] else '' end
    where not changes.hears_structure()
    union all select 'note_writing', 'update or delete', 'note_writing', told
  ) each (name, event, called, arguments)
$$;
comment on function write_notes is 'The triggers that note the writing of a table in the audit trail, as its columns and comments say now.';

create function missing_write_notes(target regclass) returns table (name text, event text, definition text)
language sql stable set search_path from current as $$
  select wanted.name, wanted.event, wanted.definition from write_notes(target) wanted
  where not exists (
    select from pg_trigger where tgrelid = target and tgname = wanted.name
      and right(pg_get_triggerdef(oid), length(wanted.definition)) = wanted.definition
      and (tgtype & 4 = 4) = (wanted.event = 'insert'))
$$;
comment on function missing_write_notes is 'Those triggers of write_notes that a table lacks, or has in another form.';

create function has_write_notes(target regclass) returns boolean
language sql stable set search_path from current as $$
  select current_schema() = 'sandbox' or not exists (select from missing_write_notes(target)) and (
    not changes.hears_structure() or exists (
      select from pg_proc where pronamespace = current_schema()::regnamespace and proname = insert_note_name(target) and prosecdef
        and prosrc = insert_note_source(target)))
$$;
comment on function has_write_notes is 'Whether watch_writes would find nothing to do. Takes no lock on the table.';

create or replace function watch_writes(target regclass) returns boolean
language plpgsql set search_path from current as $$
declare
  each record;
  changed boolean := false;
begin
  if current_schema() = 'sandbox' then
    return false;
  end if;
  if changes.hears_structure() then
    perform write_insert_note(target);
  end if;
  for each in select * from missing_write_notes(target) loop
    execute format('create or replace trigger %I after %s on %s for each row execute function %s',
      each.name, each.event, target, each.definition);
    changed := true;
  end loop;
  return changed;
end
$$;

do $do$
declare
  source constant text := pg_get_functiondef('open_months_of_writing()'::regprocedure);
begin
  if position($q$'lock_timeout', '2s'$q$ in source) = 0 then
    raise exception 'open_months_of_writing does not limit how long it waits';
  end if;
  execute replace(source, $q$'lock_timeout', '2s'$q$, $q$'lock_timeout', '200ms'$q$);
  if current_schema() <> 'sandbox' then
    return;
  end if;

  create function guard_next_table() returns boolean
  language plpgsql set search_path from current as $$
  declare
    target regclass := (
      select min(c.oid) from pg_catalog.pg_class c
      where c.relnamespace = 'sandbox'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select from pg_catalog.pg_trigger where tgrelid = c.oid and tgname = 'sandbox_never_commits'));
  begin
    if target is null then
      return false;
    end if;
    perform minaret.hold_table(target);
    if not exists (select from pg_catalog.pg_trigger where tgrelid = target and tgname = 'sandbox_never_commits') then
      execute format(
        'create constraint trigger sandbox_never_commits after insert or update or delete on %s '
        'deferrable initially deferred for each row '
        'when (session_user::text like ''minaret\_sandbox\_writer%%'' or current_user::text like ''minaret\_sandbox\_writer%%'') '
        'execute function refuse_commit()', target);
    end if;
    return true;
  end
  $$;
  comment on function guard_next_table is E'@hidden\nGives one table of the sandbox its guard against commits; false if all have theirs.';
end
$do$;
select pin_search_paths();
