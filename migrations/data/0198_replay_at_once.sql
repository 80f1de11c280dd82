-- Up Migration
-- A stored response is found before the lock is asked for: of many who repeat a finished request at once, only one would get the
-- lock, and the others would be told that the request is still running.

create or replace function claim_idempotency_key(claimed text, hash text) returns void
language plpgsql security definer set search_path from current as $$
declare
  stored idempotent_requests;
begin
  -- Each statement has a snapshot of its own, so the second look sees what the previous holder of the lock has committed.
  for look in 1..2 loop
    select * into stored from idempotent_requests
    where app_id = idempotent_app() and user_id = idempotent_user() and key = claimed
      and created_at > now() - interval '24 hours';
    if stored.request_hash = hash then
      raise exception 'replay' using errcode = 'MN004';
    elsif stored.request_hash is not null then
      raise exception 'reused' using errcode = 'MN004';
    elsif look = 1 and not pg_try_advisory_xact_lock(hashtextextended(
        idempotent_app() || ' ' || idempotent_user() || ' ' || claimed, 6206160)) then
      raise exception 'in use' using errcode = 'MN004';
    end if;
  end loop;
  delete from idempotent_requests where app_id = idempotent_app() and user_id = idempotent_user() and key = claimed;
end
$$;
select pin_search_paths();
