-- Up Migration

-- How somebody signed in (RFC 8176), and when they last proved who they are as strongly as their account can: with the second
-- factor, if it has one. Null: a remembered browser was let in with the password alone.
alter table sessions add column amr text[] not null default '{pwd}';
alter table sessions add column fresh_at timestamptz;
alter table sessions alter column fresh_at set default now();

-- The key that an authenticator app shares with us (RFC 6238), sealed. A new one replaces the old only once a code has shown
-- that the app has it.
create table totp_factors (
  user_id uuid primary key references users on delete cascade,
  secret bytea,
  confirmed_at timestamptz check ((confirmed_at is null) = (secret is null)),
  last_step bigint not null default 0,
  pending_secret bytea,
  pending_at timestamptz check ((pending_at is null) = (pending_secret is null))
);
comment on column totp_factors.last_step is 'The time step of the last code that was accepted: none up to it is accepted again.';
create index totp_factors_pending_at on totp_factors (pending_at) where pending_at is not null;

-- Whether an account asks for more than a password.
create function has_factor(person uuid) returns boolean language sql stable as $$
  select exists (select from minaret.totp_factors where user_id = person and confirmed_at is not null)
$$;

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
comment on column recovery_codes.code_hash is 'HMAC-SHA-256 under a key derived from the secret of the installation.';

create function keep_used_recovery_code() returns trigger language plpgsql as $$
begin
  raise exception 'a recovery code works once' using errcode = 'MN001';
end $$;
create trigger recovery_codes_keep before update on recovery_codes for each row
  when (old.used_at is not null) execute function keep_used_recovery_code();

-- Somebody typed the right password, and has yet to show the second factor: this browser, and nobody else.
create table sign_in_challenges (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_challenges_user on sign_in_challenges (user_id);
create index sign_in_challenges_expires_at on sign_in_challenges (expires_at);

-- A browser that somebody has signed in with. While it is remembered, it is not asked for the second factor.
create table devices (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  user_agent text check (length(user_agent) <= 500),
  address text,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  remembered_until timestamptz,
  unique (token_hash, user_id)
);
create index devices_user on devices (user_id, last_seen_at);
create index devices_last_seen_at on devices (last_seen_at);

-- Whoever knew the old password is asked for everything again.
create function forget_devices() returns trigger language plpgsql as $$
begin
  if current_setting('minaret.same_password', true) = 'on' then
    return null;
  end if;
  update minaret.devices set remembered_until = null where user_id = new.id and remembered_until is not null;
  delete from minaret.sign_in_challenges where user_id = new.id;
  return null;
end $$;
create trigger users_forget_devices after update on users for each row
  when (new.password_hash is distinct from old.password_hash)
  execute function forget_devices();
