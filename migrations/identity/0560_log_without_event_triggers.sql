-- Up Migration
-- The change log no longer depends on event triggers, which only a superuser may create. Without them the rows of every table are logged
-- as before. What changes of a table's structure is found by the service, within half a second, and then logged as a row of kind
-- structure: whoever keeps a copy reads that table again. Only answers from memory need to know such changes in their own transaction,
-- and are not kept. `logged_tables` and `is_logged` still mean both, for an earlier version that runs beside this one.

create function changes.traced_tables() returns setof oid
language sql stable
begin atomic;
  with recursive fires as (
    select entry.tgrelid, entry.tgfoid, called.proname
    from pg_trigger entry join pg_proc called on called.oid = entry.tgfoid
    where called.pronamespace = 'changes'::regnamespace and called.prosecdef
      and entry.tgenabled = 'A' and entry.tgqual is null and entry.tgattr = ''
      and (entry.tgtype, coalesce(entry.tgoldtable, ''), coalesce(entry.tgnewtable, '')) in (
        (4::smallint, ''::name, 'after_rows'::name), (8::smallint, 'before_rows'::name, ''::name),
        (16::smallint, 'before_rows'::name, 'after_rows'::name), (32::smallint, ''::name, ''::name))
    group by entry.tgrelid, entry.tgfoid, called.proname having count(distinct entry.tgtype) = 4
  ),
  member (root, oid, called) as (
    select class.oid, class.oid, fires.tgfoid
    from fires join pg_class class on class.oid = fires.tgrelid join pg_namespace home on home.oid = class.relnamespace
    where fires.proname = changes.function_name(home.nspname || '.' || class.relname)
    union all
    select member.root, child.inhrelid, member.called from member join pg_inherits child on child.inhparent = member.oid
  )
  select member.root from member
  join pg_class class on class.oid = member.oid
  left join fires on fires.tgrelid = member.oid and fires.tgfoid = member.called
  group by member.root
  having bool_and(class.relkind in ('r', 'p') and class.relpersistence = 'p' and fires.tgrelid is not null);
end;
comment on function changes.traced_tables is 'The tables of which every change of rows is in the log: all triggers exist and always fire, on partitions and children too.';

create or replace function changes.logged_tables() returns setof oid
language sql stable
begin atomic;
  select traced from changes.traced_tables() traced where changes.hears_structure();
end;
comment on function changes.logged_tables is 'The tables of which every change of rows and of structure is in the log.';
comment on function changes.hears_structure is 'Whether event triggers log changes of structure in their own transaction.';

-- Nothing rewrites the function in the transaction that renames a column. Until the service has done so, the table is written all the
-- same, and the statement is logged without its keys.
create or replace function changes.source_for(target regclass) returns text
language sql stable
begin atomic;
  select format(
    E'\nbegin\nif tg_op operator(pg_catalog.=) ''UPDATE'' then\n  %s\nelsif tg_op operator(pg_catalog.=) ''INSERT'' then\n  %s\n'
      'elsif tg_op operator(pg_catalog.=) ''DELETE'' then\n  %s\nelse\n  %s\nend if;\nreturn null;\n%send\n',
    changes.source_for(target, 'update', 'select %1$s from before_rows union all select %1$s from after_rows', 'after_rows'),
    changes.source_for(target, 'insert', 'select %s from after_rows', 'after_rows'),
    changes.source_for(target, 'delete', 'select %s from before_rows', 'before_rows'),
    format('insert into changes.log (table_name, kind) values (%L, ''truncate'');', changes.name_of(target)),
    case when changes.hears_structure() then '' else format(
      E'exception when syntax_error_or_access_rule_violation then\n  insert into changes.log (table_name, kind) values (%L, ''bulk'');\n'
        '  return null;\n', changes.name_of(target)) end);
end;

create or replace function changes.watch(target regclass) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
declare
  called constant text := format('changes.%I', changes.function_name(changes.name_of(target)));
  member regclass;
begin
  if changes.watched_root_of(target) <> target then
    return false;
  end if;
  perform changes.write_function(target);
  for member in
    select class.oid from changes.family_of(target) family join pg_class class on class.oid = family
    where class.relkind in ('r', 'p') and not changes.fires(class.oid, called::regproc) and not exists (
      select from pg_trigger entry where entry.tgrelid = class.oid and entry.tgenabled = 'D'
        and entry.tgname in ('changes_insert', 'changes_update', 'changes_delete', 'changes_truncate'))
  loop
    execute format('create or replace trigger changes_insert after insert on %s '
      'referencing new table as after_rows for each statement execute function %s()', member, called);
    execute format('create or replace trigger changes_update after update on %s '
      'referencing old table as before_rows new table as after_rows for each statement execute function %s()', member, called);
    execute format('create or replace trigger changes_delete after delete on %s '
      'referencing old table as before_rows for each statement execute function %s()', member, called);
    execute format('create or replace trigger changes_truncate after truncate on %s '
      'for each statement execute function %s()', member, called);
    execute format('alter table %s enable always trigger changes_insert, enable always trigger changes_update, '
      'enable always trigger changes_delete, enable always trigger changes_truncate', member);
  end loop;
  return exists (select from changes.traced_tables() traced where traced = target);
end
$$;

create or replace function changes.begin_history() returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from changes.history where server = changes.this_server()) then
    return false;
  end if;
  delete from changes.log where xid >= pg_snapshot_xmax(pg_current_snapshot());
  insert into changes.history (id, server, since)
  values (left(md5(gen_random_uuid()::text), 10), changes.this_server(), pg_snapshot_xmax(pg_current_snapshot()))
  on conflict (only_one) do update
  set id = excluded.id, server = excluded.server, since = excluded.since, forgotten = default;
  return true;
end
$$;

alter table changes.history add heard boolean;
comment on column changes.history.heard is 'Whether there were event triggers when the functions of the tables were last written.';

create function changes.write_functions() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  root regclass;
begin
  if (select heard from changes.history) is not distinct from changes.hears_structure() then
    return;
  end if;
  for root in
    select distinct changes.watched_root_of(entry.tgrelid) from pg_trigger entry join pg_proc called on called.oid = entry.tgfoid
    where entry.tgname = 'changes_insert' and called.pronamespace = 'changes'::regnamespace
  loop
    perform changes.write_function(root);
  end loop;
  update changes.history set heard = changes.hears_structure();
end
$$;
comment on function changes.write_functions is 'Writes the functions of all tables again where event triggers have come or gone.';

create or replace function changes.keep(retention interval) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('lock_timeout', '100ms', true);
  perform changes.begin_history();
  perform changes.open_partitions(retention);
  perform changes.drop_partitions(retention);
  perform changes.write_functions();
  perform changes.drop_functions();
end
$$;

create table changes.shapes (
  name text primary key,
  shape text not null
);
comment on table changes.shapes is 'What each table, view and function looked like when changes of structure were last looked for. Only used without event triggers.';
comment on column changes.shapes.name is 'As the log names it.';
comment on column changes.shapes.shape is 'The transactions that wrote its rows of the catalogue: others after every change.';

create function changes.shapes_now() returns table (name text, shape text)
language sql stable
begin atomic;
  with recursive member (root, oid) as (
    select oid, oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
    union
    select member.root, child.inhrelid from member join pg_inherits child on child.inhparent = member.oid
  ),
  part (root, writer) as (
    select member.root, class.xmin from member join pg_class class on class.oid = member.oid
    union all select member.root, written.xmin from member join pg_attribute written on written.attrelid = member.oid and written.attnum > 0
    union all select member.root, written.xmin from member join pg_trigger written on written.tgrelid = member.oid and not written.tgisinternal
    union all select member.root, written.xmin from member join pg_policy written on written.polrelid = member.oid
    union all select member.root, written.xmin from member join pg_rewrite written on written.ev_class = member.oid
    union all select member.root, written.xmin from member join pg_constraint written on written.conrelid = member.oid
    union all select member.root, written.xmin from member join pg_inherits written on written.inhrelid = member.oid
    union all select member.root, written.xmin from member
      join pg_description written on written.objoid = member.oid and written.classoid = 'pg_class'::regclass
  )
  select changes.name_of(root), md5(string_agg(writer::text, ' ' order by writer::text)) from part group by root
  union all
  select format('public.%s(%s)', called.proname, pg_get_function_identity_arguments(called.oid)),
    concat_ws(' ', called.xmin, (select max(written.xmin::text) from pg_description written
      where written.objoid = called.oid and written.classoid = 'pg_proc'::regclass))
  from pg_proc called where called.pronamespace = 'public'::regnamespace;
end;
comment on function changes.shapes_now is 'What each table, view and function looks like now.';

-- A table whose columns have other names gets its function written again in the transaction that says so.
create function changes.note_alterations() returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  altered text;
  noted integer := 0;
begin
  if changes.hears_structure() then
    return 0;
  end if;
  for altered in
    with now_there as materialized (
      select name, min(shape) as shape from changes.shapes_now() group by name
    ), written as (
      insert into changes.shapes as known (name, shape) select name, shape from now_there order by name
      on conflict (name) do update set shape = excluded.shape where known.shape <> excluded.shape
      returning known.name
    ), gone as (
      delete from changes.shapes where name not in (select name from now_there) returning name
    )
    select name from written union all select name from gone
  loop
    perform changes.write_function(class.oid) from pg_class class
    where class.relnamespace = 'public'::regnamespace and 'public.' || class.relname = altered
      and changes.watched_root_of(class.oid) = class.oid;
    insert into changes.log (table_name, kind) values (altered, 'structure');
    noted := noted + 1;
  end loop;
  return noted;
end
$$;
comment on function changes.note_alterations is 'Logs what looks different than the last time, where no event trigger did. Called when the tables have their triggers again, so that nothing is missed in between.';
