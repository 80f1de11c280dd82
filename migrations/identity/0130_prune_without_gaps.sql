-- Up Migration
-- Rows are dated when their transaction begins. One that was open for longer than the retention writes rows that are old already: they
-- may be dropped within minutes of the commit, even after this function has looked which transactions it drops. A partition is
-- therefore locked before its last transaction is looked up, and single rows go only if they were counted.
create or replace function changes.drop_partitions(retention interval) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  announced constant timestamptz := (select forgotten from changes.history);
  past regclass;
  dropped integer := 0;
begin
  update changes.history set forgotten = greatest(forgotten, now() - retention), since = greatest(since, (
    select (max(last)::text::bigint + 1)::text::xid8 from (
      select changes.last_of(partition) from changes.partitions() where ends <= now() - retention
      union all
      select max(xid) from changes.log_default where at < now() - retention
    ) passed (last)));
  for past in select partition from changes.partitions() where ends <= announced loop
    execute format('lock table %s in access exclusive mode', past);
    update changes.history set since = greatest(since, (changes.last_of(past)::text::bigint + 1)::text::xid8);
    execute format('drop table %s', past);
    dropped := dropped + 1;
  end loop;
  delete from changes.log_default where at < announced and xid < (select since from changes.history);
  return dropped;
exception when lock_not_available then
  return 0;
end
$$;

-- Whoever asks for changes since a snapshot must know whether the log still has all of them.
grant select (since) on changes.history to minaret_reader, minaret_sandbox;
