-- Up Migration

-- A limit that an app's team sets for one key. It only lowers what the key may do: the limits of the app and of addresses stay.
alter table api_keys add column requests_per_minute integer
  constraint api_keys_requests_per_minute check (requests_per_minute between 1 and 60000);
comment on column api_keys.requests_per_minute is 'How many requests a minute the key may make; null: as many as its app.';

-- Processes keep keys in memory: they drop those of the app, and look them up again.
create function note_key_limit() returns trigger language plpgsql as $$
begin
  perform pg_notify('minaret_apps', new.app_id::text);
  return null;
end $$;
create trigger api_keys_limit after update of requests_per_minute on api_keys for each row
  when (new.app_id is not null and new.requests_per_minute is distinct from old.requests_per_minute)
  execute function note_key_limit();
