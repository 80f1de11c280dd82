-- Up Migration

-- Whose requests somebody is looking at right now.
create table app_tails (
  app_id uuid primary key references apps on delete cascade,
  until timestamptz not null
);
comment on table app_tails is 'Apps whose requests a member of the team is looking at, and until when.';

-- Those requests, for minutes. No variables, no values of a query, no messages, no addresses.
create table tailed_requests (
  id bigint generated always as identity primary key,
  app_id uuid not null references apps on delete cascade,
  key_id uuid references api_keys on delete cascade,
  at timestamptz not null,
  outcome text not null check (outcome in ('answered', 'refused', 'failed')),
  code text check (length(code) <= 100),
  milliseconds integer not null,
  rows integer not null,
  query text not null check (length(query) <= 2000)
);
comment on table tailed_requests is 'Requests of apps while somebody looks at them, without any value; deleted after minutes.';
create index tailed_requests_app on tailed_requests (app_id, id);
create index tailed_requests_at on tailed_requests (at);

-- How often each error occurred, with the latest query that got it, without its values.
create table usage_errors (
  app_id uuid not null references apps on delete cascade,
  code text not null check (length(code) <= 100),
  hour timestamptz not null check (extract(minute from hour) = 0 and extract(second from hour) = 0),
  errors integer not null,
  last_at timestamptz not null,
  query text check (length(query) <= 2000),
  primary key (app_id, code, hour)
);
comment on table usage_errors is 'Errors of apps by code and hour.';
create index usage_errors_hour on usage_errors (hour);
