-- Up Migration
-- The tables that are there already get the triggers of the change log at once, so that the first start need not create them. A
-- table that is in use is left to the service (src/catalog/log-changes.ts). The sandbox's rows only change with its renewals.

do $$
declare
  target regclass;
begin
  if current_schema() <> 'public' then
    return;
  end if;
  for target in
    select oid from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname ~ '^(up|ua|pc)_'
      and not has_annotation(obj_description(oid, 'pg_class'), 'hidden')
  loop
    begin
      perform changes.watch(target);
    exception when lock_not_available or insufficient_privilege then
      raise notice '% is in use: its changes are logged from the next start on', target;
    end;
  end loop;
  perform set_config('lock_timeout', '0', true);
end
$$;
