-- Up Migration

-- Keys that sign tokens, the private part sealed with the secret of the installation. A key is published as `next`
-- before it signs, and as `retired` for as long as what it signed may live.
create table signing_keys (
  kid text primary key,
  algorithm text not null check (algorithm in ('ES256', 'RS256')),
  state text not null default 'next' check (state in ('next', 'active', 'retired')),
  public_jwk jsonb not null,
  private_key_sealed bytea not null,
  created_at timestamptz not null default now(),
  activated_at timestamptz,
  retired_at timestamptz,
  expires_at timestamptz
);
create unique index signing_keys_one_next on signing_keys (algorithm) where state = 'next';
create unique index signing_keys_one_active on signing_keys (algorithm) where state = 'active';
create index signing_keys_expires_at on signing_keys (expires_at) where expires_at is not null;

create function notify_signing_keys() returns trigger language plpgsql as $$
begin
  perform pg_notify('minaret_signing_keys', '');
  return null;
end $$;
create trigger signing_keys_notify after insert or update or delete on signing_keys
  for each statement execute function notify_signing_keys();
