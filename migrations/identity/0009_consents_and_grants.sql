-- Up Migration

-- What a person allowed an app, remembered until it is withdrawn.
create table consents (
  user_id uuid not null references users on delete cascade,
  app_id uuid not null references apps on delete cascade,
  scopes text[] not null,
  given_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  primary key (user_id, app_id)
);
create index consents_app on consents (app_id);

-- One authorization: every token that came of it carries its id and ends with it. It is also the family of its refresh tokens.
create table grants (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references apps on delete cascade,
  user_id uuid not null references users on delete cascade,
  session_id uuid references sessions on delete set null,
  scopes text[] not null,
  auth_time timestamptz not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index grants_user_app on grants (user_id, app_id) where revoked_at is null;
create index grants_app on grants (app_id) where revoked_at is null;
create index grants_session on grants (session_id) where session_id is not null;
create index grants_revoked_at on grants (revoked_at) where revoked_at is not null;
create index grants_created_at on grants (created_at);
