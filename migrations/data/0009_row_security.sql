-- Up Migration
-- Who may see which rows with people in them. The API states for each transaction who asks:
--   minaret.user_id      the user a token acts for ('' for an app's own token or key)
--   minaret.masjids      the masjids a reviewer gave an app: '*' or an array of uuids
--   minaret.own_masjids  those whose own app it is: '*' or an array of uuids
-- With none of them set nothing is visible. A user sees the user's own rows, and all rows of masjids where the user is
-- board or admin. An app sees the rows of its masjids: all of them at its own, elsewhere only people who agreed.
--
-- Each policy calls these functions in sub-selects, so that they run once in a statement and not once for each row, and
-- compares plain columns with what they return, so that indexes serve. "All masjids" is written as a range of uuids
-- (null when it does not apply) for the same reason: every arm of the "or" can then be looked up in an index.
--
-- The planner makes one plan for all who ask, and cannot know that a user sees few rows. Each table's comment therefore
-- says what a user sees (`@user_rows column function, …`: the column is in the function's array, for one of the pairs),
-- so that a statement for a user can repeat it: a user's newest gifts out of 500,000 then take 0.4 ms and not 880.

create function asking_user() returns uuid
language sql stable parallel safe
begin atomic;
  select nullif(current_setting('minaret.user_id', true), '')::uuid;
end;
comment on function asking_user is 'The user on whose behalf rows are read; null when it is an app by itself.';

create function listed_masjids(setting text) returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when coalesce(current_setting(setting, true), '') in ('', '*') then '{}'::uuid[]
    else current_setting(setting, true)::uuid[] end;
end;
comment on function listed_masjids is 'The masjids that a setting lists.';

create function names_all_masjids(setting text) returns boolean
language sql stable parallel safe
begin atomic;
  select coalesce(current_setting(setting, true) = '*', false);
end;
comment on function names_all_masjids is 'Whether a setting names all masjids.';

-- The owner's rights, because a policy on ua_members may not read ua_members again under that same policy.
create function masjids_in_full() returns uuid[]
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
comment on function masjids_in_full is 'Masjids of which every row may be seen: the user''s as board or admin, or the app''s own.';

create function all_in_full() returns uuid
language sql stable parallel safe
begin atomic;
  select '00000000-0000-0000-0000-000000000000'::uuid
  where names_all_masjids('minaret.masjids') and names_all_masjids('minaret.own_masjids');
end;
comment on function all_in_full is 'The lowest uuid when every row of every masjid may be seen, otherwise null.';

create function masjids_if_shared() returns uuid[]
language sql stable parallel safe
begin atomic;
  select listed_masjids('minaret.masjids');
end;
comment on function masjids_if_shared is 'Masjids of which the app may see what people agreed to share.';

create function all_if_shared() returns uuid
language sql stable parallel safe
begin atomic;
  select '00000000-0000-0000-0000-000000000000'::uuid where names_all_masjids('minaret.masjids');
end;
comment on function all_if_shared is 'The lowest uuid when the app may see what people agreed to share at every masjid, otherwise null.';

create function own_members() returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(id), '{}') from ua_members where user_id = asking_user() and deleted_at is null;
end;
comment on function own_members is 'The memberships of the user who asks.';

create function own_households() returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(household_id), '{}') from ua_members
  where user_id = asking_user() and deleted_at is null and household_id is not null;
end;
comment on function own_households is 'The households of the user who asks.';

create function member_masjids() returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(masjid_id), '{}') from ua_members
  where user_id = asking_user() and status = 'active' and deleted_at is null;
end;
comment on function member_masjids is 'The masjids of which the user who asks is a member.';

alter table ua_members enable row level security;
create policy reading on ua_members for select using (
  user_id = (select asking_user())
  or masjid_id = any ((select masjids_in_full())::uuid[])
  or masjid_id between (select all_in_full()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  or consent_api_sharing and masjid_id = any ((select masjids_if_shared())::uuid[])
  or consent_api_sharing and masjid_id between (select all_if_shared()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
);

-- A household is shared when one who lives there agreed to sharing; the inner select is itself under the policy above.
alter table ua_households enable row level security;
create policy reading on ua_households for select using (
  id = any ((select own_households())::uuid[])
  or masjid_id = any ((select masjids_in_full())::uuid[])
  or masjid_id between (select all_in_full()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  or (masjid_id = any ((select masjids_if_shared())::uuid[])
      or masjid_id between (select all_if_shared()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    and exists (
      select from ua_members member where member.household_id = ua_households.id
        and member.masjid_id = ua_households.masjid_id and member.consent_api_sharing and member.deleted_at is null)
);

-- Elsewhere than at its own masjids an app sees a gift in two cases: its giver is a member who agreed to sharing, or the
-- row names nobody (no member, no name, no e-mail). A guest's gift with a name is hidden: a guest was never asked.
alter table ua_donations enable row level security;
create policy reading on ua_donations for select using (
  member_id = any ((select own_members())::uuid[])
  or masjid_id = any ((select masjids_in_full())::uuid[])
  or masjid_id between (select all_in_full()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  or (masjid_id = any ((select masjids_if_shared())::uuid[])
      or masjid_id between (select all_if_shared()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    and case when member_id is null
      then recurring_donation_id is null and donor_name is null and donor_email is null
      else exists (
        select from ua_members member
        where member.id = ua_donations.member_id and member.consent_api_sharing and member.deleted_at is null)
      end
);

alter table ua_recurring_donations enable row level security;
create policy reading on ua_recurring_donations for select using (
  member_id = any ((select own_members())::uuid[])
  or masjid_id = any ((select masjids_in_full())::uuid[])
  or masjid_id between (select all_in_full()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  or (masjid_id = any ((select masjids_if_shared())::uuid[])
      or masjid_id between (select all_if_shared()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    and exists (
      select from ua_members member where member.id = ua_recurring_donations.member_id
        and member.consent_api_sharing and member.deleted_at is null)
);

-- A campaign names nobody, yet is its masjid's affair: seen by the masjid's members and by apps that were given the masjid.
alter table ua_campaigns enable row level security;
create policy reading on ua_campaigns for select using (
  masjid_id = any ((select member_masjids())::uuid[])
  or masjid_id = any ((select masjids_if_shared())::uuid[])
  or masjid_id between (select all_if_shared()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
);

-- Guests were never asked, so they are seen at an app's own masjids only.
alter table up_event_rsvps enable row level security;
create policy reading on up_event_rsvps for select using (
  member_id = any ((select own_members())::uuid[])
  or masjid_id = any ((select masjids_in_full())::uuid[])
  or masjid_id between (select all_in_full()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  or (masjid_id = any ((select masjids_if_shared())::uuid[])
      or masjid_id between (select all_if_shared()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    and exists (
      select from ua_members member where member.id = up_event_rsvps.member_id
        and member.consent_api_sharing and member.deleted_at is null)
);
