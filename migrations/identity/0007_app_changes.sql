-- Up Migration

-- What the owner of an approved app asks to change. The approved values stay in force until a reviewer agrees.
create table app_changes (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references apps on delete cascade,
  proposed jsonb not null check (jsonb_typeof(proposed) = 'object' and proposed <> '{}'),
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'withdrawn')),
  requested_by uuid not null references users,
  requested_at timestamptz not null default now(),
  request_reason text check (length(request_reason) <= 2000),
  decided_by uuid references users,
  decided_at timestamptz,
  reason text check (length(reason) <= 2000),
  check ((state = 'pending') = (decided_at is null))
);
comment on column app_changes.proposed is 'The new values of what is to change, by the name of the column in apps.';

create unique index app_changes_one_pending on app_changes (app_id) where state = 'pending';
create index app_changes_queue on app_changes (requested_at) where state = 'pending';
create index app_changes_app on app_changes (app_id, requested_at);

-- A decision stands: whoever comes second finds nothing to decide.
create function check_app_change() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' then
    raise exception 'the change was decided already' using errcode = 'MN001';
  end if;
  return new;
end $$;
create trigger app_changes_check before update on app_changes
  for each row execute function check_app_change();
