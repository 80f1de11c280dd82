-- Up Migration
-- The audit log and the read log by month: dropping a month costs nothing, while deleting its rows writes each of them twice.
--
-- An earlier version goes on writing meanwhile, so this takes three migrations, each a transaction of its own: this one adds the
-- partitioned tables, the second prepares the old ones, and the third makes each old table the first partition of its successor.
-- No row is copied.
-- contract: only functions drop and rename here, and only partitions, which nobody else names

create table log_retention (
  log text primary key,
  keep interval not null check (keep >= interval '30 days')
);
comment on table log_retention is 'How long entries of each log are kept, as configured. Younger ones cannot be deleted.';
insert into log_retention values ('audit_log', '400 days'), ('read_log', '90 days');

-- An earlier version deletes by ctid, which is not unique among partitions: without this it would delete other rows.
create function guard_log() returns trigger
language plpgsql set search_path = minaret, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - (select keep from log_retention where log = tg_argv[0]) then
      return old;
    end if;
  elsif tg_op = 'UPDATE' then
    if to_jsonb(new) in (to_jsonb(old), to_jsonb(old) || '{"address": null}') then
      return new;
    end if;
  end if;
  raise exception 'The log % can only grow. Entries can be deleted once they are older than its retention.', tg_argv[0]
    using errcode = 'insufficient_privilege';
end
$$;
comment on function guard_log is
  'Refuses to change entries of a log, and to remove any that are to be kept. An address may be taken out, as when an account is erased.';

-- The bounds are written and read in the same session, so its time zone does not matter.
create function months_of(log regclass) returns table (partition regclass, begins timestamptz, ends timestamptz)
language sql stable
begin atomic;
  select oid::regclass, bounds[1]::timestamptz, bounds[2]::timestamptz
  from (
    select class.oid, regexp_match(pg_get_expr(class.relpartbound, class.oid),
      'FROM \((?:MINVALUE|''([^'']+)'')\) TO \(''([^'']+)''\)') as bounds
    from pg_inherits child join pg_class class on class.oid = child.inhrelid where child.inhparent = log
  ) partitions where bounds is not null;
end;
comment on function months_of is
  'The partitions of a log but the default one, with their bounds. What was written before there were months begins with null.';

-- Attached, not created in place: writers go on meanwhile. If nobody opened a month in time, its first entries are in the default
-- partition. They are moved; too many to move at once stay there, and the next month is opened instead.
create function open_months(log text) returns integer
language plpgsql set search_path = minaret, pg_temp as $$
declare
  most_moved constant integer := 100000;
  standby constant text := log || '_default';
  moving constant text := log || '_moving';
  month timestamp := greatest(date_trunc('month', now() at time zone 'UTC'),
    (select max(ends) at time zone 'UTC' from months_of(log::regclass)));
  last constant timestamp := now() at time zone 'UTC' + interval '3 months';
  name text;
  strays integer;
  newest timestamptz;
  opened integer := 0;
begin
  if month > last then
    return 0;
  end if;
  perform set_config('lock_timeout', '2s', true);
  execute format('select count(*), max(at) from (select at from %I where at >= $1 order by at limit $2) found', standby)
    into strays, newest using month at time zone 'UTC', most_moved + 1;
  if strays > most_moved then
    execute format('select max(at) from %I where at < $1', standby) into newest using last at time zone 'UTC';
    month := date_trunc('month', newest at time zone 'UTC') + interval '1 month';
  elsif strays > 0 then
    execute format('alter table %I detach partition %I', log, standby);
    execute format('alter table %I rename to %I', standby, moving);
    execute format('create table %I partition of %I default', standby, log);
    execute format('create trigger refuse_truncation before truncate on %I for each statement execute function guard_log(%L)',
      standby, log);
  end if;
  while month <= last loop
    name := log || to_char(month, '_YYYY_MM');
    execute format('create table %I (like %I including all)', name, log);
    execute format('create trigger refuse_truncation before truncate on %I for each statement execute function guard_log(%L)',
      name, log);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', log, name,
      month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
    month := month + interval '1 month';
    opened := opened + 1;
  end loop;
  if strays between 1 and most_moved then
    execute format('insert into %I select * from %I', log, moving);
    execute format('drop table %I', moving);
  end if;
  return opened;
exception when lock_not_available then
  return 0;
end
$$;
comment on function open_months is
  'Makes the partitions of a log for this month and the next three, and returns how many were missing. 0 also if the log was busy.';

-- Dropping a partition stops all writers for a moment, so it waits only briefly for them; the next round tries again.
create function drop_months(log regclass, keep interval) returns text[]
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  past regclass;
  dropped text[] := '{}';
begin
  perform set_config('lock_timeout', '2s', true);
  for past in select partition from minaret.months_of(log) where ends <= now() - keep order by ends loop
    dropped := dropped || past::text;
    execute format('drop table %s', past);
  end loop;
  return dropped;
exception when lock_not_available then
  return '{}';
end
$$;
comment on function drop_months is 'Drops the months of a log that ended longer ago than that, and returns their names with their schema.';

create function forget_entries(log text, most integer) returns integer
language plpgsql set search_path = minaret, pg_temp as $$
declare
  past constant timestamptz := now() - (select keep from log_retention where log_retention.log = forget_entries.log);
  place regclass;
  removed integer := 0;
  count integer;
begin
  for place in
    select inhrelid::regclass from pg_inherits where inhparent = log::regclass
      and inhrelid not in (select partition from months_of(log::regclass) where begins is not null)
  loop
    execute format('delete from %1$s where ctid = any (array(select ctid from %1$s where at < $1 limit $2 for update skip locked))',
      place) using past, most - removed;
    get diagnostics count = row_count;
    removed := removed + count;
  end loop;
  return removed;
end
$$;
comment on function forget_entries is
  'Deletes some entries that are past their retention and are not in a month of their own, and returns how many.';

create table audit_log_by_month (like audit_log including constraints including comments) partition by range (at);
alter table audit_log_by_month add primary key (at, id);
create sequence audit_log_ids owned by audit_log_by_month.id;
alter table audit_log_by_month alter id set default nextval('audit_log_ids'), alter at set default now(),
  alter actor set default 'user', alter detail set default '{}';
create index audit_log_by_month_user on audit_log_by_month (user_id, id) where user_id is not null;
create index audit_log_by_month_actor on audit_log_by_month (actor_id, id) where actor_id is not null;
create index audit_log_by_month_app on audit_log_by_month (app_id, id) where app_id is not null;
create index audit_log_by_month_action on audit_log_by_month (action, id);

create table read_log_by_month (like read_log including constraints including comments) partition by range (at);
alter table read_log_by_month add primary key (at, id);
create sequence read_log_ids owned by read_log_by_month.id;
alter table read_log_by_month alter id set default nextval('read_log_ids'), alter at set default now();
create index read_log_by_month_app on read_log_by_month (app_id, id) where app_id is not null;
create index read_log_by_month_user on read_log_by_month (user_id, id) where user_id is not null;

-- Annotations of the old tables are kept.
do $$
declare
  log text;
  words text;
begin
  for log, words in values
    ('audit_log', 'Who did what, when and from where. It can only grow; whole months are dropped when their time has come.'),
    ('read_log', 'Reads of tables with people in them: through which app, for whom, how many rows. It can only grow; whole months are dropped when their time has come.')
  loop
    execute format('comment on table %I is %L', log || '_by_month', concat_ws(E'\n', obj_description(log::regclass, 'pg_class'), words));
  end loop;
end
$$;

create function lock_log(log text) returns void
language plpgsql set search_path = minaret, pg_temp as $$
begin
  perform set_config('lock_timeout', '2s', true);
  for attempt in 1 .. 60 loop
    begin
      execute format('lock table %I in access exclusive mode', log);
      perform set_config('lock_timeout', '0', true);
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise exception 'Another session, perhaps a backup, has used %.% for three minutes. End it, and start again.', current_schema(), log
    using errcode = 'lock_not_available';
end
$$;
comment on function lock_log is 'Waits for a log without making its writers wait for longer than two seconds at a time.';

do $$
declare
  log text;
  starts constant timestamp := date_trunc('month', now() at time zone 'UTC') + interval '2 months';
begin
  foreach log in array array['audit_log', 'read_log'] loop
    execute format('create table %I partition of %I default', log || '_default', log || '_by_month');
    execute format('create trigger refuse_truncation before truncate on %I for each statement execute function guard_log(%L)',
      log || '_default', log);
    execute format('create trigger refuse_truncation before truncate on %I for each statement execute function guard_log(%L)',
      log || '_by_month', log);
    execute format('create trigger guard_log before update or delete on %I for each row execute function guard_log(%L)',
      log || '_by_month', log);
    perform lock_log(log);
    execute format('alter table %I add constraint before_months check (at < %L) not valid', log, starts at time zone 'UTC');
  end loop;
end
$$;
