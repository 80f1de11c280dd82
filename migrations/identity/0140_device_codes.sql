-- Up Migration

-- The device authorization grant (RFC 8628): an app on a device without a keyboard shows a code, and a person allows it from
-- a browser elsewhere. Off unless the owner of an app asked for it and a reviewer agreed.
alter table apps add column device_flow text not null default 'off' check (device_flow in ('off', 'on'));
comment on column apps.device_flow is 'Whether devices may ask for access with a code (RFC 8628).';

-- An app that is only reached by a code never redirects anyone.
do $$
begin
  execute (select format('alter table apps drop constraint %I', conname) from pg_constraint
    where conrelid = 'apps'::regclass and contype = 'c'
      and pg_get_constraintdef(oid) like '%''confidential''%cardinality(redirect_uris) > 0%');
end $$;
alter table apps add constraint apps_redirect_uris_needed
  check (kind = 'confidential' or device_flow = 'on' or cardinality(redirect_uris) > 0);

create or replace function app_snapshot(app apps) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'name', app.name, 'description', app.description, 'home_page', app.home_page, 'logo', app.logo, 'kind', app.kind,
    'redirect_uris', app.redirect_uris, 'post_logout_redirect_uris', app.post_logout_redirect_uris,
    'requested_scopes', app.requested_scopes, 'id_token_alg', app.id_token_alg,
    'client_authentication', app.client_authentication, 'device_flow', app.device_flow)
$$;

-- One request of a device. The code that people type is no secret: whoever has it can only decide about the request, signed in
-- and with their own rights.
create table device_codes (
  id uuid primary key default gen_random_uuid(),
  device_code_hash bytea not null unique check (length(device_code_hash) = 32),
  user_code text not null unique check (user_code ~ '^[BCDFGHJKLMNPQRSTVWXZ]{8}$'),
  app_id uuid not null references apps on delete cascade,
  scopes text[] not null check (cardinality(scopes) > 0),
  claims text[] not null default '{}' check (minaret.are_claims(claims)),
  address text check (length(address) <= 100),
  user_agent text check (length(user_agent) <= 500),
  state text not null default 'pending' check (state in ('pending', 'approved', 'denied', 'used')),
  session_id uuid references sessions on delete set null,
  grant_id uuid references grants on delete cascade,
  interval_seconds integer not null default 5 check (interval_seconds between 5 and 600),
  polled_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  decided_at timestamptz,
  used_at timestamptz,
  check ((state in ('approved', 'used')) = (grant_id is not null)),
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'used') = (used_at is not null))
);
comment on column device_codes.address is 'Where the device asked from; shown to the person who decides.';
comment on column device_codes.session_id is 'The browser in which the code was typed: only it can decide.';
comment on column device_codes.interval_seconds is 'How long the device waits between two questions.';
create index device_codes_expires_at on device_codes (expires_at);
create index device_codes_app on device_codes (app_id);
create index device_codes_session on device_codes (session_id) where session_id is not null;
create index device_codes_grant on device_codes (grant_id) where grant_id is not null;

-- Decided once, used once, and never after its time.
create function check_device_move() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (('pending', 'approved'), ('pending', 'denied'), ('approved', 'used')) then
    raise exception 'a device code cannot move from % to %', old.state, new.state using errcode = 'MN001';
  end if;
  if old.expires_at <= now() then
    raise exception 'the device code has expired' using errcode = 'MN001';
  end if;
  return new;
end $$;
create trigger device_codes_check_move before update of state on device_codes for each row
  when (new.state <> old.state) execute function check_device_move();

create function keep_device_request() returns trigger language plpgsql as $$
begin
  raise exception 'what a device asked for never changes' using errcode = 'MN001';
end $$;
create trigger device_codes_keep before update on device_codes for each row
  when ((old.device_code_hash, old.user_code, old.app_id, old.scopes) <> (new.device_code_hash, new.user_code, new.app_id, new.scopes)
    or not (old.claims @> new.claims) or new.expires_at > old.expires_at or old.grant_id <> new.grant_id)
  execute function keep_device_request();

-- A code leads to a grant of its own app, with no more than the page named.
create function check_device_grant() returns trigger language plpgsql as $$
begin
  if not exists (select from minaret.grants
    where id = new.grant_id and app_id = new.app_id and scopes <@ new.scopes and claims <@ new.claims) then
    raise exception 'the grant is not the one that was asked for' using errcode = 'MN001';
  end if;
  return null;
end $$;
create trigger device_codes_check_grant after update of grant_id on device_codes for each row
  when (new.grant_id is not null) execute function check_device_grant();
