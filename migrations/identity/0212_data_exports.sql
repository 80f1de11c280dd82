-- Up Migration
-- Links by which people download what is kept about them: once, for an hour, in the browser that asked.
create table data_exports (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '1 hour',
  used_at timestamptz
);
create index data_exports_user on data_exports (user_id);
create index data_exports_session on data_exports (session_id);
create index data_exports_expires_at on data_exports (expires_at);
comment on table data_exports is E'@erase delete\nLinks to download one''s own data. The data itself is not stored: it is written while it is downloaded.';
comment on column data_exports.user_id is '@subject account';
