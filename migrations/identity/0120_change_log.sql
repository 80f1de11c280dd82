-- Up Migration
-- The change log: every change of an exposed table leaves a row here, in the transaction that makes the change, whoever makes it.
-- Caches ask it whether an answer is still true, and those who keep a copy ask it what they have missed.
--
-- A row's xid is that of the top-level transaction, so rows below pg_snapshot_xmin(pg_current_snapshot()) are final: no
-- transaction that could still add one with a lower xid is in progress.
--
-- A row of kind "structure" may concern every table, and tables may have lost their triggers with it. Whoever relies on the log
-- has to trust no table again until a structure that was read after that row is in force.

create schema changes;
comment on schema changes is 'The change log and the triggers that write it. Never exposed.';
revoke all on schema changes from public;

create table changes.log (
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  -- Each session takes a range: the order within a transaction is kept, and writers do not queue for the sequence.
  id bigint generated always as identity (cache 64),
  table_name text not null,
  masjid_id uuid,
  key jsonb,
  kind text not null check (kind in ('insert', 'update', 'delete', 'truncate', 'bulk', 'structure'))
) partition by range (at);
create index on changes.log (xid);
create table changes.log_default partition of changes.log default;

comment on table changes.log is 'What changed, in whatever way. Append-only; old rows are dropped with their partition.';
comment on column changes.log.xid is 'The transaction that made the change.';
comment on column changes.log.at is 'When that transaction began.';
comment on column changes.log.id is 'The order of changes within a transaction.';
comment on column changes.log.table_name is 'The table with its schema, such as public.up_events; its parent''s for a partition. What was altered, for a change of structure.';
comment on column changes.log.masjid_id is 'The masjid whose row changed; null if it belongs to none, or if that is unknown.';
comment on column changes.log.key is 'The primary key of the row, as an object; null if many rows changed, or the table has none.';
comment on column changes.log.kind is 'insert, update, delete; truncate; bulk: many rows of the table (and masjid) changed in one statement; structure: tables, views, functions, policies or rights changed.';

-- The roles that read may find out that something changed, not which row. Nobody but the owner writes.
grant usage on schema changes to minaret_reader, minaret_sandbox;
grant select (xid, table_name, masjid_id, kind) on changes.log to minaret_reader, minaret_sandbox;
