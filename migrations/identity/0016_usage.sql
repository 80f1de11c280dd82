-- Up Migration

-- How apps and keys are used, as small sums: by the minute for a day, by the hour for 30 days.
-- `latency` counts requests by how long they took; its upper bounds are in src/apps/usage-buckets.ts.
create table usage_minutes (
  app_id uuid not null references apps on delete cascade,
  key_id uuid references api_keys on delete cascade,
  minute timestamptz not null check (extract(second from minute) = 0),
  requests integer not null default 0,
  errors integer not null default 0,
  rows bigint not null default 0,
  milliseconds bigint not null default 0,
  latency integer[] not null default '{}',
  unique nulls not distinct (app_id, key_id, minute)
);
create index usage_minutes_minute on usage_minutes (minute);

create table usage_hours (
  app_id uuid not null references apps on delete cascade,
  key_id uuid references api_keys on delete cascade,
  hour timestamptz not null check (extract(minute from hour) = 0 and extract(second from hour) = 0),
  requests integer not null default 0,
  errors integer not null default 0,
  rows bigint not null default 0,
  milliseconds bigint not null default 0,
  latency integer[] not null default '{}',
  unique nulls not distinct (app_id, key_id, hour)
);
create index usage_hours_hour on usage_hours (hour);

-- Element by element; the shorter one is filled with zeros.
create function add_counts(a integer[], b integer[]) returns integer[] language sql immutable as $$
  select coalesce(array_agg(coalesce(x, 0) + coalesce(y, 0) order by place), '{}')
  from unnest(a, b) with ordinality as pairs (x, y, place)
$$;

-- The slowest queries and the refused ones with their reasons: a few per app, kept short by housekeeping.
create table usage_queries (
  id bigint generated always as identity primary key,
  app_id uuid not null references apps on delete cascade,
  key_id uuid references api_keys on delete cascade,
  at timestamptz not null default now(),
  outcome text not null check (outcome in ('slow', 'refused')),
  milliseconds integer not null,
  query text not null check (length(query) <= 2000),
  reason text check (length(reason) <= 500)
);
create index usage_queries_app on usage_queries (app_id, outcome, at);
create index usage_queries_at on usage_queries (at);
