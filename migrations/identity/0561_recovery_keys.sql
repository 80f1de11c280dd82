-- Up Migration
-- The secret of the installation can be replaced. Recovery codes are kept as digests only, so those that people have on paper need the key
-- that they were made with: it is kept, sealed with the new secret.
create table recovery_keys (
  id uuid primary key default gen_random_uuid(),
  sealed bytea not null,
  created_at timestamptz not null default now()
);
comment on table recovery_keys is 'Keys that the digests of recovery codes were made with before the secret of the installation was replaced.';
comment on column recovery_keys.sealed is 'The key, sealed with the secret of the installation.';
insert into take_back_rules (table_name, action, reason) values
  ('minaret.recovery_keys', 'none', 'keys of the service itself');
