-- Up Migration
-- Whoever signs in with a member's account reads the member's gifts. A link between the two therefore waits here, and the member has
-- no account until it opens: the account accepts it, and either the address on record is the account's confirmed one and was put
-- there at least 30 days ago by somebody else than who links, or somebody else with the capability "capabilities" confirms it.
-- Links that were in force before stay as they are.

create table member_addresses (
  member_id uuid primary key references ua_members on delete cascade,
  set_by uuid,
  set_at timestamptz not null default now()
);
comment on table member_addresses is E'@hidden\n@erase delete\nSince when the email address of a member is on record, and who put it there.';
comment on column member_addresses.member_id is E'@subject member\nThe member.';
comment on column member_addresses.set_by is E'@erase retain: an identifier that leads to no name any more\nWho put it there; null: an app by itself, or nobody knows.';
comment on column member_addresses.set_at is 'Since when.';

create function note_member_address() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into member_addresses (member_id, set_by) values (new.id, asking_user())
  on conflict (member_id) do update set set_by = excluded.set_by, set_at = excluded.set_at;
  return null;
end
$$;
comment on function note_member_address is 'Records since when an address is on record, and who put it there.';
create trigger note_first_address after insert on ua_members for each row
  when (new.email is not null) execute function note_member_address();
create trigger note_address after update of email on ua_members for each row
  when (old.email is distinct from new.email) execute function note_member_address();

insert into member_addresses (member_id, set_by, set_at)
select member.id, written.user_id, coalesce(written.at, member.created_at)
from ua_members member left join lateral (
  select user_id, at from written_rows
  where hashtextextended(record_key, 0) = hashtextextended(member.id::text, 0) and table_name = 'ua_members'
    and record_key = member.id::text and (kind = 'insert' or 'email' = any (changed_columns))
  order by id desc limit 1
) written on true
where member.email is not null
on conflict do nothing;

create table member_links (
  member_id uuid primary key references ua_members on delete cascade,
  user_id uuid not null,
  linked_by uuid,
  linked_at timestamptz not null default now(),
  needs_second boolean not null default false,
  accepted_at timestamptz,
  confirmed_by uuid
);
create index on member_links (user_id);
comment on table member_links is E'@hidden\n@erase delete\nLinks between members and accounts that wait: until one opens, the member has no account.';
comment on column member_links.member_id is E'@subject member\nThe member.';
comment on column member_links.user_id is E'@subject account\nThe account.';
comment on column member_links.linked_by is E'@erase retain: an identifier that leads to no name any more\nWho linked or invited; null: an app by itself, or the service.';
comment on column member_links.linked_at is 'When.';
comment on column member_links.needs_second is 'Whether the address on record proves nothing, since nobody is known to have linked.';
comment on column member_links.accepted_at is 'When the account accepted.';
comment on column member_links.confirmed_by is E'@erase retain: an identifier that leads to no name any more\nWho confirmed the link besides.';

create function is_proven_by_address(link member_links) returns boolean
language plpgsql stable security definer set search_path from current as $$
begin
  return not link.needs_second and exists (
    select from member_addresses known
      join ua_members member on member.id = known.member_id
      join minaret.users account on account.id = link.user_id and account.email_verified_at is not null
    where known.member_id = link.member_id and lower(member.email) = lower(account.email)
      and known.set_at <= now() - interval '30 days'
      and known.set_by is distinct from link.user_id
      and (link.linked_by is null or known.set_by is distinct from link.linked_by));
end
$$;
comment on function is_proven_by_address is E'@hidden\nWhether the address on record shows that the account is the member''s.';

-- Somebody who was invited has a membership already, with what they may do and nothing else: it is given up for the one on record.
create function open_member_link(target uuid) returns boolean
language plpgsql security definer set search_path from current as $$
declare
  link member_links;
  member ua_members;
  other ua_members;
  held uuid[];
begin
  select * into member from ua_members where id = target and deleted_at is null and user_id is null;
  perform lock_capabilities(member.masjid_id);
  select * into member from ua_members where id = target and deleted_at is null and user_id is null for update;
  select * into link from member_links where member_id = target for update;
  if member.id is null or link.accepted_at is null or not is_account_in_force(link.user_id)
    or link.confirmed_by is null and not is_proven_by_address(link) then
    return false;
  end if;
  select * into other from ua_members where masjid_id = member.masjid_id and user_id = link.user_id for update;
  if other.id is not null then
    if other.status <> 'active' or other.deleted_at is not null or member.status <> 'active' or has_rows_of_their_own(other) then
      return false;
    end if;
    held := array(select id from ua_capabilities
      where masjid_id = member.masjid_id and user_id = link.user_id and withdrawn_at is null);
    delete from ua_members where id = other.id;
  end if;
  update ua_members set user_id = link.user_id, role = case when role = 'member' then coalesce(other.role, role) else role end
  where id = target;
  update ua_capabilities set withdrawn_at = null, withdrawn_by = null where id = any (held);
  delete from member_links where member_id = target;
  return true;
end
$$;
comment on function open_member_link is 'Gives a member the account that waits for it, if everything that this needs is there.';

create function has_rows_of_their_own(member ua_members) returns boolean
language sql stable security definer
begin atomic;
  select (member).household_id is not null
    or exists (select from ua_donations where member_id = (member).id)
    or exists (select from ua_recurring_donations where member_id = (member).id)
    or exists (select from up_event_rsvps where member_id = (member).id);
end;
comment on function has_rows_of_their_own is E'@hidden\nWhether gifts, answers or a household belong to a member.';

create or replace function ua_link_account(member_id uuid, user_id uuid default null) returns ua_members
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
  member ua_members;
  was_managed boolean;
begin
  select * into member from ua_members where id = $1 and deleted_at is null;
  perform lock_capabilities(member.masjid_id);
  perform refuse_unless_writing(member.masjid_id, 'people');
  if member.user_id is not null or role_capabilities(member.role) <> '{}' then
    perform refuse_unless_writing(member.masjid_id, 'capabilities');
  end if;
  if $2 is not null and not is_account_in_force($2) then
    raise exception 'There is no such account.' using errcode = 'foreign_key_violation',
      constraint = 'ua_members_user_id_fkey', table = 'ua_members';
  end if;
  delete from member_links where member_id = $1;
  if member.user_id is not distinct from $2 then
    return member;
  end if;
  was_managed := is_managed(member.masjid_id);
  update ua_members set user_id = null where id = $1 and user_id is not null;
  if was_managed then
    perform refuse_unless_managed(member.masjid_id);
  end if;
  if $2 is not null then
    insert into member_links (member_id, user_id, linked_by, needs_second) values ($1, $2, asking_user(), asking_user() is null);
  end if;
  select * into member from ua_members where id = $1;
  return member;
end
$$;
comment on function ua_link_account is
  E'@mutation\n@scope members:write\nSays which account a member signs in with; without user_id, none. The link waits until the account accepts it, and until the address on record is the account''s and was put there at least 30 days ago by somebody else, or somebody else who holds "capabilities" confirms it. Needs the capability "people", and "capabilities" too if the member has an account or a role already.';

-- For invitations and the like, in the name of whoever invited. @returns linked, waits, refused (not an active member), or none.
create function link_by_address(masjid uuid, account uuid, accepted boolean) returns text
language plpgsql security definer set search_path from current as $$
declare
  listed ua_members;
  waiting uuid;
begin
  perform lock_capabilities(masjid);
  select member.* into listed from ua_members member
    join minaret.users known on lower(known.email) = lower(member.email) and known.email_verified_at is not null
  where known.id = account and member.masjid_id = masjid and member.user_id is null and member.deleted_at is null
  order by member.created_at limit 1;
  if listed.id is null then
    return 'none';
  end if;
  insert into member_links (member_id, user_id, linked_by, accepted_at)
  values (listed.id, account, asking_user(), case when accepted then now() end)
  on conflict (member_id) do update set accepted_at = coalesce(member_links.accepted_at, excluded.accepted_at)
    where member_links.user_id = account
  returning user_id into waiting;
  return case when waiting = account and open_member_link(listed.id) then 'linked' when listed.status <> 'active' then 'refused' else 'waits' end;
end
$$;
comment on function link_by_address is 'Links the member who is listed with the confirmed address of an account, at once or once that is proven.';

create function accept_member_link(target uuid) returns text
language plpgsql security definer set search_path from current as $$
begin
  perform lock_capabilities((select masjid_id from ua_members where id = target));
  update member_links set accepted_at = coalesce(accepted_at, now()) where member_id = target and user_id = asking_user();
  if not found then
    return 'none';
  end if;
  return case when open_member_link(target) then 'linked' else 'waits' end;
end
$$;
comment on function accept_member_link is 'The account that asks accepts a link. Says whether it opened or still waits.';

create function decline_member_link(target uuid) returns boolean
language plpgsql security definer set search_path from current as $$
begin
  delete from member_links where member_id = target and user_id = asking_user();
  return found;
end
$$;
comment on function decline_member_link is 'The account that asks wants nothing of a link.';

create function confirm_member_link(target uuid, account uuid) returns boolean
language plpgsql security definer set search_path from current as $$
declare
  at_masjid constant uuid := (select masjid_id from ua_members where id = target and deleted_at is null);
begin
  perform lock_capabilities(at_masjid);
  perform refuse_unless_writing(at_masjid, 'capabilities');
  update member_links set confirmed_by = asking_user()
  where member_id = target and user_id = account and accepted_at is not null
    and asking_user() is not null and asking_user() is distinct from linked_by and asking_user() <> user_id;
  return found and open_member_link(target);
end
$$;
comment on function confirm_member_link is 'Somebody else than who linked, with the capability "capabilities", says that the account is the member''s.';

revoke execute on function note_member_address, is_proven_by_address, open_member_link, has_rows_of_their_own, link_by_address,
  accept_member_link, decline_member_link, confirm_member_link from public;

select pin_search_paths();
