-- Up Migration
-- People agree on paper, by email, at the door. Whoever looks after people records it, with evidence that can be checked later:
-- where, when and how. Somebody with an account decides themselves (ua_set_consent). Records are only added.

create table consent_records (
  id bigint generated always as identity primary key,
  masjid_id uuid not null references up_masjids,
  member_id uuid not null references ua_members on delete cascade,
  api_sharing boolean,
  given_on date not null,
  given_how text not null check (given_how in ('paper', 'online', 'email', 'in_person', 'phone', 'other')),
  evidence text not null check (evidence ~ '[^[:space:]]' and length(evidence) <= 500),
  recorded_at timestamptz not null default clock_timestamp(),
  recorded_by uuid
);
create index on consent_records (member_id);
create index on consent_records (masjid_id);
comment on table consent_records is E'@hidden\nHow members agreed, as the masjid recorded it: one row for each time. Without api_sharing, they agreed to be listed.';
comment on column consent_records.id is 'The order in which they were recorded.';
comment on column consent_records.masjid_id is 'The masjid.';
comment on column consent_records.member_id is 'Who agreed, or took it back.';
comment on column consent_records.api_sharing is 'Whether apps other than the masjid''s own may see the member; null if that was not asked.';
comment on column consent_records.given_on is 'The day the person said so.';
comment on column consent_records.given_how is 'How they said so.';
comment on column consent_records.evidence is 'Where it can be looked up, in words.';
comment on column consent_records.recorded_at is 'When it was recorded.';
comment on column consent_records.recorded_by is 'Who recorded it.';

create function refuse_consent(words text) returns void
language plpgsql as $$
begin
  raise exception '%', words using errcode = 'check_violation', constraint = 'ua_members_consent_evidence_check', table = 'ua_members';
end
$$;
comment on function refuse_consent is E'@hidden\nRefuses a consent without evidence, in words.';

create function check_consent_evidence(given_on date, given_how text, evidence text) returns void
language plpgsql stable set search_path from current as $$
begin
  if given_how is null or given_how <> all ('{paper,online,email,in_person,phone,other}'::text[]) then
    perform refuse_consent('Say how the person agreed: paper, online, email, in_person, phone or other.');
  elsif evidence is null or evidence !~ '[^[:space:]]' or length(evidence) > 500 then
    perform refuse_consent('Say where the consent can be looked up, in 1 to 500 characters.');
  elsif given_on is null or given_on not between date '1950-01-01' and current_date + 1 then
    perform refuse_consent('Give the day on which the person agreed, which is not in the future.');
  end if;
end
$$;
comment on function check_consent_evidence is E'@hidden\nRefuses evidence of a consent that does not say where, when and how.';

create function apply_consent(member uuid, api_sharing boolean, given_on date, given_how text, evidence text) returns void
language plpgsql set search_path from current as $$
begin
  update ua_members target set consent_api_sharing = $2,
    consent_at = case when $2 then least(now(), ($3 + time '12:00') at time zone masjid.timezone) end
  from up_masjids masjid
  where target.id = $1 and masjid.id = target.masjid_id and target.consent_api_sharing is distinct from $2;
  insert into consent_records (masjid_id, member_id, api_sharing, given_on, given_how, evidence, recorded_by)
  select target.masjid_id, target.id, $2, $3, $4, btrim($5), asking_user() from ua_members target where target.id = $1;
end
$$;
comment on function apply_consent is E'@hidden\nStores what a member agreed to, with its evidence. With api_sharing null, sharing stays as it is.';

create function ua_record_consent(
  member_id uuid, consent_api_sharing boolean, given_on date, given_how text, evidence text
) returns ua_members
language plpgsql security definer strict set search_path from current as $$
declare
  member ua_members;
begin
  select * into member from ua_members where id = $1 and deleted_at is null for no key update;
  perform refuse_unless_writing(member.masjid_id, 'people');
  if $2 and member.user_id is not null then
    raise exception 'Somebody with an account agrees to sharing themselves.' using errcode = 'MN003';
  end if;
  perform check_consent_evidence($3, $4, $5);
  perform apply_consent($1, $2, $3, $4, $5);
  select * into member from ua_members where id = $1;
  return member;
end
$$;
comment on function ua_record_consent is
  E'@mutation\n@scope members:write\nRecords that a member agreed to sharing with apps other than the masjid''s own, or took it back: on which day, how (paper, online, email, in_person, phone, other), and where that can be looked up. Needs the capability "people". A member with an account agrees with ua_set_consent; what they gave can be taken back here for them.';

-- The import of a list. Existing members keep their status, role and account; an empty value changes nothing.
create function find_or_create_household(masjid uuid, called text) returns uuid
language plpgsql set search_path from current as $$
declare
  found_id uuid;
begin
  if called is null then
    return null;
  end if;
  select id into found_id from ua_households
  where masjid_id = masjid and deleted_at is null and lower(name) = lower(called) order by created_at, id limit 1;
  if found_id is null then
    insert into ua_households (masjid_id, name) values (masjid, called) returning id into found_id;
  end if;
  return found_id;
end
$$;
comment on function find_or_create_household is E'@hidden\nThe household of this name at a masjid; a new one if there is none.';

create type imported_member as (
  id uuid, given_name text, family_name text, email text, phone text, joined_on date, household text, api_sharing boolean
);
comment on type imported_member is 'A person of an imported list; with an id, a member who is listed already.';

create function import_member(masjid uuid, person imported_member) returns uuid
language plpgsql set search_path from current as $$
declare
  household constant uuid := find_or_create_household(masjid, nullif(btrim((person).household), ''));
  member ua_members;
begin
  if (person).id is null then
    insert into ua_members (masjid_id, household_id, given_name, family_name, email, phone, joined_on)
    values (masjid, household, (person).given_name, (person).family_name, (person).email, (person).phone,
      coalesce((person).joined_on, current_date))
    returning * into member;
  else
    update ua_members set given_name = coalesce((person).given_name, given_name),
      family_name = coalesce((person).family_name, family_name), email = coalesce((person).email, email),
      phone = coalesce((person).phone, phone), joined_on = coalesce((person).joined_on, joined_on),
      household_id = coalesce(household, household_id)
    where id = (person).id and masjid_id = masjid and deleted_at is null
    returning * into member;
    if member.id is null then
      raise exception 'A person of the list is not a member of this masjid, or was deleted.' using errcode = 'check_violation',
        constraint = 'ua_members_import_check', table = 'ua_members';
    end if;
  end if;
  if (person).api_sharing and member.user_id is not null and not member.consent_api_sharing then
    raise exception 'Somebody with an account agrees to sharing themselves.' using errcode = 'MN003';
  end if;
  return member.id;
end
$$;
comment on function import_member is E'@hidden\nAdds or changes one person of an imported list.';

create function ua_import_members(masjid_id uuid, people jsonb, given_on date, given_how text, evidence text)
returns setof ua_members
language plpgsql security definer set search_path from current as $$
declare
  person imported_member;
  written uuid;
begin
  perform refuse_unless_writing($1, 'people');
  perform check_consent_evidence($3, $4, $5);
  if jsonb_typeof($2) is distinct from 'array' or jsonb_array_length($2) not between 1 and 2000 then
    raise exception '"people" is a list of 1 to 2000 objects {id, given_name, family_name, email, phone, joined_on, household, api_sharing}.'
      using errcode = 'check_violation', constraint = 'ua_members_import_check', table = 'ua_members';
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
    raise exception 'A value of the list cannot be read: %', sqlerrm using errcode = 'check_violation',
      constraint = 'ua_members_import_check', table = 'ua_members';
end
$$;
comment on function ua_import_members is
  E'@mutation\n@scope members:write\nAdds and changes people of a masjid from a list, all of it or nothing: objects {id, given_name, family_name, email, phone, joined_on, household, api_sharing}. With an id, the listed member is changed, and what is left out stays; households are found or created by name. Evidence that these people agreed is needed: on which day, how (paper, online, email, in_person, phone, other), and where that can be looked up; it is kept with each of them. Needs the capability "people".';

revoke execute on function ua_record_consent, ua_import_members, apply_consent, import_member, find_or_create_household,
  check_consent_evidence, refuse_consent from public;
select pin_search_paths();
