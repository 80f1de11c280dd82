-- Up Migration

-- OpenID Connect Back-Channel Logout 1.0: apps that ask for it are told when a person signs out here.
alter table apps add column backchannel_logout_uri text check (length(backchannel_logout_uri) between 1 and 2000);
comment on column apps.backchannel_logout_uri is 'Where the app is told that a person has signed out here. Its owner sets it, like webhooks.';

-- A sign-in is known to apps by its `sid`. Whoever signs in again in the same browser keeps it: that is no sign-out.
alter table sessions add column sid uuid;
comment on column sessions.sid is 'What apps know the session by; null: its own id.';
alter table grants add column sid uuid;
comment on column grants.sid is 'The session in which the app was allowed, as apps know it. Null for devices, which have none.';
create index grants_sid on grants (sid) where sid is not null;

create table logout_notices (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references apps on delete cascade,
  user_id uuid not null references users on delete cascade,
  sid uuid,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
);
create unique index logout_notices_once on logout_notices (app_id, sid) where sid is not null;
create index logout_notices_due on logout_notices (next_attempt_at);
create index logout_notices_user on logout_notices (user_id);
create index logout_notices_app on logout_notices (app_id);
comment on table logout_notices is E'@erase retain: apps have yet to be told that the person is gone; deleted once they are, or after three days\nSign-outs that apps have yet to be told of.';
comment on column logout_notices.user_id is '@subject account';
comment on column logout_notices.sid is 'Null: every session of the person.';

create function tell_of_sign_out() returns trigger language plpgsql as $$
declare
  ended constant uuid := coalesce(new.sid, new.id);
begin
  -- The same sign-in goes on in a newer session.
  if exists (select from minaret.sessions other
    where other.user_id = new.user_id and other.ended_at is null and coalesce(other.sid, other.id) = ended) then
    return null;
  end if;
  insert into minaret.logout_notices (app_id, user_id, sid)
  select distinct app.id, new.user_id, ended
  from minaret.grants allowed join minaret.apps app on app.id = allowed.app_id
  where allowed.sid = ended and 'openid' = any (allowed.scopes)
    and app.backchannel_logout_uri is not null and app.state = 'approved' and app.deleted_at is null
  on conflict do nothing;
  if found then
    perform pg_notify('minaret_logouts', '');
  end if;
  return null;
end $$;
create trigger sessions_tell_of_sign_out after update of ended_at on sessions for each row
  when (new.ended_at is not null and old.ended_at is null) execute function tell_of_sign_out();

-- Before the account's grants end with it: every app that acts for the person, whichever sessions there were.
create function tell_of_disabling() returns trigger language plpgsql as $$
begin
  insert into minaret.logout_notices (app_id, user_id)
  select distinct app.id, new.id
  from minaret.grants allowed join minaret.apps app on app.id = allowed.app_id
  where allowed.user_id = new.id and allowed.revoked_at is null and 'openid' = any (allowed.scopes)
    and app.backchannel_logout_uri is not null and app.state = 'approved' and app.deleted_at is null;
  if found then
    perform pg_notify('minaret_logouts', '');
  end if;
  return new;
end $$;
create trigger users_tell_of_disabling before update of disabled_at on users for each row
  when (new.disabled_at is not null and old.disabled_at is null) execute function tell_of_disabling();
