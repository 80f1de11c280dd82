-- Up Migration
-- What is more than a value in a column: verification, consent, roles, accounts, announcements. Each function decides by itself who
-- may call it; it runs as the owner, and nobody but the roles of the API may execute it.

create function up_verify_masjid(masjid_id uuid, verification up_verification default 'verified') returns up_masjids
language plpgsql security definer strict set search_path from current as $$
#variable_conflict use_column
declare
  verified up_masjids;
begin
  if not is_service_admin() then
    raise exception 'Masjids are verified by administrators of the service.' using errcode = 'MN003';
  end if;
  update up_masjids masjid set verification = $2, verified_at = case when $2 = 'verified' then now() else masjid.verified_at end
  where id = $1 and deleted_at is null
  returning * into verified;
  return verified;
end
$$;
comment on function up_verify_masjid is
  E'@mutation\n@scope masjid:write\nSays whether a masjid and its details have been checked. For administrators of the service. Null if there is no such masjid.';

create function ua_set_consent(member_id uuid, consent_api_sharing boolean) returns ua_members
language plpgsql security definer strict set search_path from current as $$
#variable_conflict use_column
declare
  changed ua_members;
begin
  update ua_members set consent_api_sharing = $2, consent_at = case when $2 then now() end
  where id = $1 and user_id = asking_user() and deleted_at is null and is_account_in_force(asking_user())
    and consent_api_sharing is distinct from $2;
  select * into changed from ua_members
  where id = $1 and user_id = asking_user() and deleted_at is null and is_account_in_force(asking_user());
  if changed.id is null then
    raise exception 'Only the person themselves can agree to sharing, or take it back.' using errcode = 'MN003';
  end if;
  return changed;
end
$$;
comment on function ua_set_consent is
  E'@mutation\n@scope members:write\nAgrees that apps other than the masjid''s own may see a membership and what belongs to it, or takes that back. For the person themselves alone.';

create function ua_set_role(member_id uuid, role ua_member_role) returns ua_members
language plpgsql security definer strict set search_path from current as $$
#variable_conflict use_column
declare
  at_masjid constant uuid := (select masjid_id from ua_members where id = $1 and deleted_at is null);
  was_managed boolean;
  changed ua_members;
begin
  perform lock_capabilities(at_masjid);
  perform refuse_unless_writing(at_masjid, 'capabilities');
  was_managed := is_managed(at_masjid);
  update ua_members set role = $2 where id = $1 and deleted_at is null returning * into changed;
  if was_managed then
    perform refuse_unless_managed(at_masjid);
  end if;
  return changed;
end
$$;
comment on function ua_set_role is
  E'@mutation\n@scope members:write\nGives a member another role at the masjid. Board and admin come with capabilities, so this needs the capability "capabilities", and never takes that from the last who holds it.';

-- Whoever signs in with the account has what the member has: for somebody with capabilities it takes more than looking after people.
create function ua_link_account(member_id uuid, user_id uuid default null) returns ua_members
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
  member ua_members;
  was_managed boolean;
begin
  select * into member from ua_members where id = $1 and deleted_at is null;
  perform lock_capabilities(member.masjid_id);
  perform refuse_unless_writing(member.masjid_id, 'people');
  if role_capabilities(member.role) <> '{}' or holds_anything(member.masjid_id, member.user_id) then
    perform refuse_unless_writing(member.masjid_id, 'capabilities');
  end if;
  if $2 is not null and not is_account_in_force($2) then
    raise exception 'There is no such account.' using errcode = 'foreign_key_violation',
      constraint = 'ua_members_user_id_fkey', table = 'ua_members';
  end if;
  was_managed := is_managed(member.masjid_id);
  update ua_members set user_id = $2 where id = $1 and deleted_at is null returning * into member;
  if was_managed then
    perform refuse_unless_managed(member.masjid_id);
  end if;
  return member;
end
$$;
comment on function ua_link_account is
  E'@mutation\n@scope members:write\nSays which account a member signs in with; without user_id, none. Needs the capability "people", and "capabilities" too if the member holds any.';

create function pc_announce_hijri_month(
  hijri_year integer, hijri_month integer, starts_on date, masjid_id uuid default null, authority_id uuid default null
) returns pc_hijri_months
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
  announced_id uuid;
  announced pc_hijri_months;
begin
  if $4 is not null and $5 is null then
    perform refuse_unless_writing($4, 'times');
  else
    perform refuse_unless_writing_all();
  end if;
  announced_id := announce_hijri_month($1, $2, $3, $4, $5);
  select * into announced from pc_hijri_months where id = announced_id;
  return announced;
end
$$;
comment on function pc_announce_hijri_month is
  E'@mutation\n@name announce_hijri_month\n@scope prayer-times:write\nAnnounces when a hijri month begins, or corrects it; the days of the masjids that follow are calculated anew. For a masjid this needs the capability "times" there; for an authority, an app given all masjids as its own or an administrator.';

revoke execute on function up_verify_masjid, ua_set_consent, ua_set_role, ua_link_account, pc_announce_hijri_month from public;
select pin_search_paths();
