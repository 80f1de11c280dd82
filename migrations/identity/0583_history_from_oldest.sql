-- Up Migration
-- A new history begins at the oldest transaction that is in progress, in whichever database of the cluster: cursors are given out from
-- there on, and were refused as too old until it had ended. What it commits later is in the log, and was missed by whoever began at
-- the position of the history.
create or replace function changes.begin_history() returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from changes.history where server = changes.this_server()) then
    return false;
  end if;
  delete from changes.log where xid >= pg_snapshot_xmax(pg_current_snapshot());
  insert into changes.history (id, server, since)
  values (left(md5(gen_random_uuid()::text), 10), changes.this_server(), pg_snapshot_xmin(pg_current_snapshot()))
  on conflict (only_one) do update
  set id = excluded.id, server = excluded.server, since = excluded.since, forgotten = default;
  return true;
end
$$;
