-- Up Migration

-- People who sign in: developers, reviewers, administrators and the users of apps.
create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null check (length(email) between 3 and 254 and position('@' in email) > 1),
  email_verified_at timestamptz,
  name text not null check (length(trim(name)) between 1 and 200),
  picture text check (length(picture) <= 2000),
  password_hash text check (password_hash like '$argon2id$%'),
  is_reviewer boolean not null default false,
  is_admin boolean not null default false,
  locale text not null default 'en' check (length(locale) <= 20),
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column users.password_hash is 'argon2id, written as a PHC string. Null: no password was set yet.';

-- One account per address, however it is written.
create unique index users_email on users (lower(email));
create index users_name_search on users using gin (name gin_trgm_ops);
create index users_email_search on users using gin (email gin_trgm_ops);
create index users_created_at on users (created_at);
create index users_reviewers on users (id) where is_reviewer;
