-- Up Migration
-- The partitioned logs take the names of the old ones, and these become their first partitions; one without entries is dropped.
-- contract: earlier versions insert and read as before, by the same names; only their own deletions are refused (see guard_log)

do $$
declare
  log text;
  before text;
  starts timestamptz;
  any_entry boolean;
begin
  foreach log in array array['audit_log', 'read_log'] loop
    perform lock_log(log);
    perform setval(format('%I', log || '_ids'), nextval(pg_get_serial_sequence(format('%I', log), 'id')));
    select substring(pg_get_constraintdef(oid) from '''([^'']+)''') into starts
    from pg_constraint where conrelid = log::regclass and conname = 'before_months';
    execute format('select exists (select from %I)', log) into any_entry;
    if any_entry then
      before := log || to_char(starts at time zone 'UTC', '_before_YYYY_MM');
      execute format('alter table %I alter id drop identity', log);
      execute format('alter table %I drop constraint %I', log, log || '_pkey');
      execute format('alter table %I add primary key using index %I', log, log || '_months_key');
      execute format('alter table %I rename to %I', log, before);
      execute format('create trigger refuse_truncation before truncate on %I for each statement execute function guard_log(%L)',
        before, log);
      execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', log || '_by_month', before, starts);
      execute format('alter table %I drop constraint before_months', before);
    else
      execute format('drop table %I', log);
    end if;
    execute format('alter table %I rename to %I', log || '_by_month', log);
    perform open_months(log);
  end loop;
end
$$;

drop function lock_log(text);
