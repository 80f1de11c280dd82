-- Up Migration
-- The triggers that write the change log. The service gives them to every exposed table when it reads the structure (changes.watch);
-- from then on the database keeps them right by itself: a table that is altered, and a partition that is added, is seen to in the
-- same transaction. That takes event triggers, which before PostgreSQL 17 only a superuser may create. Without them there is no log:
-- a renamed column would break every write to its table.
--
-- By statement, since a bulk write must not leave a row for each row; and without dynamic SQL, since each write waits for it.

create function changes.name_of(target regclass) returns text
language sql stable
begin atomic;
  select format('%s.%s', home.nspname, class.relname)
  from pg_class class join pg_namespace home on home.oid = class.relnamespace where class.oid = target;
end;
comment on function changes.name_of is 'A table as the log names it: with its schema, without quotes.';

create function changes.function_name(table_name text) returns text
language sql immutable
return case when octet_length(table_name) <= 63 then replace(table_name, '.', '_')
  else format('%s_%s', left(table_name, 13), md5(table_name)) end;
comment on function changes.function_name is 'The name of the function that the triggers of a table, its partitions and children call.';

create function changes.family_of(target regclass) returns setof regclass
language sql stable
begin atomic;
  with recursive member (oid) as (
    select target::oid
    union
    select child.inhrelid from member join pg_inherits child on child.inhparent = member.oid
  )
  select oid::regclass from member;
end;
comment on function changes.family_of is 'A table with its partitions and inheritance children, at every level: all that its rows can be written to by name.';

create function changes.key_of(target regclass) returns text[]
language sql stable
begin atomic;
  select coalesce(array_agg(attribute.attname::text order by part.place), '{}')
  from pg_index index
  cross join lateral unnest(index.indkey[:index.indnkeyatts - 1]) with ordinality part (number, place)
  join pg_attribute attribute on attribute.attrelid = target and attribute.attnum = part.number
  where index.indrelid = target and index.indisprimary;
end;
comment on function changes.key_of is 'The columns of a table''s primary key.';

create function changes.masjid_column_of(target regclass) returns text
language sql stable
begin atomic;
  select attname::text from pg_attribute
  where attrelid = target and attnum > 0 and not attisdropped and atttypid = 'uuid'::regtype
    and attname = case when changes.name_of(target) in ('public.up_masjids', 'sandbox.up_masjids') then 'id' else 'masjid_id' end;
end;
comment on function changes.masjid_column_of is 'The column that says which masjid a row belongs to; null if there is none.';

-- One kind of statement: up to 20 rows are logged one by one, by their keys. In bulk, and for a table without a key, one row stands
-- for all that changed at a masjid. Every name is qualified: whoever writes decides about temporary tables.
create function changes.source_for(target regclass, operation text, changed_rows text, counted text) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  named constant text := quote_literal(changes.name_of(target));
  masjid constant text := coalesce(quote_ident(changes.masjid_column_of(target)), 'null::pg_catalog.uuid');
  key constant text[] := changes.key_of(target);
  columns constant text := (
    select string_agg(format('%I as key_%s', name, place), ', ') from unnest(key) with ordinality part (name, place));
  object constant text := (
    select string_agg(format('%L, key_%s', name, place), ', ') from unnest(key) with ordinality part (name, place));
  in_bulk constant text := format('insert into changes.log (table_name, masjid_id, kind) '
    'select %s, masjid, ''bulk'' from (%s) changed group by masjid;', named, format(changed_rows, masjid || ' as masjid'));
begin
  if key = '{}' then
    return in_bulk;
  end if;
  return format(E'perform from %s offset 20 limit 1;\n  if found then\n    %s\n  else\n    %s\n  end if;', counted, in_bulk,
    format('insert into changes.log (table_name, masjid_id, key, kind) '
      'select %s, masjid, pg_catalog.jsonb_build_object(%s), %L from (%s) changed;',
      named, object, operation, format(changed_rows, masjid || ' as masjid, ' || columns)));
end
$$;
comment on function changes.source_for(regclass, text, text, text) is 'The statements that log what one kind of statement changed in a table.';

-- An update is logged under the old and the new masjid and key; UNION leaves one row where they are the same.
create function changes.source_for(target regclass) returns text
language sql stable
begin atomic;
  select format(
    E'\nbegin\nif tg_op = ''INSERT'' then\n  %s\nelsif tg_op = ''UPDATE'' then\n  %s\nelsif tg_op = ''DELETE'' then\n  %s\nelse\n  %s\n'
      'end if;\nreturn null;\nend\n',
    changes.source_for(target, 'insert', 'select %s from after_rows', 'after_rows'),
    changes.source_for(target, 'update', 'select %1$s from before_rows union select %1$s from after_rows', 'after_rows'),
    changes.source_for(target, 'delete', 'select %s from before_rows', 'before_rows'),
    format('insert into changes.log (table_name, kind) values (%L, ''truncate'');', changes.name_of(target)));
end;
comment on function changes.source_for(regclass) is 'The body of the function that logs the changes of a table.';

create function changes.hears_structure() returns boolean
language sql stable
begin atomic;
  select count(*) = 2 from pg_event_trigger
  where evtname in ('minaret_changes', 'minaret_changes_drop') and evtenabled = 'A';
end;
comment on function changes.hears_structure is 'Whether changes of structure are logged: without that, a table could lose its triggers unnoticed.';

-- Read with the whole catalogue, so it is one query. Triggers after a statement that inserts, deletes, updates, truncates have the types 4, 8,
-- 16 and 32. An unlogged table loses its rows in a crash, and no trigger tells.
create function changes.logged_tables() returns setof oid
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
  where changes.hears_structure()
  group by member.root
  having bool_and(class.relkind in ('r', 'p') and class.relpersistence = 'p' and fires.tgrelid is not null);
end;
comment on function changes.logged_tables is 'The tables of which every change is in the log: all triggers exist and always fire, on partitions and children too.';

create function changes.fires(member regclass, called regproc) returns boolean
language sql stable
begin atomic;
  select count(*) = 4 from pg_trigger
  where tgrelid = member and tgfoid = called and tgenabled = 'A' and tgqual is null and tgattr = ''
    and tgname in ('changes_insert', 'changes_update', 'changes_delete', 'changes_truncate');
end;
comment on function changes.fires is 'Whether a table has its own four triggers of the log, and they always fire.';

create function changes.is_logged(target regclass) returns boolean
language sql stable
begin atomic;
  select target in (select changes.logged_tables());
end;
comment on function changes.is_logged is 'Whether every change of a table''s rows is in the log.';

create function changes.write_function(target regclass) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  called constant text := changes.function_name(changes.name_of(target));
  source constant text := changes.source_for(target);
begin
  if exists (
    select from pg_proc where pronamespace = 'changes'::regnamespace and proname = called and prosecdef and prosrc = source) then
    return;
  end if;
  execute format('create or replace function changes.%I() returns trigger language plpgsql security definer '
    'set search_path = pg_catalog, pg_temp as %L', called, source);
  execute format('revoke execute on function changes.%I from public', called);
  execute format('comment on function changes.%I is %L', called, format('Logs the changes of %s.', changes.name_of(target)));
end
$$;
comment on function changes.write_function is 'Writes the function that logs the changes of a table, unless it is there.';

create function changes.watched_root_of(target oid) returns regclass
language sql stable
begin atomic;
  with recursive ancestor (oid, level) as (
    select target, 0
    union all
    select parent.inhparent, ancestor.level + 1 from ancestor join pg_inherits parent on parent.inhrelid = ancestor.oid
  )
  select ancestor.oid::regclass from ancestor
  where exists (
    select from pg_trigger entry join pg_proc called on called.oid = entry.tgfoid
    where entry.tgrelid = ancestor.oid and entry.tgname = 'changes_insert' and called.pronamespace = 'changes'::regnamespace)
  order by ancestor.level desc limit 1;
end;
comment on function changes.watched_root_of is 'The outermost table whose changes are logged, of a table and its parents; null if there is none.';

-- A trigger that somebody disabled stays disabled. One that was disabled and enabled again fires in ordinary sessions only, which
-- is not enough. A child is logged as part of its parent, which leaves no triggers for itself.
create function changes.watch(target regclass) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  called constant text := format('changes.%I', changes.function_name(changes.name_of(target)));
  member regclass;
begin
  if not changes.hears_structure() or changes.watched_root_of(target) <> target then
    return false;
  end if;
  perform set_config('lock_timeout', '200ms', true);
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
  return changes.is_logged(target);
end
$$;
comment on function changes.watch is
  'Gives a table, its partitions and children the triggers of the log, without waiting long for locks; returns whether the table is logged now.';

-- The function first, and whatever happens to the triggers: with one that does not fit its columns, a table could not be written.
create function changes.follow_alteration(target oid) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  root constant regclass := changes.watched_root_of(target);
begin
  if root is null then
    return;
  end if;
  perform changes.write_function(root);
  if not changes.is_logged(root) then
    perform changes.watch(root);
  end if;
exception when lock_not_available or insufficient_privilege then
  raise notice 'the changes of % are no longer logged completely', root;
end
$$;
comment on function changes.follow_alteration is 'Keeps the triggers of a table that was altered, and of its new partitions and children.';

-- Temporary objects concern nobody else. Indexes and statistics change no answer.
create function changes.note_structure() returns event_trigger
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
    perform pg_notify('minaret_structure', '');
  end if;
end
$$;
comment on function changes.note_structure is 'Logs changes of structure, and keeps the triggers of altered tables.';

do $$
begin
  create event trigger minaret_changes on ddl_command_end execute function changes.note_structure();
  create event trigger minaret_changes_drop on sql_drop execute function changes.note_structure();
  alter event trigger minaret_changes enable always;
  alter event trigger minaret_changes_drop enable always;
exception when insufficient_privilege then
  raise notice 'event triggers are not allowed here: there is no change log';
end
$$;
