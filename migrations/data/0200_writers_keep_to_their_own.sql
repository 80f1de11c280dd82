-- Up Migration
-- What somebody with a right to write could still do to people who are not theirs, and to everybody's lists.

-- An answer names a member of any masjid, so that people can go to events elsewhere. But only they themselves say so: staff and a
-- masjid's app answer for the masjid's own members.
create function check_rsvp_member() returns trigger
language plpgsql set search_path from current as $$
begin
  if row_security_active(tg_relid) and new.member_id <> all (writing_members()) and writing_all() is null
    and not is_member_at(new.member_id, new.masjid_id) then
    raise exception 'Members of other masjids answer for themselves.' using errcode = 'MN003';
  end if;
  return new;
end
$$;
comment on function check_rsvp_member is 'Refuses an answer in the name of another masjid''s member, except by that person.';
create function is_member_at(member uuid, masjid uuid) returns boolean
language sql stable security definer
begin atomic;
  select exists (select from ua_members where id = member and masjid_id = masjid);
end;
comment on function is_member_at is E'@hidden\nWhether a member belongs to a masjid.';
create trigger z_check_member before insert or update of member_id, occurrence_id on up_event_rsvps
  for each row when (new.member_id is not null) execute function check_rsvp_member();

-- Whoever signs in with the account reads the member's gifts, and decides about sharing. Taking a membership from the account that
-- has it, or from nobody's to another, is therefore for those who decide who may do what; a first account is for those who look after people.
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
  was_managed := is_managed(member.masjid_id);
  update ua_members set user_id = $2 where id = $1 and deleted_at is null returning * into member;
  if was_managed then
    perform refuse_unless_managed(member.masjid_id);
  end if;
  return member;
end
$$;
comment on function ua_link_account is
  E'@mutation\n@scope members:write\nSays which account a member signs in with; without user_id, none. Needs the capability "people", and "capabilities" too if the member has an account or a role already.';

-- A few texts of hundreds of kilobytes would make every list of events or masjids too long to be sent. Rows that are stored already stay.
do $$
declare
  target text;
  name text;
  most integer;
begin
  for target, name, most in values ('up_events', 'description', 20000), ('up_events', 'location', 500), ('up_events', 'rrule', 500),
    ('up_masjids', 'name_ar', 200), ('up_masjids', 'address', 500), ('up_masjids', 'city', 200), ('up_masjids', 'state', 200),
    ('up_masjids', 'postal_code', 50), ('up_entities', 'registration_no', 200), ('ua_campaigns', 'description', 20000),
    ('ua_households', 'address', 500), ('ua_households', 'city', 200), ('ua_households', 'state', 200),
    ('ua_households', 'postal_code', 50) loop
    execute format('alter table %I add constraint %I check (length(%I) <= %s) not valid', target,
      target || '_' || name || '_length_check', name, most);
    execute format('comment on constraint %I on %I is %L', target || '_' || name || '_length_check', target,
      format('At most %s characters.', most));
  end loop;
end
$$;
alter table up_events add constraint up_events_exdates_length_check check (cardinality(exdates) <= 1000) not valid;
comment on constraint up_events_exdates_length_check on up_events is 'At most 1000 exceptions.';

select pin_search_paths();
