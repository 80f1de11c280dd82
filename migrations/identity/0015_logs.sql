-- Up Migration

-- Who did what, when and from where. Never a secret in it; no foreign keys, since it outlives what it speaks of.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null check (action ~ '^[a-z_]+(\.[a-z_]+)+$'),
  actor_id uuid,
  actor text not null default 'user' check (actor in ('user', 'app', 'command', 'system', 'anonymous')),
  app_id uuid,
  user_id uuid,
  address text,
  detail jsonb not null default '{}'
);
comment on column audit_log.actor_id is 'The user who did it, where it was one.';
comment on column audit_log.user_id is 'The user whom it concerns.';
create index audit_log_at on audit_log (at);
create index audit_log_user on audit_log (user_id, id) where user_id is not null;
create index audit_log_actor on audit_log (actor_id, id) where actor_id is not null;
create index audit_log_app on audit_log (app_id, id) where app_id is not null;
create index audit_log_action on audit_log (action, id);

-- Reads of tables with people in them: through which app, for whom, how many rows.
create table read_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  app_id uuid,
  user_id uuid,
  key_id uuid,
  table_name text not null,
  row_count integer not null
);
create index read_log_at on read_log (at);
create index read_log_app on read_log (app_id, id) where app_id is not null;
create index read_log_user on read_log (user_id, id) where user_id is not null;
