-- Up Migration

-- An app by itself writes only at masjids whose own app it is. A service's own app may belong to every masjid, also to
-- those that are added later.
alter table apps
  add column own_all_masjids boolean not null default false,
  add column masjids_by uuid references users,
  add constraint apps_own_all_masjids
    check (not own_all_masjids or (all_masjids and state in ('approved', 'suspended')));
comment on column apps.own_all_masjids is 'The app belongs to every masjid; otherwise to those that app_masjids says are its own.';
comment on column apps.masjids_by is 'Who chose the masjids last. Null is the operator at the command line.';

-- Every choice of an app's masjids, so that its history says who gave it what, and when.
create table app_masjid_choices (
  id bigint generated always as identity primary key,
  app_id uuid not null references apps on delete cascade,
  chosen_by uuid references users,
  chosen_at timestamptz not null default now(),
  all_masjids boolean not null,
  own_all_masjids boolean not null,
  masjids uuid[] not null,
  own_masjids uuid[] not null
);
create index app_masjid_choices_app on app_masjid_choices (app_id, id);

-- Only a reviewer of somebody else's app, or the operator, widens or narrows it.
create function check_app_masjids() returns trigger language plpgsql as $$
begin
  perform minaret.check_decider(new.masjids_by, new.owner_id);
  return new;
end $$;
create trigger apps_check_masjids before update of all_masjids, own_all_masjids, masjids_by on apps
  for each row execute function check_app_masjids();
