-- Up Migration

-- DPoP (RFC 9449): tokens that are worth nothing without the key they are bound to. Kept is the thumbprint of the key (RFC 7638).
alter table apps add column dpop_bound boolean not null default false;
comment on column apps.dpop_bound is 'Whether it gets tokens only with a proof of a key.';

alter table authorization_codes add column dpop_jkt text check (dpop_jkt ~ '^[A-Za-z0-9_-]{43}$');
comment on column authorization_codes.dpop_jkt is 'The key that must be proven to use the code; null: none.';

alter table refresh_tokens add column dpop_jkt text check (dpop_jkt ~ '^[A-Za-z0-9_-]{43}$');
comment on column refresh_tokens.dpop_jkt is 'The key that must be proven to use it; null: none, as for apps that authenticate.';

-- The development client has the same.
create function follow_app_proofs() returns trigger language plpgsql as $$
begin
  update minaret.apps set dpop_bound = new.dpop_bound where development_of = new.id and deleted_at is null;
  return null;
end $$;
create trigger apps_follow_proofs after update of dpop_bound on apps for each row
  when (new.development_of is null and new.dpop_bound is distinct from old.dpop_bound)
  execute function follow_app_proofs();
