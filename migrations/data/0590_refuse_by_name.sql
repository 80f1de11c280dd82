-- Up Migration
-- Every rule that people can break has a name, in `constraint`: pages word it by that name, and not by its English sentence.

create function refuse(rule text, words text, named jsonb default '{}', code text default 'check_violation') returns void
language plpgsql as $$
declare
  sentence text := words;
  place record;
begin
  for place in select key, value from jsonb_each_text(named) loop
    sentence := replace(sentence, '{' || place.key || '}', coalesce(place.value, ''));
  end loop;
  if named = '{}' then
    raise exception using errcode = code, message = sentence, constraint = rule;
  end if;
  raise exception using errcode = code, message = sentence, constraint = rule, detail = named::text;
end
$$;
comment on function refuse is
  E'@hidden\nRaises the error of a rule by its name, with what stands at the {places} of its sentence, as JSON too.';

create or replace function refuse_unless_writing(masjid uuid, capability text) returns void
language plpgsql stable set search_path from current as $$
begin
  if writing_all() is null and not coalesce(masjid = any (writing_masjids(capability)), false) then
    perform refuse('needs_capability', 'This needs the capability "{capability}" at the masjid.',
      jsonb_build_object('capability', capability), 'MN003');
  end if;
end
$$;

create or replace function refuse_unless_writing_all() returns void
language plpgsql stable set search_path from current as $$
begin
  if writing_all() is null then
    perform refuse('needs_every_masjid',
      'Only an app that was given every masjid as its own, or an administrator of the service, may write this.',
      '{}', 'MN003');
  end if;
end
$$;

create or replace function guard_masjid() returns trigger
language plpgsql set search_path from current as $$
declare
  was record := split_masjid(old);
  will record := split_masjid(new);
begin
  if not row_security_active(tg_relid) or writing_all() is not null then
    return new;
  end if;
  if was.identity is distinct from will.identity then
    perform refuse('up_masjids_changed_by_administrators',
      'The slug and the legal body of a masjid, and whether it is listed, are changed by administrators.',
      '{}', 'MN003');
  end if;
  if was.times is distinct from will.times then
    perform refuse_unless_writing(old.id, 'times');
  end if;
  if was.details is distinct from will.details then
    perform refuse_unless_writing(old.id, 'announcements');
  end if;
  -- somebody checked that the masjid of this name stands at this place
  if was.place is distinct from will.place and old.verification = 'verified' then
    new.verification := 'pending';
  end if;
  return new;
end
$$;

create or replace function up_verify_masjid(masjid_id uuid, verification up_verification default 'verified') returns up_masjids
language plpgsql security definer strict set search_path from current as $$
#variable_conflict use_column
declare
  verified up_masjids;
begin
  if not is_service_admin() then
    perform refuse('up_masjids_verified_by_administrators', 'Masjids are verified by administrators of the service.', '{}', 'MN003');
  end if;
  update up_masjids masjid set verification = $2, verified_at = case when $2 = 'verified' then now() else masjid.verified_at end
  where id = $1 and deleted_at is null
  returning * into verified;
  return verified;
end
$$;

create or replace function ua_set_consent(member_id uuid, consent_api_sharing boolean) returns ua_members
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
    perform refuse('ua_members_own_consent', 'Only the person themselves can agree to sharing, or take it back.', '{}', 'MN003');
  end if;
  return changed;
end
$$;

create or replace function check_consent_evidence(given_on date, given_how text, evidence text) returns void
language plpgsql stable set search_path from current as $$
begin
  if given_how is null or given_how <> all ('{paper,online,email,in_person,phone,other}'::text[]) then
    perform refuse('ua_members_consent_how', 'Say how the person agreed: paper, online, email, in_person, phone or other.');
  elsif evidence is null or evidence !~ '[^[:space:]]' or length(evidence) > 500 then
    perform refuse('ua_members_consent_evidence', 'Say where the consent can be looked up, in 1 to 500 characters.');
  elsif given_on is null or given_on not between date '1950-01-01' and current_date + 1 then
    perform refuse('ua_members_consent_day', 'Give the day on which the person agreed, which is not in the future.');
  end if;
end
$$;

create or replace function ua_record_consent(
  member_id uuid, consent_api_sharing boolean, given_on date, given_how text, evidence text
) returns ua_members
language plpgsql security definer strict set search_path from current as $$
declare
  member ua_members;
begin
  select * into member from ua_members where id = $1 and deleted_at is null for no key update;
  perform refuse_unless_writing(member.masjid_id, 'people');
  if $2 and member.user_id is not null then
    perform refuse('ua_members_consent_by_account', 'Somebody with an account agrees to sharing themselves.', '{}', 'MN003');
  end if;
  perform check_consent_evidence($3, $4, $5);
  perform apply_consent($1, $2, $3, $4, $5);
  select * into member from ua_members where id = $1;
  return member;
end
$$;

create or replace function import_member(masjid uuid, person imported_member) returns uuid
language plpgsql set search_path from current as $$
declare
  household constant uuid := find_or_create_household(masjid, nullif(btrim((person).household), ''));
  member ua_members;
begin
  if (person).id is null then
    insert into ua_members (masjid_id, household_id, given_name, family_name, email, phone, joined_on)
    values (masjid, household, (person).given_name, (person).family_name, (person).email, (person).phone,
      coalesce((person).joined_on, (select local_time(now(), timezone)::date from up_masjids where id = masjid)))
    returning * into member;
  else
    update ua_members set given_name = coalesce((person).given_name, given_name),
      family_name = coalesce((person).family_name, family_name), email = coalesce((person).email, email),
      phone = coalesce((person).phone, phone), joined_on = coalesce((person).joined_on, joined_on),
      household_id = coalesce(household, household_id)
    where id = (person).id and masjid_id = masjid and deleted_at is null
    returning * into member;
    if member.id is null then
      perform refuse('ua_members_import_member', 'A person of the list is not a member of this masjid, or was deleted.');
    end if;
  end if;
  if (person).api_sharing and member.user_id is not null and not member.consent_api_sharing then
    perform refuse('ua_members_consent_by_account', 'Somebody with an account agrees to sharing themselves.', '{}', 'MN003');
  end if;
  return member.id;
end
$$;

create or replace function ua_import_members(masjid_id uuid, people jsonb, given_on date, given_how text, evidence text)
returns setof ua_members
language plpgsql security definer set search_path from current as $$
declare
  person imported_member;
  written uuid;
begin
  perform refuse_unless_writing($1, 'people');
  perform check_consent_evidence($3, $4, $5);
  if jsonb_typeof($2) is distinct from 'array' or jsonb_array_length($2) not between 1 and 2000 then
    perform refuse('ua_members_import_list',
      '"people" is a list of 1 to 2000 objects {id, given_name, family_name, email, phone, joined_on, household, api_sharing}.');
  end if;
  -- two who import the same list do it one after another, so that the second finds what the first has added
  perform pg_advisory_xact_lock(hashtextextended($1::text, 6206240));
  for person in select * from jsonb_populate_recordset(null::imported_member, $2) loop
    written := import_member($1, person);
    perform apply_consent(written, coalesce((person).api_sharing, member.consent_api_sharing), $3, $4, $5)
    from ua_members member where member.id = written and (person).api_sharing;
    insert into consent_records (masjid_id, member_id, given_on, given_how, evidence, recorded_by)
    select $1, written, $3, $4, btrim($5), asking_user() where (person).api_sharing is not true;
    return query select * from ua_members member where member.id = written;
  end loop;
exception
  when invalid_datetime_format or datetime_field_overflow or invalid_text_representation then
    perform refuse('ua_members_import_value', 'A value of the list cannot be read: {what}', jsonb_build_object('what', sqlerrm));
end
$$;

create or replace function ua_withdraw_capability(masjid_id uuid, user_id uuid, capability ua_capability) returns ua_capabilities
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
    perform refuse('ua_capabilities_role_check',
      'The capability "{capability}" comes with the person''s role at the masjid: change the role instead.',
      jsonb_build_object('capability', $3));
  end if;
  return withdrawn;
end
$$;

-- contract: only functions called it, and they are all replaced above
drop function refuse_consent(text);
select pin_search_paths();
