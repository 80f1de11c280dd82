-- Up Migration

-- Whatever ends a right also writes the news of it, in the same transaction.

-- A suspended or deleted app: its keys, grants, refresh tokens and pending changes end. One line of news covers them all.
create function end_app() returns trigger language plpgsql as $$
begin
  perform minaret.revoke('app', new.id::text);
  update minaret.api_keys set revoked_at = now() where app_id = new.id and revoked_at is null;
  update minaret.grants set revoked_at = now() where app_id = new.id and revoked_at is null;
  if new.deleted_at is not null then
    update minaret.app_secrets set revoked_at = now() where app_id = new.id and revoked_at is null;
    update minaret.app_changes set state = 'withdrawn', decided_at = now() where app_id = new.id and state = 'pending';
  end if;
  return null;
end $$;
create trigger apps_end after update on apps for each row
  when ((new.state = 'suspended' and old.state <> 'suspended') or (new.deleted_at is not null and old.deleted_at is null))
  execute function end_app();

-- Narrower scopes or masjids, another name: whoever remembers the app must look again.
create function notify_app() returns trigger language plpgsql as $$
begin
  perform pg_notify('minaret_apps', new.id::text);
  return null;
end $$;
create trigger apps_notify after update on apps for each row execute function notify_app();

create function notify_app_masjids() returns trigger language plpgsql as $$
begin
  perform pg_notify('minaret_apps', coalesce(new.app_id, old.app_id)::text);
  return null;
end $$;
create trigger app_masjids_notify after insert or update or delete on app_masjids
  for each row execute function notify_app_masjids();

-- A disabled user: signed out everywhere, and every app acting for them stops.
create function end_user() returns trigger language plpgsql as $$
begin
  perform minaret.revoke('user', new.id::text);
  update minaret.sessions set ended_at = now() where user_id = new.id and ended_at is null;
  update minaret.grants set revoked_at = now() where user_id = new.id and revoked_at is null;
  return null;
end $$;
create trigger users_end after update on users for each row
  when (new.disabled_at is not null and old.disabled_at is null)
  execute function end_user();

create function end_grant() returns trigger language plpgsql as $$
begin
  update minaret.refresh_tokens set revoked_at = new.revoked_at where grant_id = new.id and revoked_at is null;
  -- An app with many users would send as much news as it has users; the app's own line covers them.
  if not exists (select from minaret.revocations
    where kind = 'app' and subject = new.app_id::text and revoked_at >= new.revoked_at) then
    perform minaret.revoke('grant', new.id::text);
  end if;
  return null;
end $$;
create trigger grants_end after update on grants for each row
  when (new.revoked_at is not null and old.revoked_at is null)
  execute function end_grant();

-- A withdrawn consent ends what the app holds for that person.
create function end_consent() returns trigger language plpgsql as $$
begin
  update minaret.grants set revoked_at = now()
  where user_id = new.user_id and app_id = new.app_id and revoked_at is null;
  return null;
end $$;
create trigger consents_end after update on consents for each row
  when (new.withdrawn_at is not null and old.withdrawn_at is null)
  execute function end_consent();

create function end_key() returns trigger language plpgsql as $$
begin
  perform minaret.revoke('key', new.id::text);
  return null;
end $$;
create trigger api_keys_end after update on api_keys for each row
  when (new.revoked_at is not null and old.revoked_at is null)
  execute function end_key();
