-- Up Migration

-- How long the tokens of an app live. The defaults are the longest: an app can only choose less, and so needs no reviewer for it.
alter table apps
  add column access_seconds integer not null default 3600 check (access_seconds between 300 and 3600),
  add column refresh_idle_seconds integer not null default 2592000 check (refresh_idle_seconds between 3600 and 2592000),
  add column refresh_total_seconds integer not null default 15552000 check (refresh_total_seconds between 86400 and 15552000),
  add constraint apps_lifetimes_check check (access_seconds <= refresh_idle_seconds and refresh_idle_seconds <= refresh_total_seconds);
comment on column apps.access_seconds is 'How long its access tokens live.';
comment on column apps.refresh_idle_seconds is 'How long a refresh token lives without use.';
comment on column apps.refresh_total_seconds is 'How long refresh tokens of one authorization live in all.';

-- The development client has the same.
create function follow_app_lifetimes() returns trigger language plpgsql as $$
begin
  update minaret.apps set access_seconds = new.access_seconds, refresh_idle_seconds = new.refresh_idle_seconds,
    refresh_total_seconds = new.refresh_total_seconds
  where development_of = new.id and deleted_at is null;
  return null;
end $$;
create trigger apps_follow_lifetimes after update of access_seconds, refresh_idle_seconds, refresh_total_seconds on apps
  for each row when (new.development_of is null
    and (new.access_seconds, new.refresh_idle_seconds, new.refresh_total_seconds)
      is distinct from (old.access_seconds, old.refresh_idle_seconds, old.refresh_total_seconds))
  execute function follow_app_lifetimes();
