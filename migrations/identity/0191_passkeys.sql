-- Up Migration

-- Passkeys (WebAuthn): public keys whose private halves never leave a person's devices. Each counts as both factors, since the
-- device asks for a finger, a face or a PIN first.
create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  credential_id text not null unique check (length(credential_id) between 16 and 1400),
  public_key bytea not null,
  counter bigint not null default 0 check (counter >= 0),
  transports text[] not null default '{}',
  backed_up boolean not null,
  name text not null check (length(trim(name)) between 1 and 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on column passkeys.counter is 'How often the authenticator has signed, if it counts. It never goes back: a copy of it would.';
comment on column passkeys.backed_up is 'Whether the key is kept in an account of the device''s maker, and so on several devices.';
create index passkeys_user on passkeys (user_id);

create function keep_passkey() returns trigger language plpgsql as $$
begin
  raise exception 'a passkey keeps its owner and key, and its counter never goes back' using errcode = 'MN001';
end $$;
create trigger passkeys_keep before update on passkeys for each row
  when ((old.user_id, old.credential_id, old.public_key) <> (new.user_id, new.credential_id, new.public_key)
    or new.counter < old.counter)
  execute function keep_passkey();

-- Challenges are signed, not stored; those that were answered are kept until they would have expired, so that no answer counts twice.
create table used_passkey_challenges (
  challenge_hash bytea primary key check (length(challenge_hash) = 32),
  expires_at timestamptz not null
);
create index used_passkey_challenges_expires_at on used_passkey_challenges (expires_at);

create or replace function has_factor(person uuid) returns boolean language sql stable as $$
  select exists (select from minaret.totp_factors where user_id = person and confirmed_at is not null)
    or exists (select from minaret.passkeys where user_id = person)
$$;
