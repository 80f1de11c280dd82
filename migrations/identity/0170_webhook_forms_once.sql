-- Up Migration
-- A form that registers an endpoint, or changes its secret, names the id of what it creates: sent twice, it creates one. The id stays
-- used after that row is gone, so that reloading the result later neither brings an endpoint back nor ends a secret that is in use.
create table webhook_ids (
  id uuid primary key,
  used_at timestamptz not null default now()
);
comment on table webhook_ids is 'Every id that an endpoint or one of its secrets has had lately.';
create index webhook_ids_used on webhook_ids (used_at);
insert into webhook_ids (id, used_at) select id, created_at from webhook_endpoints union all select id, created_at from webhook_secrets;

create function use_webhook_id() returns trigger language plpgsql as $$
begin
  insert into minaret.webhook_ids (id) values (new.id);
  return new;
end $$;
create trigger webhook_endpoints_use_id before insert on webhook_endpoints for each row execute function use_webhook_id();
create trigger webhook_secrets_use_id before insert on webhook_secrets for each row execute function use_webhook_id();
