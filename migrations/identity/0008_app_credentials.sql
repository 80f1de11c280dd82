-- Up Migration

-- Secrets of confidential apps, 256 random bits each, kept as SHA-256 only. Two slots: two may live at once.
create table app_secrets (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references apps on delete cascade,
  slot smallint not null check (slot in (1, 2)),
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  hint text not null,
  created_by uuid references users,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
comment on column app_secrets.hint is 'The last letters, so that people can tell two secrets apart.';
create unique index app_secrets_two_live on app_secrets (app_id, slot) where revoked_at is null;
create index app_secrets_app on app_secrets (app_id);

-- API keys, kept as SHA-256 only. A test key opens the sandbox; the public one of the documentation belongs to no app.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  app_id uuid references apps on delete cascade,
  name text not null check (length(trim(name)) between 1 and 100),
  hint text not null,
  key_hash bytea not null unique check (length(key_hash) = 32),
  environment text not null check (environment in ('live', 'test')),
  scopes text[] not null check (cardinality(scopes) > 0),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_by uuid references users,
  created_at timestamptz not null default now(),
  check (environment = 'test' or app_id is not null)
);
create index api_keys_app on api_keys (app_id, created_at);
create index api_keys_expires_at on api_keys (expires_at) where expires_at is not null;

-- Credentials belong to an approved app and stay within its scopes. The lock makes a suspension that comes at the same
-- moment wait, and then end the new credential too.
create function check_app_credential() returns trigger language plpgsql as $$
declare
  app minaret.apps;
begin
  if new.app_id is null then return new; end if;
  select * into app from minaret.apps where id = new.app_id for share;
  if app.deleted_at is not null or app.state = 'suspended' then
    raise exception 'the app is suspended or deleted' using errcode = 'MN002';
  end if;
  if tg_table_name = 'app_secrets' and (app.state <> 'approved' or app.kind <> 'confidential') then
    raise exception 'only an approved confidential app has secrets' using errcode = 'MN002';
  end if;
  if tg_table_name = 'api_keys' then
    if new.environment = 'live' and app.state <> 'approved' then
      raise exception 'only an approved app has live keys' using errcode = 'MN002';
    end if;
    if new.environment = 'live' and not new.scopes <@ app.scopes then
      raise exception 'a key cannot reach beyond its app' using errcode = 'MN003';
    end if;
  end if;
  return new;
end $$;
create trigger app_secrets_check before insert on app_secrets for each row execute function check_app_credential();
create trigger api_keys_check before insert on api_keys for each row execute function check_app_credential();
