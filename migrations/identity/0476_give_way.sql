-- Up Migration
-- While the service runs, what it changes of the structure gives way to everybody else: it waits for locks for 200 ms at most. Whoever
-- alters several tables in one transaction is never the one that PostgreSQL ends because of a deadlock with us.

create function hold_table(target regclass) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from pg_class where oid = target and relkind in ('r', 'p')) then
    execute format('lock table only %s in share row exclusive mode', target);
  end if;
end
$$;
comment on function hold_table is
  'Takes the lock that creating a trigger takes, before anything else: those who give one table its triggers take turns. Reading goes on.';

-- Counting kept its lock on the table until the whole catalogue was read. Ending the block with an error gives it back.
create or replace function rows_of_small_table(tab oid) returns float4
language plpgsql stable set lock_timeout = '50ms' as $$
declare
  found float4;
begin
  if pg_relation_size(tab) > 65536 then return null; end if;
  -- An empty one need not be counted.
  if pg_relation_size(tab) = 0 and exists (select from pg_class where oid = tab and relkind <> 'p') then return null; end if;
  begin
    execute format('select count(*) from %s', tab::regclass) into found;
    raise exception using errcode = 'MN099';
  exception
    when sqlstate 'MN099' then null;
    when others then return null;
  end;
  -- One without rows has just been made, and is about to be filled.
  return nullif(found, 0);
exception when others then
  return null;
end $$;

-- It is also called for whoever alters a table, by an event trigger: the rest of their transaction must not give way.
alter function changes.watch(regclass) set lock_timeout = '200ms';

do $$
declare
  changed regprocedure;
  source text;
begin
  foreach changed in array array['minaret.open_months(text)', 'minaret.drop_months(regclass, interval)']::regprocedure[] loop
    source := pg_get_functiondef(changed);
    if position($q$'lock_timeout', '2s'$q$ in source) = 0 then
      raise exception '% does not limit how long it waits', changed;
    end if;
    execute replace(source, $q$'lock_timeout', '2s'$q$, $q$'lock_timeout', '200ms'$q$);
  end loop;
end
$$;
