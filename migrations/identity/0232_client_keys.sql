-- Up Migration

-- Apps that prove who they are with a key instead of a secret (private_key_jwt, RFC 7523): the public keys, as a document or as the
-- address where the app publishes them. An app that has either cannot use a secret.
alter table apps add column jwks jsonb check (jsonb_typeof(jwks -> 'keys') = 'array'
    and jsonb_array_length(jwks -> 'keys') between 1 and 10 and length(jwks::text) <= 20000
    and not jsonb_path_exists(jwks, '$.keys[*] ? (exists (@.d) || exists (@.k) || exists (@.p) || exists (@.q))')),
  add column jwks_uri text check (length(jwks_uri) <= 2000 and is_web_address(jwks_uri)),
  add constraint apps_keys_check check (num_nonnulls(jwks, jwks_uri) <= 1
    and (kind = 'confidential' or num_nonnulls(jwks, jwks_uri) = 0));
comment on column apps.jwks is 'The public keys that it signs its assertions with.';
comment on column apps.jwks_uri is 'Where it publishes those keys.';

-- What may be used once: the ids of assertions. The primary key lets one of fifty at once through.
create table used_token_ids (
  id_hash bytea primary key check (length(id_hash) = 32),
  expires_at timestamptz not null
);
comment on table used_token_ids is 'Identifiers (jti) that were used, until they could not be used any more anyway.';
create index used_token_ids_expires_at on used_token_ids (expires_at);

-- The development client signs with the same keys as its app.
create function follow_app_keys() returns trigger language plpgsql as $$
begin
  update minaret.apps set jwks = new.jwks, jwks_uri = new.jwks_uri where development_of = new.id and deleted_at is null;
  return null;
end $$;
create trigger apps_follow_keys after update of jwks, jwks_uri on apps for each row
  when (new.development_of is null and (new.jwks, new.jwks_uri) is distinct from (old.jwks, old.jwks_uri))
  execute function follow_app_keys();
