-- Up Migration
-- While much is written, autovacuum analyses the audit trail every minute, and spent most of that time, half a second of a
-- processor, on comparing values that no query looks for.
alter table written_rows alter column changed_columns set statistics 0, alter column old_values set statistics 0,
  alter column new_values set statistics 0;

-- LIKE does not copy it.
create or replace function open_months_of_writing() returns integer
language plpgsql set search_path from current as $$
declare
  month date;
  name text;
  opened integer := 0;
begin
  perform set_config('lock_timeout', '2s', true);
  for month in select generate_series(date_trunc('month', now()), now() + interval '3 months', interval '1 month')::date loop
    name := 'written_rows_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(format('%I.%I', current_schema(), name)) is not null;
    continue when exists (select from written_rows_default where at >= month and at < month + interval '1 month');
    execute format('create table %I (like written_rows including all)', name);
    execute format('alter table %I alter column changed_columns set statistics 0, alter column old_values set statistics 0, '
      'alter column new_values set statistics 0', name);
    execute format('alter table %I enable row level security', name);
    execute format('create trigger refuse_truncation before truncate on %I for each statement execute function refuse_rewriting()', name);
    execute format('alter table written_rows attach partition %I for values from (%L) to (%L)', name,
      month::timestamp at time zone 'UTC', (month + interval '1 month')::timestamp at time zone 'UTC');
    opened := opened + 1;
  end loop;
  return opened;
end
$$;
