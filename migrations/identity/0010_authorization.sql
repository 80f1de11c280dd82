-- Up Migration

-- What /oauth/authorize (or a pushed request, RFC 9126) asked for, kept here while the person signs in and agrees, so
-- that where to go next is never a parameter of the browser.
create table authorization_requests (
  id uuid primary key default gen_random_uuid(),
  reference_hash bytea not null unique check (length(reference_hash) = 32),
  app_id uuid not null references apps on delete cascade,
  parameters jsonb not null,
  session_id uuid references sessions on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index authorization_requests_expires_at on authorization_requests (expires_at);
create index authorization_requests_app on authorization_requests (app_id);
create index authorization_requests_session on authorization_requests (session_id) where session_id is not null;

-- Authorization codes: 60 seconds, once. A used one is kept until it expires and some time longer, to notice a replay.
create table authorization_codes (
  code_hash bytea primary key check (length(code_hash) = 32),
  grant_id uuid not null references grants on delete cascade,
  app_id uuid not null references apps on delete cascade,
  user_id uuid not null references users on delete cascade,
  redirect_uri text not null,
  code_challenge text not null,
  scopes text[] not null,
  nonce text,
  auth_time timestamptz not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index authorization_codes_grant on authorization_codes (grant_id);
create index authorization_codes_app on authorization_codes (app_id);
create index authorization_codes_user on authorization_codes (user_id);
create index authorization_codes_expires_at on authorization_codes (expires_at);
