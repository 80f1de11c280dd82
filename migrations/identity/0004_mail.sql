-- Up Migration

-- Links sent by mail: each works once, for a while.
create table mail_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('confirm', 'reset', 'change_email')),
  new_email text check ((new_email is not null) = (purpose = 'change_email')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_tokens_user on mail_tokens (user_id, purpose);
create index mail_tokens_expires_at on mail_tokens (expires_at);

-- Mail that waits to be sent, and, for a while, mail that was sent.
create table outbox (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  html text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  attempts integer not null default 0,
  last_error text,
  next_attempt_at timestamptz not null default now()
);
create index outbox_waiting on outbox (next_attempt_at) where sent_at is null;
create index outbox_created_at on outbox (created_at);
