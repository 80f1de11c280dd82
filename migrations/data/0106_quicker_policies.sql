-- What a user's memberships open has to be looked up with the owner's rights, and such a function costs a query of its own in
-- every statement. Most statements ask for an app by itself, for which the answer is known to be empty: the functions that
-- policies call say so from the settings alone, as expressions that the planner can put in their place, and look up the rest.

create function asks_for_user() returns boolean
language sql stable parallel safe
begin atomic;
  select coalesce(current_setting('minaret.user_id', true), '') <> '';
end;
comment on function asks_for_user is 'Whether rows are read on behalf of a user.';

create function look_up_masjids_in_full() returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(masjid_id), '{}') from (
    select masjid_id from ua_members
    where user_id = asking_user() and role in ('board', 'admin') and status = 'active' and deleted_at is null
    union
    select own from unnest(listed_masjids('minaret.own_masjids')) own
    where names_all_masjids('minaret.masjids') or own = any (listed_masjids('minaret.masjids'))
    union
    select listed from unnest(listed_masjids('minaret.masjids')) listed
    where names_all_masjids('minaret.own_masjids')
  ) in_full;
end;
comment on function look_up_masjids_in_full is 'Masjids of which every row may be seen, with the owner''s rights.';

create function look_up_own_members() returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(id), '{}') from ua_members where user_id = asking_user() and deleted_at is null;
end;
comment on function look_up_own_members is 'The memberships of the user who asks, with the owner''s rights.';

create function look_up_own_households() returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(household_id), '{}') from ua_members
  where user_id = asking_user() and deleted_at is null and household_id is not null;
end;
comment on function look_up_own_households is 'The households of the user who asks, with the owner''s rights.';

create function look_up_member_masjids() returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(masjid_id), '{}') from ua_members
  where user_id = asking_user() and status = 'active' and deleted_at is null;
end;
comment on function look_up_member_masjids is 'The masjids of which the user who asks is a member, with the owner''s rights.';

create or replace function masjids_in_full() returns uuid[]
language sql stable parallel safe security invoker
begin atomic;
  select case when asks_for_user() or coalesce(current_setting('minaret.own_masjids', true), '') not in ('', '{}')
    then look_up_masjids_in_full() else '{}'::uuid[] end;
end;

create or replace function own_members() returns uuid[]
language sql stable parallel safe security invoker
begin atomic;
  select case when asks_for_user() then look_up_own_members() else '{}'::uuid[] end;
end;

create or replace function own_households() returns uuid[]
language sql stable parallel safe security invoker
begin atomic;
  select case when asks_for_user() then look_up_own_households() else '{}'::uuid[] end;
end;

create or replace function member_masjids() returns uuid[]
language sql stable parallel safe security invoker
begin atomic;
  select case when asks_for_user() then look_up_member_masjids() else '{}'::uuid[] end;
end;

-- A condition behind "where" keeps the planner from putting a function's words in its place; "case" does not.

create or replace function all_in_full() returns uuid
language sql stable parallel safe
begin atomic;
  select case when names_all_masjids('minaret.masjids') and names_all_masjids('minaret.own_masjids')
    then '00000000-0000-0000-0000-000000000000'::uuid end;
end;

create or replace function all_if_shared() returns uuid
language sql stable parallel safe
begin atomic;
  select case when names_all_masjids('minaret.masjids') then '00000000-0000-0000-0000-000000000000'::uuid end;
end;
