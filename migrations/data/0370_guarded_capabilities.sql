-- Up Migration
-- A capability that the operator guards is held only by an account with a second factor, whatever way it is used: pages and tokens,
-- for writing and for reading what it opens.

do $do$
begin
  if current_schema() = 'sandbox' then
    create function is_in_force(account uuid, capability ua_capability) returns boolean
    language sql stable parallel safe security definer
    begin atomic;
      select true;
    end;
  else
    create function is_in_force(account uuid, capability ua_capability) returns boolean
    language sql stable parallel safe security definer
    begin atomic;
      select not exists (select from minaret.guarded_capabilities guarded where guarded.capability = $2::text) or minaret.has_factor(account);
    end;
  end if;
end
$do$;
comment on function is_in_force is E'@hidden\nWhether an account may use a capability that it holds: some need a second factor.';

create or replace function look_up_writing_masjids(capability ua_capability) returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(member.masjid_id), '{}') from ua_members member
  where member.user_id = asking_user() and member.status = 'active' and member.deleted_at is null
    and is_account_in_force(asking_user())
    and ($1 = any (role_capabilities(member.role)) or exists (
      select from ua_capabilities held
      where held.masjid_id = member.masjid_id and held.user_id = member.user_id and held.capability = $1
        and held.withdrawn_at is null))
    and is_in_force(asking_user(), $1);
end;

create or replace function look_up_masjids_for(capability ua_capability) returns uuid[]
language sql stable parallel safe security definer
begin atomic;
  select coalesce(array_agg(masjid_id), '{}') from (
    select member.masjid_id from ua_members member
    where member.user_id = asking_user() and member.status = 'active' and member.deleted_at is null
      and (member.role in ('board', 'admin') or exists (
        select from ua_capabilities held
        where held.masjid_id = member.masjid_id and held.user_id = member.user_id and held.capability = $1
          and held.withdrawn_at is null))
      and is_in_force(asking_user(), $1)
    union all
    select unnest(own_app_masjids())
  ) seen;
end;

select pin_search_paths();
