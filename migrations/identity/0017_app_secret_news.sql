-- Up Migration

-- A new or ended secret: whoever remembers the app must look again.
create trigger app_secrets_notify after insert or update or delete on app_secrets
  for each row execute function notify_app_masjids();
alter function notify_app_masjids() rename to notify_app_part;
