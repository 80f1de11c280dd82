-- Up Migration

-- OAuth clients, from the first request on. `client_id` is given at the first approval and never changes.
create table apps (
  id uuid primary key default gen_random_uuid(),
  client_id text unique check (length(client_id) between 8 and 100),
  owner_id uuid not null references users,
  name text not null check (length(trim(name)) between 1 and 100),
  description text not null check (length(trim(description)) between 1 and 2000),
  home_page text check (length(home_page) <= 2000),
  logo text check (length(logo) <= 2000),
  kind text not null check (kind in ('public', 'confidential')),
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'suspended')),
  redirect_uris text[] not null default '{}' check (cardinality(redirect_uris) <= 20),
  post_logout_redirect_uris text[] not null default '{}' check (cardinality(post_logout_redirect_uris) <= 20),
  requested_scopes text[] not null check (cardinality(requested_scopes) > 0),
  scopes text[] not null default '{}' check (scopes <@ requested_scopes),
  id_token_alg text not null default 'RS256' check (id_token_alg in ('RS256', 'ES256')),
  all_masjids boolean not null default true,
  reviewer_words text check (length(reviewer_words) <= 2000),
  moved_by uuid references users,
  moved_because text check (length(moved_because) <= 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  submitted_at timestamptz not null default now(),
  approved_at timestamptz,
  deleted_at timestamptz,
  check (kind = 'confidential' or cardinality(redirect_uris) > 0),
  check (state in ('pending', 'rejected') or client_id is not null),
  check (state in ('pending', 'rejected') or cardinality(scopes) > 0)
);
comment on column apps.scopes is 'What a reviewer granted: all that was asked for, or less.';
comment on column apps.all_masjids is 'Whether the app reaches every masjid, or only those in app_masjids.';
comment on column apps.reviewer_words is 'What the last reviewer wrote to the owner.';
comment on column apps.moved_by is 'Who moved the app to its present state, and why: the trigger copies both into app_moves.';
comment on column apps.submitted_at is 'Since when the app waits for a reviewer.';

create index apps_owner on apps (owner_id) where deleted_at is null;
create index apps_queue on apps (submitted_at) where state = 'pending' and deleted_at is null;
create index apps_name_search on apps using gin (name gin_trgm_ops);
create index apps_deleted_at on apps (deleted_at) where deleted_at is not null;

-- The masjids of an app: those a reviewer narrowed it to, and those whose own app it is. No foreign key: the masjids are
-- in the schema of the data, which has migrations of its own.
create table app_masjids (
  app_id uuid not null references apps on delete cascade,
  masjid_id uuid not null,
  is_own boolean not null default false,
  primary key (app_id, masjid_id)
);
comment on column app_masjids.is_own is 'The app belongs to the masjid, and so sees people who did not agree to sharing.';
