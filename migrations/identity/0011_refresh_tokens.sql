-- Up Migration

-- Refresh tokens, rotated at every use. A successor's secret is made from its parent's, so a repeat within the time of
-- grace gets the same successor without any secret being stored.
create table refresh_tokens (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique check (length(token_hash) = 32),
  grant_id uuid not null references grants on delete cascade,
  app_id uuid not null references apps on delete cascade,
  parent_id uuid references refresh_tokens on delete set null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
);
comment on column refresh_tokens.grant_id is 'The family: a reuse after the time of grace ends all of it.';
comment on column refresh_tokens.expires_at is 'The end of the family, whatever its use.';

create index refresh_tokens_grant on refresh_tokens (grant_id);
create index refresh_tokens_app on refresh_tokens (app_id);
create unique index refresh_tokens_one_successor on refresh_tokens (parent_id) where parent_id is not null;
create index refresh_tokens_expires_at on refresh_tokens (least(idle_expires_at, expires_at));
