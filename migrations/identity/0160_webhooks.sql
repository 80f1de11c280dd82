-- Up Migration
-- Webhooks: what changed in the tables that an app may read, posted to the app's own server. The change log is the queue: an endpoint
-- has a position in it, and only what comes next is copied into deliveries. Writers have no part in it.

-- http is for a receiver on the developer's own machine; the service accepts and reaches those in development only.
create function is_webhook_address(address text) returns boolean language sql immutable parallel safe as $$
  select minaret.is_web_address(address) or length(address) <= 2000
    and address ~ '^http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?([/?][]!#$%&''()*+,./0-9:;=?@A-Z[_a-z~-]*)?$'
$$;

create table webhook_endpoints (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references apps on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  url text not null check (minaret.is_webhook_address(url)),
  description text not null default '' check (length(description) <= 200 and minaret.is_plain_line(description)),
  tables text[] not null check (cardinality(tables) between 1 and 100),
  masjids uuid[] check (cardinality(masjids) between 1 and 100),
  query text check (length(query) between 1 and 10000),
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  disabled_because text check (disabled_because in ('owner', 'gone', 'failing')),
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  history text not null,
  xid xid8 not null,
  number bigint not null default 0,
  due_at timestamptz,
  lease uuid,
  leased_until timestamptz not null default '-infinity',
  failing_since timestamptz,
  last_success_at timestamptz,
  check ((state = 'disabled') = (disabled_because is not null))
);
create index webhook_endpoints_app on webhook_endpoints (app_id, created_at);
create index webhook_endpoints_due on webhook_endpoints (due_at) where state = 'enabled' and due_at is not null;
comment on table webhook_endpoints is 'Where an app wants to be told of changes, and how far it has been told.';
comment on column webhook_endpoints.tables is 'Names in the API. What the app may not read is left out whenever something is sent.';
comment on column webhook_endpoints.masjids is 'Only changes at these; null: at all that the app reaches.';
comment on column webhook_endpoints.query is 'Run with the rights of the app for each change; its result is sent along.';
comment on column webhook_endpoints.xid is 'With history and number the position in changes.log: everything before it has become a delivery.';
comment on column webhook_endpoints.due_at is 'When something may be sent next; null if nothing waits.';
comment on column webhook_endpoints.lease is 'The process that sends now, until leased_until.';
comment on column webhook_endpoints.failing_since is 'The first failure since the last success.';

-- Sealed, not hashed: every message is signed with them. One is current; another may still sign while receivers change over.
create table webhook_secrets (
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  sealed bytea not null,
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create unique index webhook_secrets_one_current on webhook_secrets (endpoint_id) where expires_at is null;
create unique index webhook_secrets_one_former on webhook_secrets (endpoint_id) where expires_at is not null;
comment on column webhook_secrets.hint is 'The last letters, so that people can tell two secrets apart.';

create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  sequence bigint generated always as identity,
  kind text not null check (kind in ('change', 'gap', 'test')),
  table_name text,
  change text,
  masjid_id uuid,
  key jsonb,
  position text,
  happened_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead', 'withheld')),
  attempts integer not null default 0,
  tries jsonb not null default '[]',
  next_attempt_at timestamptz not null default now(),
  first_attempt_at timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  body text
);
create unique index webhook_deliveries_once on webhook_deliveries (endpoint_id, position) where kind = 'change';
create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, masjid_id, sequence) where state = 'waiting';
create index webhook_deliveries_listed on webhook_deliveries (endpoint_id, sequence);
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;
comment on table webhook_deliveries is 'What an endpoint is told, in the order of sequence for each masjid.';
comment on column webhook_deliveries.table_name is 'As the change log has it, with its schema.';
comment on column webhook_deliveries.tries is 'The last attempts: when, the status or why there was none, how long it took, the beginning of the response.';
comment on column webhook_deliveries.body is 'What was sent last. Rows about people are left out.';

-- The one rule about which apps are told anything: the same as for their keys.
create function may_be_told(app apps, environment text) returns boolean language sql stable as $$
  select app.deleted_at is null and not minaret.is_held(app.owner_id)
    and (app.state = 'approved' or environment = 'test' and app.state <> 'suspended')
$$;
comment on function may_be_told is 'Whether an app may be sent anything: approved, or not suspended and about invented data only.';

create function check_webhook_app() returns trigger language plpgsql as $$
declare
  app minaret.apps;
begin
  select * into app from minaret.apps where id = new.app_id for share;
  if not minaret.may_be_told(app, new.environment) then
    raise exception 'only an approved app can have this endpoint' using errcode = 'MN002';
  end if;
  return new;
end $$;
create trigger webhook_endpoints_check_app before insert or update of url, environment, app_id on webhook_endpoints
  for each row execute function check_webhook_app();
