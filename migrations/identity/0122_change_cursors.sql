-- Up Migration
-- Positions in the change log, for those who keep a copy: exact, since rows below the oldest transaction in progress are final.
-- And what keeps the log small: partitions, made ahead and dropped with their rows.

-- Transaction ids start anew in a cluster that a dump is restored into, and may repeat after a failover or a restore to a point in
-- time. A cursor therefore names the history it belongs to, and another history does not know it.
create table changes.history (
  only_one boolean primary key default true check (only_one),
  id text not null,
  server text not null,
  since xid8 not null,
  forgotten timestamptz not null default '-infinity'
);
comment on table changes.history is 'The history that the rows of the log belong to. One row; none where no log is kept.';
comment on column changes.history.id is 'Its name in cursors: random.';
comment on column changes.history.server is 'Cluster, database and timeline.';
comment on column changes.history.since is 'The log is complete from this transaction on: a cursor before it is too old.';
comment on column changes.history.forgotten is 'Partitions that end before this moment are to be dropped. Cursors into them are refused already, so that nobody reads a log while it loses rows.';

create function changes.this_server() returns text
language sql stable
begin atomic;
  select format('%s.%s.%s', (select system_identifier from pg_control_system()),
    (select oid from pg_database where datname = current_database()), left(pg_walfile_name(pg_current_wal_lsn()), 8));
end;
comment on function changes.this_server is 'Cluster, database and timeline of this connection, which is one to a primary.';

-- Rows of transactions that this cluster has not begun yet came with a dump of another.
create function changes.begin_history() returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not changes.hears_structure() then
    delete from changes.history;
    return false;
  end if;
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
comment on function changes.begin_history is 'Begins a history if the cluster, database or timeline is another than before; returns whether it did.';

create function changes.last_of(partition regclass) returns xid8
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  last xid8;
begin
  execute format('select xid from %s order by xid desc limit 1', partition) into last;
  return last;
end
$$;
comment on function changes.last_of is 'The highest transaction id in a partition of the log.';

create function changes.partitions() returns table (partition regclass, ends timestamptz)
language sql stable
begin atomic;
  select class.oid::regclass, (regexp_match(pg_get_expr(class.relpartbound, class.oid), 'TO \(''([^'']+)''\)'))[1]::timestamptz
  from pg_inherits child join pg_class class on class.oid = child.inhrelid
  where child.inhparent = 'changes.log'::regclass and class.oid <> 'changes.log_default'::regclass;
end;
comment on function changes.partitions is 'The partitions of the log but the default one, and the moment each of them ends.';

-- Attached, not created in place: writers go on meanwhile. What the default partition holds already stays there. A partition is a
-- third of the retention, so that a reader of the log has few to look into.
create function changes.open_partitions(retention interval) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  length constant interval := make_interval(days => greatest(ceil(extract(epoch from retention) / 86400 / 3), 1)::int);
  begins timestamptz := greatest(
    coalesce((select max(ends) from changes.partitions()), date_trunc('day', now(), 'UTC')),
    (select date_trunc('day', max(at), 'UTC') + interval '1 day' from changes.log_default));
  name text;
  opened integer := 0;
begin
  while begins < now() + length loop
    name := 'log_' || to_char(begins at time zone 'UTC', 'YYYYMMDD');
    execute format('create table changes.%I (like changes.log including defaults including constraints including indexes)', name);
    execute format('alter table changes.log attach partition changes.%I for values from (%L) to (%L)', name, begins, begins + length);
    begins := begins + length;
    opened := opened + 1;
  end loop;
  return opened;
end
$$;
comment on function changes.open_partitions is 'Makes the partitions of the log ahead of time, and returns how many were missing.';

-- Dropping a partition stops all writers for a moment, so it waits only briefly for them; the next round tries again.
create function changes.drop_partitions(retention interval) returns integer
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
    execute format('drop table %s', past);
    dropped := dropped + 1;
  end loop;
  delete from changes.log_default where at < announced;
  return dropped;
exception when lock_not_available then
  return 0;
end
$$;
comment on function changes.drop_partitions is 'Drops the partitions that the last call announced, and announces those that are older than the retention now.';

create function changes.drop_functions() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  unused regprocedure;
begin
  for unused in
    select proc.oid from pg_proc proc
    where proc.pronamespace = 'changes'::regnamespace and proc.prorettype = 'trigger'::regtype
      and not exists (select from pg_trigger where tgfoid = proc.oid)
  loop
    execute format('drop function %s', unused);
  end loop;
end
$$;
comment on function changes.drop_functions is 'Drops the functions of tables that are gone or renamed.';

create function changes.keep(retention interval) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('lock_timeout', '100ms', true);
  perform changes.begin_history();
  perform changes.open_partitions(retention);
  perform changes.drop_partitions(retention);
  perform changes.drop_functions();
end
$$;
comment on function changes.keep is 'What the service does every minute: the history is this server''s, partitions are made ahead, and old ones dropped.';

-- A cursor is the history, the transaction and the number of the last row that was seen. The roles that read may decode one.
create function changes.cursor_at(xid xid8, number bigint) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic;
  select format('%s-%s-%s', history.id, to_hex(xid::text::bigint), to_hex(number)) from changes.history;
end;
comment on function changes.cursor_at is 'The cursor after a row of the log; null where no log is kept.';

create function changes.cursor_now() returns text
language sql stable
begin atomic;
  select changes.cursor_at(pg_snapshot_xmin(pg_current_snapshot()), 0);
end;
comment on function changes.cursor_now is 'The cursor from which nothing is missed that this statement does not see yet.';

create function changes.position_of(cursor text, out xid xid8, out number bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  parts constant text[] := regexp_match(cursor, '^([0-9a-f]{10})-([0-9a-f]{1,15})-([0-9a-f]{1,15})$');
  here changes.history;
begin
  if parts is null then
    raise exception 'This is not a cursor of the change log. Take it from a line of the changes.' using errcode = 'invalid_parameter_value';
  end if;
  select * into here from changes.history;
  xid := ('x' || lpad(parts[2], 16, '0'))::bit(64)::bigint::text::xid8;
  number := ('x' || lpad(parts[3], 16, '0'))::bit(64)::bigint;
  if here.id is distinct from parts[1] or xid < here.since then
    raise exception 'The changes after this cursor are no longer kept. Copy the rows again, from a new cursor on.' using errcode = 'MN008';
  end if;
end
$$;
comment on function changes.position_of is 'The position that a cursor stands for. Raises MN008 if the log no longer has everything after it.';
