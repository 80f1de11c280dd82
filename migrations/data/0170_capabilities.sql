-- Up Migration
-- What people may write at a masjid: capabilities, each granted and withdrawn by itself, with history. Who asks is stated for
-- each transaction as it is for reading (0009_row_security.sql), and in addition:
--   minaret.app_id      the app that writes ('' if there is none)
--   minaret.request_id  the request, as it stands in the logs
-- Policies for writing compare plain columns with what these functions return, as those for reading do.

create type ua_capability as enum ('times', 'events', 'announcements', 'people', 'giving', 'screens', 'capabilities');
comment on type ua_capability is
  'What a person may look after at a masjid: prayer times, events, announcements, people, giving, screens, and the capabilities of others.';

create table ua_capabilities (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids on delete cascade,
  user_id uuid not null,
  capability ua_capability not null,
  granted_at timestamptz not null default now(),
  granted_by uuid,
  withdrawn_at timestamptz,
  withdrawn_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint ua_capabilities_withdrawn_check check (withdrawn_at >= granted_at and (withdrawn_by is null or withdrawn_at is not null))
);
create unique index ua_capabilities_active_key on ua_capabilities (masjid_id, user_id, capability) where withdrawn_at is null;
create index on ua_capabilities (user_id) where withdrawn_at is null;
create index on ua_capabilities (masjid_id);
select adopt_table('ua_capabilities');

comment on table ua_capabilities is E'@scope members:read\n@personal user_id\n@user_rows user_id own_users, masjid_id capabilities_masjids\n@own_rows user_id own_users\n@full_rows masjid_id capabilities_masjids all_in_full\n@groups masjid_id\nWhat people may write at a masjid, now and formerly. A capability counts only while its holder is an active member there. Board and admin have capabilities by their role, without a row here.';
comment on column ua_capabilities.masjid_id is 'The masjid.';
comment on column ua_capabilities.user_id is 'The account of the person who holds it.';
comment on column ua_capabilities.capability is 'What the person may look after.';
comment on column ua_capabilities.granted_at is 'When it was granted.';
comment on column ua_capabilities.granted_by is 'The account that granted it; null: an app, or somebody with access to the database.';
comment on column ua_capabilities.withdrawn_at is 'When it was withdrawn; null: it is in force.';
comment on column ua_capabilities.withdrawn_by is 'The account that withdrew it; null: an app, or somebody with access to the database.';

-- Board decides about everything except who may do what; that takes an admin, or somebody who was granted it.
create function role_capabilities(role ua_member_role) returns ua_capability[]
language sql immutable parallel safe
begin atomic;
  select case role
    when 'admin' then '{times,events,announcements,people,giving,screens,capabilities}'::ua_capability[]
    when 'board' then '{times,events,announcements,people,giving,screens}'::ua_capability[]
    else '{}'::ua_capability[] end;
end;
comment on function role_capabilities is 'The capabilities that come with a role at a masjid.';

-- Accounts are looked up by the owner: no other role may read them. The sandbox has no accounts.
do $do$
begin
  if current_schema() = 'sandbox' then
    create function is_account_in_force(account uuid) returns boolean
    language sql stable parallel safe security definer
    begin atomic;
      select account is not null;
    end;
    create function is_service_admin() returns boolean
    language sql stable parallel safe security definer
    begin atomic;
      select false;
    end;
  else
    create function is_account_in_force(account uuid) returns boolean
    language sql stable parallel safe security definer
    begin atomic;
      select exists (select from minaret.users where id = account and disabled_at is null);
    end;
    create function is_service_admin() returns boolean
    language sql stable parallel safe security definer
    begin atomic;
      select exists (select from minaret.users where id = asking_user() and is_admin and disabled_at is null);
    end;
  end if;
end
$do$;
comment on function is_account_in_force is 'Whether an account exists and is not disabled.';
comment on function is_service_admin is 'Whether the user who asks is an administrator of the service; never in the sandbox.';

create function own_users() returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when asks_for_user() then array[asking_user()] else '{}'::uuid[] end;
end;
comment on function own_users is 'The account of the user who asks, as a list.';

create function own_app_masjids() returns uuid[]
language sql stable parallel safe
begin atomic;
  select coalesce(array_agg(masjid_id), '{}') from (
    select own as masjid_id from unnest(listed_masjids('minaret.own_masjids')) own
    where names_all_masjids('minaret.masjids') or own = any (listed_masjids('minaret.masjids'))
    union
    select listed from unnest(listed_masjids('minaret.masjids')) listed where names_all_masjids('minaret.own_masjids')
  ) own;
end;
comment on function own_app_masjids is 'The masjids whose own app asks, of those it was given.';

-- A capability needs an active membership and an account that is not disabled: whoever is dismissed can write nothing more.
create function look_up_writing_masjids(capability ua_capability) returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(member.masjid_id), '{}') from ua_members member
  where member.user_id = asking_user() and member.status = 'active' and member.deleted_at is null
    and is_account_in_force(asking_user())
    and ($1 = any (role_capabilities(member.role)) or exists (
      select from ua_capabilities held
      where held.masjid_id = member.masjid_id and held.user_id = member.user_id and held.capability = $1
        and held.withdrawn_at is null));
end;
comment on function look_up_writing_masjids is 'The masjids where the user who asks holds a capability, with the owner''s rights.';

create function writing_masjids(capability text) returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when asks_for_user() then look_up_writing_masjids($1::ua_capability)
    when coalesce(current_setting('minaret.own_masjids', true), '') not in ('', '{}') then own_app_masjids()
    else '{}'::uuid[] end;
end;
comment on function writing_masjids is
  'The masjids where the one who asks may write what a capability covers: a user who holds it, or the masjid''s own app.';

create function writing_all() returns uuid
language sql stable parallel safe
begin atomic;
  select case when asks_for_user() and is_service_admin() or not asks_for_user() and all_in_full() is not null
    then '00000000-0000-0000-0000-000000000000'::uuid end;
end;
comment on function writing_all is
  'The lowest uuid for an app that was given all masjids as its own and for administrators of the service, otherwise null.';

create function refuse_unless_writing_all() returns void
language plpgsql stable set search_path from current as $$
begin
  if writing_all() is null then
    raise exception 'Only an app that was given every masjid as its own, or an administrator of the service, may write this.'
      using errcode = 'MN003';
  end if;
end
$$;
comment on function refuse_unless_writing_all is 'Raises MN003 unless everything may be written.';

create function refuse_unless_writing(masjid uuid, capability text) returns void
language plpgsql stable set search_path from current as $$
begin
  if writing_all() is null and not coalesce(masjid = any (writing_masjids(capability)), false) then
    raise exception 'This needs the capability "%" at the masjid.', capability using errcode = 'MN003';
  end if;
end
$$;
comment on function refuse_unless_writing is 'Raises MN003 unless the one who asks may write what a capability covers at a masjid.';

-- Whoever looks after something also reads the rows it is about, as board and admin do.
create function look_up_masjids_for(capability ua_capability) returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(masjid_id), '{}') from (
    select member.masjid_id from ua_members member
    where member.user_id = asking_user() and member.status = 'active' and member.deleted_at is null
      and (member.role in ('board', 'admin') or exists (
        select from ua_capabilities held
        where held.masjid_id = member.masjid_id and held.user_id = member.user_id and held.capability = $1
          and held.withdrawn_at is null))
    union all
    select unnest(own_app_masjids())
  ) seen;
end;
comment on function look_up_masjids_for is 'Masjids that are seen in full, or where the user who asks holds a capability, with the owner''s rights.';

create function sees_masjids_in_full() returns boolean
language sql stable parallel safe
begin atomic;
  select asks_for_user() or coalesce(current_setting('minaret.own_masjids', true), '') not in ('', '{}');
end;
comment on function sees_masjids_in_full is 'Whether the one who asks may see any masjid in full: a user, or a masjid''s own app.';

create function capabilities_masjids() returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when sees_masjids_in_full() then look_up_masjids_for('capabilities') else '{}'::uuid[] end;
end;
comment on function capabilities_masjids is 'Masjids whose capabilities may be seen.';

alter table ua_capabilities enable row level security;
create policy reading on ua_capabilities for select using (
  user_id = (select asking_user())
  or masjid_id = any ((select capabilities_masjids())::uuid[])
  or masjid_id between (select all_in_full()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
);

-- One lock for everything that could take the last holder away, so that two who withdraw from each other do it in turn.
create function lock_capabilities(masjid uuid) returns void
language sql
begin atomic;
  select pg_advisory_xact_lock(hashtextextended(masjid::text, 6206170));
end;
comment on function lock_capabilities is 'Waits until nobody else changes who holds what at a masjid.';

create function is_managed(masjid uuid) returns boolean
language sql stable security definer
begin atomic;
  select exists (
    select from ua_members member
    where member.masjid_id = masjid and member.status = 'active' and member.deleted_at is null
      and is_account_in_force(member.user_id)
      and ('capabilities' = any (role_capabilities(member.role)) or exists (
        select from ua_capabilities held
        where held.masjid_id = masjid and held.user_id = member.user_id and held.capability = 'capabilities'
          and held.withdrawn_at is null)));
end;
comment on function is_managed is 'Whether anybody manages the capabilities of a masjid.';

create function refuse_unless_managed(masjid uuid) returns void
language plpgsql set search_path from current as $$
begin
  if not is_managed(masjid) then
    raise exception 'Somebody has to manage the capabilities of the masjid: grant that to another person first.'
      using errcode = 'check_violation', constraint = 'ua_capabilities_last_holder_check', table = 'ua_capabilities';
  end if;
end
$$;
comment on function refuse_unless_managed is 'Raises an error if nobody manages the capabilities of a masjid any more.';

create function ua_grant_capability(masjid_id uuid, user_id uuid, capability ua_capability) returns ua_capabilities
language plpgsql security definer strict set search_path from current as $$
#variable_conflict use_column
declare
  granted ua_capabilities;
begin
  perform lock_capabilities($1);
  perform refuse_unless_writing($1, 'capabilities');
  perform from ua_members where masjid_id = $1 and user_id = $2 and status = 'active' and deleted_at is null for key share;
  if not found or not is_account_in_force($2) then
    raise exception 'Only an active member of the masjid with an account can hold a capability.' using errcode = 'check_violation',
      constraint = 'ua_capabilities_member_check', table = 'ua_capabilities';
  end if;
  insert into ua_capabilities (masjid_id, user_id, capability, granted_by) values ($1, $2, $3, asking_user())
  on conflict (masjid_id, user_id, capability) where withdrawn_at is null do nothing;
  select * into granted from ua_capabilities
  where masjid_id = $1 and user_id = $2 and capability = $3 and withdrawn_at is null;
  return granted;
end
$$;
comment on function ua_grant_capability is
  E'@mutation\n@scope members:write\nGrants a member of a masjid a capability there. Needs the capability "capabilities" at the masjid. Granting what is held already changes nothing.';

create function ua_withdraw_capability(masjid_id uuid, user_id uuid, capability ua_capability) returns ua_capabilities
language plpgsql security definer strict set search_path from current as $$
#variable_conflict use_column
declare
  was_managed boolean;
  withdrawn ua_capabilities;
begin
  perform lock_capabilities($1);
  perform refuse_unless_writing($1, 'capabilities');
  was_managed := is_managed($1);
  update ua_capabilities set withdrawn_at = clock_timestamp(), withdrawn_by = asking_user()
  where masjid_id = $1 and user_id = $2 and capability = $3 and withdrawn_at is null
  returning * into withdrawn;
  if was_managed then
    perform refuse_unless_managed($1);
  end if;
  if withdrawn.id is null and exists (
    select from ua_members where masjid_id = $1 and user_id = $2 and deleted_at is null and $3 = any (role_capabilities(role))) then
    raise exception 'The capability "%" comes with the person''s role at the masjid: change the role instead.', $3
      using errcode = 'check_violation', constraint = 'ua_capabilities_role_check', table = 'ua_capabilities';
  end if;
  return withdrawn;
end
$$;
comment on function ua_withdraw_capability is
  E'@mutation\n@scope members:write\nWithdraws a capability that was granted; what comes with a role stays with the role. Needs the capability "capabilities" at the masjid, and never takes that from the last who holds it. Null if the person did not hold it.';
revoke execute on function ua_grant_capability, ua_withdraw_capability from public;

-- A function that runs with the owner's rights looks for tables in the schemas named here, in that order. Temporary tables come
-- last: without being named they would come first, and whoever may create one could put it in the place of ours.
create function pin_search_paths() returns void
language plpgsql set search_path from current as $$
declare
  pinned regprocedure;
begin
  for pinned in
    select oid from pg_proc
    where pronamespace = current_schema()::regnamespace and prosecdef and prosqlbody is null
  loop
    execute format('alter function %s set search_path = %I, extensions, pg_temp', pinned, current_schema());
  end loop;
end
$$;
comment on function pin_search_paths is
  'Has every function that runs with the owner''s rights look for tables in our schemas first. To be called by each migration that creates one.';
select pin_search_paths();
