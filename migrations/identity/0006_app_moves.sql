-- Up Migration

-- The history of every app: each move from one state to the next, who made it, when and why.
create table app_moves (
  id bigint generated always as identity primary key,
  app_id uuid not null references apps on delete cascade,
  from_state text,
  to_state text not null,
  moved_by uuid references users,
  moved_at timestamptz not null default now(),
  reason text
);
comment on column app_moves.from_state is 'Null for the registration.';
comment on column app_moves.to_state is 'A state of an app, or ''deleted''.';
create index app_moves_app on app_moves (app_id, id);

-- The only moves there are. The database holds them, so that no path through the code can go round them.
create function is_app_move(from_state text, to_state text) returns boolean language sql immutable as $$
  select (from_state, to_state) in (
    ('pending', 'approved'), ('pending', 'rejected'), ('rejected', 'pending'),
    ('approved', 'suspended'), ('suspended', 'approved'))
$$;

create function check_app_move() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'pending' then
      raise exception 'an app begins as pending, not as %', new.state using errcode = 'MN001';
    end if;
    return new;
  end if;
  if old.deleted_at is not null then
    raise exception 'the app was deleted' using errcode = 'MN001';
  end if;
  if new.state <> old.state and not minaret.is_app_move(old.state, new.state) then
    raise exception 'an app cannot move from % to %', old.state, new.state using errcode = 'MN001';
  end if;
  if old.client_id is not null and new.client_id is distinct from old.client_id then
    raise exception 'a client_id never changes' using errcode = 'MN001';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger apps_check_move before insert or update on apps
  for each row execute function check_app_move();

create function record_app_move() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into minaret.app_moves (app_id, from_state, to_state, moved_by, reason)
    values (new.id, null, new.state, coalesce(new.moved_by, new.owner_id), new.moved_because);
  elsif new.state <> old.state then
    insert into minaret.app_moves (app_id, from_state, to_state, moved_by, reason)
    values (new.id, old.state, new.state, new.moved_by, new.moved_because);
  elsif new.deleted_at is not null and old.deleted_at is null then
    insert into minaret.app_moves (app_id, from_state, to_state, moved_by, reason)
    values (new.id, old.state, 'deleted', new.moved_by, new.moved_because);
  end if;
  return null;
end $$;
create trigger apps_record_move after insert or update on apps
  for each row execute function record_app_move();
