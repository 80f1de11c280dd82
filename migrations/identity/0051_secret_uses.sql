-- Up Migration

-- The last use of a secret is no news: only a new, ended or removed one makes others look again.
drop trigger app_secrets_notify on app_secrets;
create trigger app_secrets_notify after insert or delete or update of revoked_at on app_secrets
  for each row execute function notify_app_part();
