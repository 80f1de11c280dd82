-- Up Migration
-- Nobody decides about an app of their own team, and none of it by turns: whoever was on the team decides nothing about the app later,
-- and whoever let the app do something does not join its team while they decide about apps.
create table former_app_members (
  app_id uuid not null references apps on delete cascade,
  user_id uuid not null references users,
  left_at timestamptz not null default now(),
  primary key (app_id, user_id)
);
comment on table former_app_members is 'Who was on the team of an app: they decide nothing about it.';
create index former_app_members_user on former_app_members (user_id);

insert into former_app_members (app_id, user_id, left_at)
select apps.id, users.id, min(former.at) from (
  select app_id, user_id, at from audit_log where action in ('app.member_left', 'app.member_removed')
  union all select app_id, (detail ->> 'former_owner_id')::uuid, at from audit_log where action = 'app.handed_over'
  union all select app_id, moved_by, moved_at from app_moves where from_state is null
) former (app_id, user_id, at) join apps on apps.id = former.app_id join users on users.id = former.user_id
where not exists (select from app_members member where member.app_id = apps.id and member.user_id = users.id)
group by apps.id, users.id;

create function note_former_member() returns trigger language plpgsql as $$
begin
  insert into minaret.former_app_members (app_id, user_id)
  select old.app_id, old.user_id where exists (select from minaret.apps where id = old.app_id)
  on conflict (app_id, user_id) do update set left_at = excluded.left_at;
  return null;
end $$;
create trigger app_members_note_former after delete on app_members for each row execute function note_former_member();

create function was_on_team(app uuid, person uuid) returns boolean language sql stable parallel safe as $$
  select minaret.is_on_team(app, person)
    or exists (select from minaret.former_app_members where app_id = app and user_id = person)
$$;
comment on function was_on_team is 'Whether this person is on the team of the app, or was.';

create or replace function check_outside_team(decider uuid, app uuid) returns void language plpgsql as $$
begin
  if decider is not null and minaret.was_on_team(app, decider) then
    raise exception 'nobody decides about an app of their own team' using errcode = 'MN005';
  end if;
end $$;

-- Whoever accepts an invitation locks the app: of a decision and a joining at once, the second one sees the first.
create or replace function check_change_decision() returns trigger language plpgsql as $$
begin
  perform from minaret.apps where id = new.app_id for no key update;
  perform minaret.check_decider(new.decided_by, (select owner_id from minaret.apps where id = new.app_id));
  perform minaret.check_outside_team(new.decided_by, new.app_id);
  return new;
end $$;

-- What userinfo shows an app is decided like everything else about it. With a decision about the app itself, that one is checked.
alter table apps add column claims_by uuid references users;
comment on column apps.claims_by is 'Who decided last what userinfo shows it, since its approval. Null is the operator at the command line.';

create function check_app_claims() returns trigger language plpgsql as $$
begin
  perform minaret.check_decider(new.claims_by, new.owner_id);
  perform minaret.check_outside_team(new.claims_by, new.id);
  return new;
end $$;
create trigger apps_check_claims before update of plain_claims, claims_by on apps for each row
  when (new.state = old.state and new.host is null) execute function check_app_claims();

create function let_app_do_something(app uuid, person uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from minaret.app_moves
      where app_id = app and moved_by = person and from_state = 'pending' and to_state = 'approved')
    or exists (select from minaret.app_changes where app_id = app and decided_by = person and state = 'approved')
    or exists (select from minaret.app_masjid_choices where app_id = app and chosen_by = person)
    or exists (select from minaret.apps where id = app and claims_by = person)
$$;
comment on function let_app_do_something is 'Whether this person approved the app or a change of it, or chose its masjids or claims.';

create function check_joins_team() returns trigger language plpgsql as $$
begin
  if exists (select from minaret.users where id = new.user_id and (is_reviewer or is_admin))
    and not exists (select from minaret.app_members where app_id = new.app_id and user_id = new.user_id)
    and minaret.let_app_do_something(new.app_id, new.user_id) then
    raise exception 'a reviewer does not join the team of an app they decided about' using errcode = 'MN015';
  end if;
  return new;
end $$;
create trigger app_members_check_joins before insert on app_members for each row execute function check_joins_team();

-- Nobody decides about the host of apps that describe themselves if people come back there from an app of their own team.
create or replace function check_host_decision() returns trigger language plpgsql as $$
begin
  perform minaret.check_decider(new.decided_by, null);
  if exists (select from minaret.app_members member join minaret.apps on apps.id = member.app_id and apps.deleted_at is null,
      unnest(apps.redirect_uris || coalesce(apps.home_page, '')) address
      where member.user_id = new.decided_by and lower(split_part(split_part(split_part(address, '://', 2), '/', 1), ':', 1)) = new.host) then
    raise exception 'nobody decides about a host of their own team' using errcode = 'MN005';
  end if;
  return new;
end $$;

-- A request about a masjid is decided by a reviewer of this very moment, as apps are; a constraint keeps it from the one who asks.
create function check_masjid_decision() returns trigger language plpgsql as $$
begin
  perform minaret.check_decider(new.decided_by, null);
  return new;
end $$;
create trigger masjid_requests_check_decision before update of state on masjid_requests for each row
  when (new.state in ('approved', 'rejected')) execute function check_masjid_decision();

insert into take_back_rules (table_name, action, reason) values
  ('minaret.former_app_members', 'none', 'who was on a team decides nothing about its app; it gives no access');
select annotate(target::regclass, name, line) from (values
  ('minaret.former_app_members', 'user_id', '@erase retain: an identifier that leads to no name any more'),
  ('minaret.apps', 'claims_by', '@erase retain: an identifier that leads to no name any more')
) declared (target, name, line);
