-- Up Migration
-- What the transaction of a mutation calls while it runs, and the responses that are kept for an Idempotency-Key.

create function refuse_writing(code text, message text) returns text
language plpgsql as $$
begin
  raise exception using errcode = code, message = message;
end
$$;
comment on function refuse_writing is E'@hidden\nRaises an error with a code of class MN; called by the steps of a mutation where they must not go on.';

-- Deferred constraints are checked as a commit would check them, and then everything is rolled back by an error. The sandbox
-- has a constraint that refuses every commit, so it is left out.
create function end_dry_run() returns void
language plpgsql set search_path from current as $$
declare
  deferred text;
begin
  select string_agg(distinct format('%I.%I', current_schema(), conname), ', ') into deferred from pg_catalog.pg_constraint
  where condeferrable and connamespace = (current_schema()::text)::regnamespace and conname <> 'sandbox_never_commits';
  if deferred is not null then
    execute 'set constraints ' || deferred || ' immediate';
  end if;
  raise exception 'The end of a dry run.' using errcode = 'MN007';
end
$$;
comment on function end_dry_run is E'@hidden\nChecks deferred constraints, then raises MN007 so that nothing of the transaction remains.';

create table idempotent_requests (
  app_id text not null,
  user_id text not null,
  key text not null check (length(key) between 1 and 255),
  request_hash text not null,
  answer text not null,
  created_at timestamptz not null default now(),
  primary key (app_id, user_id, key)
);
create index on idempotent_requests (created_at);
comment on table idempotent_requests is E'@hidden\nThe responses of mutations that were sent with an Idempotency-Key, for 24 hours. Not part of the API.';

-- Nobody but the owner reads or writes the table: the functions below do, for the app and the person of the transaction.
create function idempotent_app() returns text language sql stable
return coalesce(current_setting('minaret.app_id', true), '');
create function idempotent_user() returns text language sql stable
return coalesce(current_setting('minaret.user_id', true), '');
comment on function idempotent_app is E'@hidden\nThe app that a key belongs to.';
comment on function idempotent_user is E'@hidden\nThe person that a key belongs to.';

-- The statement after the lock has a snapshot of its own, so it sees what the previous holder of the lock has committed.
create function claim_idempotency_key(claimed text, hash text) returns void
language plpgsql security definer set search_path from current as $$
declare
  stored idempotent_requests;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(
      idempotent_app() || ' ' || idempotent_user() || ' ' || claimed, 6206160)) then
    raise exception 'in use' using errcode = 'MN004';
  end if;
  select * into stored from idempotent_requests
  where app_id = idempotent_app() and user_id = idempotent_user() and key = claimed;
  if stored.created_at <= now() - interval '24 hours' then
    delete from idempotent_requests
    where app_id = idempotent_app() and user_id = idempotent_user() and key = claimed;
  elsif stored.request_hash = hash then
    raise exception 'replay' using errcode = 'MN004';
  elsif stored.request_hash is not null then
    raise exception 'reused' using errcode = 'MN004';
  end if;
end
$$;
comment on function claim_idempotency_key is E'@hidden\nTakes a key until the end of the transaction. Raises MN004: "in use", "replay" if its response is stored, or "reused" if it is that of another request.';

-- The response is put together from literal parts and from settings in which earlier steps left theirs.
create function store_idempotent_answer(claimed text, hash text, parts text[], are_settings boolean[], most integer) returns void
language plpgsql security definer set search_path from current as $$
declare
  whole text;
begin
  select coalesce(string_agg(case when is_setting then current_setting(part) else part end, '' order by place), '') into whole
  from unnest(parts, are_settings) with ordinality as piece (part, is_setting, place);
  if octet_length(whole) > most then
    raise exception 'idempotency' using errcode = 'MN006';
  end if;
  insert into idempotent_requests (app_id, user_id, key, request_hash, answer)
  values (idempotent_app(), idempotent_user(), claimed, hash, whole);
end
$$;
comment on function store_idempotent_answer is E'@hidden\nStores the response of the transaction for a key that it has claimed.';

create function read_idempotent_answer(claimed text, hash text) returns text
language sql stable security definer set search_path from current as $$
  select answer from idempotent_requests
  where app_id = idempotent_app() and user_id = idempotent_user() and key = claimed and request_hash = hash
    and created_at > now() - interval '24 hours'
$$;
comment on function read_idempotent_answer is E'@hidden\nThe stored response of a key.';
