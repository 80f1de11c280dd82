-- Up Migration

-- The team of an app. Owners do everything; developers change settings and credentials; viewers read. `apps.owner_id` stays the one
-- owner who stands for the app: named on the consent page, and held to account for it.
create table app_members (
  app_id uuid not null references apps on delete cascade,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'developer', 'viewer')),
  added_by uuid references users,
  added_at timestamptz not null default now(),
  primary key (app_id, user_id)
);
comment on table app_members is 'The team of an app.';
create index app_members_user on app_members (user_id);

insert into app_members (app_id, user_id, role, added_at)
select id, owner_id, 'owner', created_at from apps where owner_id is not null and development_of is null;

create function is_app_owner(app uuid, person uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from minaret.app_members where app_id = app and user_id = person and role = 'owner')
$$;
comment on function is_app_owner is 'Whether this person is one of the owners of the app.';

create or replace function is_on_team(app uuid, person uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from minaret.apps join minaret.app_members as member on member.app_id = coalesce(apps.development_of, apps.id)
    where apps.id = app and member.user_id = person)
$$;

-- Whoever stands for an app is one of its owners.
create function add_standing_owner() returns trigger language plpgsql as $$
begin
  insert into minaret.app_members (app_id, user_id, role) values (new.id, new.owner_id, 'owner')
  on conflict (app_id, user_id) do update set role = 'owner' where app_members.role <> 'owner';
  return null;
end $$;
create trigger apps_add_owner after insert or update of owner_id on apps for each row
  when (new.development_of is null and new.owner_id is not null) execute function add_standing_owner();

-- An app always has an owner, and one of them stands for it. The lock makes two who leave or remove each other at once come one after
-- the other. What the development client holds for whoever left ends.
create function team_shrank() returns trigger language plpgsql as $$
declare
  standing uuid;
  heir uuid;
begin
  select owner_id into standing from minaret.apps where id = old.app_id and deleted_at is null for update;
  if standing is not null and old.role = 'owner' then
    select user_id into heir from minaret.app_members where app_id = old.app_id and role = 'owner' order by added_at, user_id limit 1;
    if heir is null then
      raise exception 'an app keeps an owner' using errcode = 'MN008';
    end if;
    if standing = old.user_id then
      update minaret.apps set owner_id = heir where id = old.app_id;
    end if;
  end if;
  if tg_op = 'DELETE' then
    update minaret.grants set revoked_at = now()
    where user_id = old.user_id and revoked_at is null
      and app_id = (select id from minaret.apps where development_of = old.app_id);
  end if;
  return null;
end $$;
create trigger app_members_removed after delete on app_members for each row execute function team_shrank();
create trigger app_members_lowered after update of role on app_members for each row
  when (old.role = 'owner' and new.role <> 'owner') execute function team_shrank();

-- An invitation to a team: sent to an address, accepted once, within a week, by the account whose confirmed address it is.
create table app_invitations (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null references apps on delete cascade,
  email text not null check (length(email) <= 254),
  role text not null check (role in ('owner', 'developer', 'viewer')),
  token_hash bytea not null unique check (length(token_hash) = 32),
  invited_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  accepted_by uuid references users,
  withdrawn_at timestamptz,
  check (accepted_at is null or withdrawn_at is null)
);
comment on table app_invitations is 'Invitations to the teams of apps, open, accepted and withdrawn.';
create unique index app_invitations_open on app_invitations (app_id, lower(email)) where accepted_at is null and withdrawn_at is null;
create index app_invitations_inviter on app_invitations (invited_by, created_at);
create index app_invitations_expires_at on app_invitations (expires_at);

create function check_app_invitation() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    -- Nobody mails strangers in bulk through us.
    perform pg_advisory_xact_lock(hashtextextended(new.invited_by::text, 6206172));
    if (select count(*) from minaret.app_invitations
        where invited_by = new.invited_by and created_at > now() - interval '1 day') >= 50 then
      raise exception 'a person sends at most 50 invitations a day' using errcode = 'MN009';
    end if;
  elsif new.accepted_by is not null and not exists (select from minaret.users
      where id = new.accepted_by and lower(email) = lower(new.email) and email_verified_at is not null and disabled_at is null) then
    raise exception 'an invitation is accepted by the account with its confirmed address' using errcode = 'MN010';
  end if;
  return new;
end $$;
create trigger app_invitations_check before insert or update of accepted_by on app_invitations
  for each row execute function check_app_invitation();

-- Nobody decides about an app of their own team.
create function check_outside_team(decider uuid, app uuid) returns void language plpgsql as $$
begin
  if decider is not null and minaret.is_on_team(app, decider) then
    raise exception 'nobody decides about an app of their own team' using errcode = 'MN005';
  end if;
end $$;

-- Owners may stop their app, and start it again as long as no reviewer has taken the suspension over.
create or replace function check_app_decision() returns trigger language plpgsql as $$
begin
  if minaret.is_app_owner(new.id, new.moved_by) and (
      (old.state = 'approved' and new.state = 'suspended')
      or (old.state = 'suspended' and new.state = 'approved' and minaret.is_app_owner(new.id, old.moved_by))) then
    return new;
  end if;
  perform minaret.check_decider(new.moved_by, new.owner_id);
  perform minaret.check_outside_team(new.moved_by, new.id);
  return new;
end $$;

create or replace function check_change_decision() returns trigger language plpgsql as $$
begin
  perform minaret.check_decider(new.decided_by, (select owner_id from minaret.apps where id = new.app_id));
  perform minaret.check_outside_team(new.decided_by, new.app_id);
  return new;
end $$;

create or replace function check_app_masjids() returns trigger language plpgsql as $$
begin
  perform minaret.check_decider(new.masjids_by, new.owner_id);
  perform minaret.check_outside_team(new.masjids_by, new.id);
  return new;
end $$;

select annotate(target::regclass, name, line) from (values
  ('minaret.app_members', null, '@erase delete'),
  ('minaret.app_members', 'user_id', '@subject account'),
  ('minaret.app_members', 'added_by', '@erase retain: an identifier that leads to no name any more'),
  ('minaret.app_invitations', null, '@erase delete'),
  ('minaret.app_invitations', 'email', '@subject email'),
  ('minaret.app_invitations', 'invited_by', '@erase retain: an identifier that leads to no name any more'),
  ('minaret.app_invitations', 'accepted_by', '@erase retain: an identifier that leads to no name any more')
) declared (target, name, line);
