-- Up Migration

-- The apps of a disabled person are paused: their tokens, keys and sign-ins are refused for as long as the account is
-- disabled, and work again when it is enabled. Nothing is written to the apps, so that what a reviewer does to them
-- meanwhile stays as it is.
create function is_held(owner uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from minaret.users where id = owner and disabled_at is not null)
$$;
comment on function is_held is 'Whether the apps of this person are paused because the account is disabled.';

-- Whoever remembers one of the apps must look again.
create function notify_held_apps() returns trigger language plpgsql as $$
begin
  perform pg_notify('minaret_apps', app.id::text)
  from minaret.apps as app where app.owner_id = new.id and app.deleted_at is null;
  return null;
end $$;
create trigger users_hold_apps after update of disabled_at on users for each row
  when ((new.disabled_at is null) <> (old.disabled_at is null))
  execute function notify_held_apps();

-- Who decides about an app: not its owner, and a reviewer or administrator at this very moment. The lock makes an account that is
-- being disabled, or losing the right, come first or wait. Null is the operator at the command line.
create function check_decider(decider uuid, owner uuid) returns void language plpgsql as $$
begin
  if decider is null then return; end if;
  if decider = owner then
    raise exception 'nobody decides about their own app' using errcode = 'MN005';
  end if;
  perform from minaret.users where id = decider and (is_reviewer or is_admin) and disabled_at is null for share;
  if not found then
    raise exception 'only reviewers and administrators decide about apps' using errcode = 'MN006';
  end if;
end $$;

-- Owners may stop their app, and start it again as long as no reviewer has taken the suspension over.
create function check_app_decision() returns trigger language plpgsql as $$
begin
  if new.moved_by = new.owner_id and (
      (old.state = 'approved' and new.state = 'suspended')
      or (old.state = 'suspended' and new.state = 'approved' and old.moved_by = old.owner_id)) then
    return new;
  end if;
  perform minaret.check_decider(new.moved_by, new.owner_id);
  return new;
end $$;
create trigger apps_check_decision before update on apps for each row
  when (new.deleted_at is null and new.state <> 'pending'
    and (new.state <> old.state or new.moved_by is distinct from old.moved_by))
  execute function check_app_decision();

create function check_change_decision() returns trigger language plpgsql as $$
begin
  perform minaret.check_decider(new.decided_by, (select owner_id from minaret.apps where id = new.app_id));
  return new;
end $$;
create trigger app_changes_check_decision before update on app_changes for each row
  when (new.state in ('approved', 'rejected')) execute function check_change_decision();

-- A suspension that a reviewer takes over is a line in the history too.
create or replace function record_app_move() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into minaret.app_moves (app_id, from_state, to_state, moved_by, reason, snapshot)
    values (new.id, null, new.state, coalesce(new.moved_by, new.owner_id), new.moved_because, minaret.app_snapshot(new));
  elsif new.deleted_at is not null and old.deleted_at is null then
    insert into minaret.app_moves (app_id, from_state, to_state, moved_by, reason, snapshot)
    values (new.id, old.state, 'deleted', new.moved_by, new.moved_because, minaret.app_snapshot(new));
  elsif new.state <> old.state or (new.state = 'suspended' and new.moved_by is distinct from old.moved_by) then
    insert into minaret.app_moves (app_id, from_state, to_state, moved_by, reason, snapshot)
    values (new.id, old.state, new.state, new.moved_by, new.moved_because, minaret.app_snapshot(new));
  end if;
  return null;
end $$;
