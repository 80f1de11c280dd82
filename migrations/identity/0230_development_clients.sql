-- Up Migration

-- Every app has a development client from its registration on: a client of its own, for the app's team and for sandbox data alone.
-- It is a row of `apps`, so that its secrets, grants, tokens and consents are its own too, and end as those of any app do. It follows
-- its app: what the app asks for is what it may try out, and it stops while the app is suspended.
alter table apps add column development_of uuid unique references apps on delete cascade;
comment on column apps.development_of is 'The app whose development client this is; null for an app.';
alter table apps add constraint apps_development_check
  check (development_of is null or (owner_id is not null and grants_to = 'person' and client_id like 'dev\_%'));

create function is_on_team(app uuid, person uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from minaret.apps where id = app and owner_id = person)
$$;
comment on function is_on_team is 'Whether this person is on the team of the app, or of the app whose development client it is.';

-- The redirect URI stands for every address of the loopback interface: the port and the path are the developer's to choose.
create function follow_app(app apps) returns void language plpgsql as $$
begin
  if not exists (select from minaret.apps where development_of = app.id) then
    insert into minaret.apps (development_of, client_id, owner_id, name, description, kind, redirect_uris, requested_scopes, scopes)
    values (app.id, 'dev_' || replace(gen_random_uuid()::text, '-', ''), app.owner_id, app.name, app.description, app.kind,
      '{http://127.0.0.1/}', app.requested_scopes, app.requested_scopes);
  end if;
  update minaret.apps as client set
    state = case app.state when 'suspended' then 'suspended' else 'approved' end, approved_at = coalesce(client.approved_at, now()),
    owner_id = app.owner_id, name = app.name, description = app.description, kind = app.kind,
    requested_scopes = app.requested_scopes, scopes = app.requested_scopes, plain_claims = app.plain_claims,
    id_token_alg = app.id_token_alg, client_authentication = app.client_authentication, device_flow = app.device_flow,
    deleted_at = app.deleted_at
  where client.development_of = app.id and client.deleted_at is null
    and (client.state, client.owner_id, client.name, client.description, client.kind, client.requested_scopes,
      client.plain_claims, client.id_token_alg, client.client_authentication, client.device_flow, client.deleted_at)
    is distinct from (case app.state when 'suspended' then 'suspended' else 'approved' end, app.owner_id, app.name, app.description,
      app.kind, app.requested_scopes, app.plain_claims, app.id_token_alg, app.client_authentication, app.device_flow, app.deleted_at);
end $$;

create function app_changed() returns trigger language plpgsql as $$
begin
  perform minaret.follow_app(new);
  return null;
end $$;
create trigger apps_follow after insert or update on apps for each row
  when (new.development_of is null and new.owner_id is not null) execute function app_changed();

select minaret.follow_app(app) from apps as app
where development_of is null and owner_id is not null and deleted_at is null;

-- A development client acts for its team alone.
create or replace function check_grant_holder() returns trigger language plpgsql as $$
declare
  app minaret.apps;
begin
  select * into app from minaret.apps where id = new.app_id;
  if app.grants_to is distinct from (case when new.masjid_id is null then 'person' else 'masjid' end) then
    raise exception 'the grant is not of the kind that its app has' using errcode = 'MN001';
  end if;
  if app.development_of is not null and not minaret.is_on_team(app.id, new.user_id) then
    raise exception 'a development client works for the team of its app alone' using errcode = 'MN007';
  end if;
  return new;
end $$;

-- Whoever is not on the team any more: what the development client holds for them ends.
create function end_team_grants() returns trigger language plpgsql as $$
begin
  update minaret.grants set revoked_at = now()
  where app_id = new.id and revoked_at is null and not minaret.is_on_team(app_id, user_id);
  return null;
end $$;
create trigger apps_team_grants after update of owner_id on apps for each row
  when (new.development_of is not null and new.owner_id is distinct from old.owner_id) execute function end_team_grants();
