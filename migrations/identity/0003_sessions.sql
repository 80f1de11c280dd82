-- Up Migration

-- A browser in which somebody signed in. The cookie holds the token; the table only its digest.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  auth_time timestamptz not null default now(),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  address text,
  user_agent text check (length(user_agent) <= 500)
);
comment on column sessions.auth_time is 'When the password was last typed in this browser, for max_age and prompt=login.';

create index sessions_user on sessions (user_id) where ended_at is null;
create index sessions_expires_at on sessions (expires_at);
create index sessions_ended_at on sessions (ended_at) where ended_at is not null;
