-- Up Migration
-- Everybody who may see an event can answer it: members by their membership, which is found for them, people with an account as
-- themselves, and guests by name where the masjid allows it, once they have confirmed their address. One person has one answer:
-- whatever a member, an account and a confirmed address say of the same person is the same row.

select add_filled_column('up_masjids', 'guest_rsvps', 'boolean', 'false');
comment on column up_masjids.guest_rsvps is
  'Whether guests may answer the masjid''s events on its public page, by name and a confirmed email address.';

-- It is one of the details that "announcements" covers.
create or replace function split_masjid(masjid up_masjids, out times jsonb, out identity jsonb, out details jsonb, out place jsonb)
language sql stable
begin atomic;
  select jsonb_build_array((masjid).timezone, (masjid).calculation_method, (masjid).madhab, (masjid).high_latitude_rule,
      (masjid).adjustments, (masjid).hijri_adjustment, (masjid).hijri_authority_id, (masjid).fajr_angle, (masjid).isha_angle,
      (masjid).isha_minutes, (masjid).maghrib_angle, (masjid).high_latitude_rule_to_confirm),
    jsonb_build_array((masjid).slug, (masjid).entity_id, (masjid).deleted_at),
    jsonb_build_array((masjid).name, (masjid).name_ar, (masjid).address, (masjid).city, (masjid).state, (masjid).postal_code,
      (masjid).country, (masjid).latitude, (masjid).longitude, (masjid).languages, (masjid).facilities, (masjid).capacity,
      (masjid).phone, (masjid).email, (masjid).website, (masjid).guest_rsvps),
    jsonb_build_array((masjid).name, (masjid).address, (masjid).city, (masjid).country, (masjid).latitude, (masjid).longitude);
end;

-- Its body names the columns of up_masjids, so it is read anew.
create or replace function up_masjids_nearby(
  latitude double precision, longitude double precision, radius_km double precision default 10
) returns setof up_masjids
language sql stable parallel safe
begin atomic;
  select masjid.* from up_masjids masjid
  where cube_enlarge(earth_point($1, $2), chord_km($3), 3) @> earth_point(masjid.latitude, masjid.longitude)
    and (earth_point(masjid.latitude, masjid.longitude) <-> earth_point($1, $2)) <= chord_km($3)
    and checked_place($1, $2, $3)
    and masjid.deleted_at is null
  order by earth_point(masjid.latitude, masjid.longitude) <-> earth_point($1, $2), masjid.id;
end;

alter table up_event_rsvps
  add column user_id uuid,
  add constraint up_event_rsvps_occurrence_id_user_id_key unique (occurrence_id, user_id),
  drop constraint up_event_rsvps_person_check,
  add constraint up_event_rsvps_person_check check (case
    when guest_email is not null then guest_name is not null and member_id is null and user_id is null
    when member_id is not null then guest_name is null
    else user_id is not null end);
create index on up_event_rsvps (user_id);
create index on up_event_rsvps (guest_email) where guest_email is not null;
comment on column up_event_rsvps.user_id is
  E'@preset\n@subject account\nThe account of the person who answered; null for guests, and for members who do not sign in.';
comment on column up_event_rsvps.member_id is E'@subject member\nThe member who answered; null for guests, and for people with an account who are no members of the masjid.';
comment on column up_event_rsvps.guest_name is 'The name of a guest, or of somebody who answered by their account alone.';
comment on column up_event_rsvps.guest_email is E'@subject email\nThe guest''s e-mail address, in small letters. 90 days after the event it is replaced by one that does not exist, and the name by a dash.';
comment on constraint up_event_rsvps_person_check on up_event_rsvps is 'An answer is a member''s, an account''s, or a guest''s with name and e-mail address.';
comment on constraint up_event_rsvps_occurrence_id_user_id_key on up_event_rsvps is 'A person answers once for each occurrence.';
do $$
begin
  execute format('comment on table up_event_rsvps is %L', replace(replace(replace(obj_description('up_event_rsvps'::regclass, 'pg_class'),
    '@personal member_id guest_email', '@personal member_id user_id guest_email'),
    '@user_rows member_id own_members,', '@user_rows user_id own_users, member_id own_members,'),
    '@own_rows member_id own_members', '@own_rows user_id own_users, member_id own_members'));
end
$$;

-- Accounts are looked up by the owner: no other role may read them. The sandbox has none.
do $do$
begin
  if current_schema() = 'sandbox' then
    create function confirmed_address(account uuid) returns text language sql stable security definer
    begin atomic;
      select null::text;
    end;
    create function account_of_address(address text) returns uuid language sql stable security definer
    begin atomic;
      select null::uuid;
    end;
    create function account_name(account uuid) returns text language sql stable security definer
    begin atomic;
      select null::text;
    end;
  else
    create function confirmed_address(account uuid) returns text language sql stable security definer
    begin atomic;
      select lower(email::text) from minaret.users where id = account and email_verified_at is not null;
    end;
    create function account_of_address(address text) returns uuid language sql stable security definer
    begin atomic;
      select id from minaret.users where lower(email::text) = lower(address) and email_verified_at is not null;
    end;
    create function account_name(account uuid) returns text language sql stable security definer
    begin atomic;
      select nullif(minaret.plain_line(name), '') from minaret.users where id = account;
    end;
  end if;
end
$do$;
comment on function confirmed_address is E'@hidden\nThe confirmed address of an account.';
comment on function account_of_address is E'@hidden\nThe account that confirmed an address.';
comment on function account_name is E'@hidden\nWhat the person of an account is called.';
create function own_address() returns text
language sql stable security definer
begin atomic;
  select case when asks_for_user() then confirmed_address(asking_user()) end;
end;
comment on function own_address is E'@hidden\nThe confirmed address of the user who asks.';
create function writing_users() returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when asks_for_user() and is_account_in_force(asking_user()) then array[asking_user()] else '{}'::uuid[] end;
end;
comment on function writing_users is 'The account of the user who asks, as a list, while it is in force.';

do $$
declare
  target pg_policy;
  own text;
  old text;
  new text;
begin
  for target in select * from pg_policy where polrelid = 'up_event_rsvps'::regclass and polcmd <> 'a' loop
    own := case target.polcmd when 'r' then 'user_id = (select asking_user())' else 'user_id = any ((select writing_users())::uuid[])' end;
    old := format('using (%s or %s)', own, pg_get_expr(target.polqual, target.polrelid));
    -- their own row is handed to no other member
    new := case when target.polwithcheck is not null
      then format(' with check (%s and (member_id is null or member_id = any ((select own_members())::uuid[])) or %s)', own,
        pg_get_expr(target.polwithcheck, target.polrelid)) else '' end;
    execute format('alter policy %I on up_event_rsvps %s%s', target.polname, old, new);
  end loop;
end
$$;

-- Whose an answer is: a member's account and an account's membership are found, before a place is taken. What the same person said as
-- a guest is replaced by it, with its rank; its place is not given to others in between.
create function know_rsvp_person() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  guest up_event_rsvps;
begin
  if new.user_id is not null and new.member_id is null then
    select id into new.member_id from ua_members
    where masjid_id = new.masjid_id and user_id = new.user_id and status = 'active' and deleted_at is null;
    new.guest_name := case when new.member_id is null then new.guest_name end;
  elsif new.member_id is not null then
    select user_id into new.user_id from ua_members where id = new.member_id;
  end if;
  if new.user_id is null or new.deleted_at is not null
    or exists (select from up_event_rsvps where occurrence_id = new.occurrence_id and user_id = new.user_id and deleted_at is null) then
    return new;
  end if;
  perform set_config('minaret.replacing_answer', '1', true);
  delete from up_event_rsvps where occurrence_id = new.occurrence_id and guest_email = confirmed_address(new.user_id)
  returning * into guest;
  perform set_config('minaret.replacing_answer', '', true);
  if guest.status in ('going', 'waitlisted') and guest.deleted_at is null then
    new.responded_at := guest.responded_at;
  end if;
  return new;
end
$$;
comment on function know_rsvp_person is 'Finds the account of a member who answers, or the membership of an account, and replaces what the person said as a guest.';
create trigger know_person before insert on up_event_rsvps for each row
  when (new.member_id is not null or new.user_id is not null) execute function know_rsvp_person();

create or replace function settle_answered() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if coalesce(current_setting('minaret.replacing_answer', true), '') = '' then
    perform settle_occurrence(occurrence_id)
    from (select distinct occurrence_id from changed order by occurrence_id) touched;
  end if;
  return null;
end
$$;

create or replace function replace_withdrawn_rsvp() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from up_event_rsvps
  where occurrence_id = new.occurrence_id and (member_id = new.member_id or user_id = new.user_id or guest_email = new.guest_email)
    and deleted_at is not null and id <> new.id;
  return new;
end
$$;

-- Until it ends, while it takes place. Staff put answers right later too.
create function refuse_closed_occurrence(occurrence uuid) returns void
language plpgsql stable security definer set search_path from current as $$
declare
  state record;
begin
  select 'cancelled' in (held.status, event.status) as is_cancelled, held.ends_at <= now() as is_over into state
  from up_event_occurrences held join up_events event on event.id = held.event_id join up_masjids masjid on masjid.id = held.masjid_id
  where held.id = occurrence and held.deleted_at is null and event.deleted_at is null and masjid.deleted_at is null;
  if not found then
    raise exception 'There is no such occurrence.' using errcode = 'foreign_key_violation', table = 'up_event_rsvps';
  elsif state.is_cancelled then
    raise exception 'The event is cancelled.' using errcode = 'check_violation', table = 'up_event_rsvps';
  elsif state.is_over then
    raise exception 'The event is over.' using errcode = 'check_violation', table = 'up_event_rsvps';
  end if;
end
$$;
comment on function refuse_closed_occurrence is E'@hidden\nRefuses answers to what does not exist, is cancelled or is over.';
create function guard_rsvp_time() returns trigger
language plpgsql set search_path from current as $$
begin
  if row_security_active(tg_relid) and new.masjid_id <> all (writing_masjids('events')) and writing_all() is null then
    perform refuse_closed_occurrence(new.occurrence_id);
  end if;
  return new;
end
$$;
comment on function guard_rsvp_time is 'Refuses answers to what is cancelled or over, except by those who look after the event.';
create trigger z_guard_time before insert on up_event_rsvps for each row execute function guard_rsvp_time();
create trigger z_guard_changed_time before update on up_event_rsvps for each row
  when (new.deleted_at is null and (old.occurrence_id, old.status, old.party_size, old.deleted_at)
    is distinct from (new.occurrence_id, new.status, new.party_size, new.deleted_at))
  execute function guard_rsvp_time();

-- An answer goes with the membership: to the account that a member gets, and away from one that is taken from the member. Of two
-- answers that turn out to be one person's, what the person said themselves stays.
create function answers_follow_account() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if tg_op = 'UPDATE' then
    update up_event_rsvps set user_id = null where member_id = new.id and user_id = old.user_id;
  end if;
  if new.user_id is null then
    return null;
  end if;
  delete from up_event_rsvps dropped using up_event_rsvps kept
  where dropped.occurrence_id = kept.occurrence_id and case when kept.user_id = new.user_id
    then dropped.member_id = new.id and dropped.user_id is null and kept.member_id is null
      and (kept.deleted_at is null or dropped.deleted_at is not null)
    else kept.member_id = new.id and dropped.member_id is null and dropped.user_id = new.user_id
      and dropped.deleted_at is not null and kept.deleted_at is null end;
  update up_event_rsvps target set user_id = new.user_id
  where member_id = new.id and user_id is null
    and not exists (select from up_event_rsvps other where other.occurrence_id = target.occurrence_id and other.user_id = new.user_id);
  update up_event_rsvps set member_id = new.id, guest_name = null
  where user_id = new.user_id and member_id is null and masjid_id = new.masjid_id;
  return null;
end
$$;
comment on function answers_follow_account is 'Gives the answers of a member to the account that the member gets, and those of the account to the member.';
create trigger answers_follow_first_account after insert on ua_members for each row
  when (new.user_id is not null) execute function answers_follow_account();
create trigger answers_follow_account after update of user_id on ua_members for each row
  when (old.user_id is distinct from new.user_id) execute function answers_follow_account();

create function keep_answers_of_account() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update up_event_rsvps set member_id = null, guest_name = account_name(old.user_id) where member_id = old.id and user_id = old.user_id;
  return old;
end
$$;
comment on function keep_answers_of_account is 'Leaves answers with the account when a membership is removed.';
create trigger keep_answers_of_account before delete on ua_members for each row
  when (old.user_id is not null) execute function keep_answers_of_account();
create or replace function has_rows_of_their_own(member ua_members) returns boolean
language sql stable security definer
begin atomic;
  select (member).household_id is not null
    or exists (select from ua_donations where member_id = (member).id)
    or exists (select from ua_recurring_donations where member_id = (member).id)
    or exists (select from up_event_rsvps where member_id = (member).id and user_id is null);
end;

-- Answers from before: a person who answered twice, by memberships of two masjids, keeps both.
alter table up_event_rsvps disable trigger user;
update up_event_rsvps target set user_id = first.user_id
from (
  select distinct on (answer.occurrence_id, member.user_id) answer.id, member.user_id
  from up_event_rsvps answer join ua_members member on member.id = answer.member_id
  where member.user_id is not null
  order by answer.occurrence_id, member.user_id, answer.deleted_at nulls first, member.masjid_id = answer.masjid_id desc, answer.responded_at
) first
where target.id = first.id;
alter table up_event_rsvps enable trigger user;

create view up_own_rsvps with (security_barrier = true) as
select id, occurrence_id, masjid_id, (select asking_user()) as user_id, status, party_size, responded_at, updated_at
from up_event_rsvps
where deleted_at is null and (user_id = (select asking_user()) or member_id = any ((select own_members())::uuid[])
  or guest_email = (select own_address()));
comment on view up_own_rsvps is E'@scope events:write\n@personal user_id\n@own_rows user_id own_users\n@key id\n@foreign_key (occurrence_id) references up_event_occurrences (id) object occurrence array own_rsvps\n@foreign_key (masjid_id) references up_masjids (id) object masjid\nThe events that the user who asks has answered: as a member, by their account, or as a guest with the account''s confirmed address. up_rsvp answers.';
comment on column up_own_rsvps.id is 'The same as in up_event_rsvps.';
comment on column up_own_rsvps.occurrence_id is 'The occurrence answered.';
comment on column up_own_rsvps.masjid_id is 'The masjid that holds it.';
comment on column up_own_rsvps.user_id is 'The user who asks.';
comment on column up_own_rsvps.status is 'The answer; waitlisted while there are no places left.';
comment on column up_own_rsvps.party_size is 'How many people come, the one who answers included.';
comment on column up_own_rsvps.responded_at is 'When the answer was given: the order of the waiting list.';
comment on column up_own_rsvps.updated_at is 'When the answer was last changed.';

-- An answer of an account, or without one of a guest. The first lock makes answers of one person happen one after another.
create function write_answer(occurrence uuid, account uuid, name text, address text, answer up_rsvp_status, party integer) returns uuid
language plpgsql security definer set search_path from current as $$
declare
  own_address constant text := case when account is null then address else confirmed_address(account) end;
  own_name constant text := case when account is null then name else account_name(account) end;
  known up_event_rsvps;
  written uuid;
begin
  if answer is null or answer not in ('going', 'maybe', 'declined') then
    raise exception 'An answer is going, maybe or declined.' using errcode = 'check_violation', table = 'up_event_rsvps';
  elsif party not between 1 and 50 then
    raise exception 'A party has 1 to 50 people.' using errcode = 'check_violation', table = 'up_event_rsvps';
  end if;
  perform refuse_closed_occurrence(occurrence);
  perform pg_advisory_xact_lock(hashtextextended(occurrence || ' ' || coalesce(account::text, address), 6206190));
  select * into known from up_event_rsvps
  where occurrence_id = occurrence and deleted_at is null and (user_id = account or guest_email = own_address)
  order by user_id = account desc nulls last limit 1 for update;
  if known.status = 'attended' then
    raise exception 'The masjid has noted already that you were there.' using errcode = 'MN003';
  elsif known.id is null then
    insert into up_event_rsvps (occurrence_id, user_id, guest_name, guest_email, status, party_size)
    values (occurrence, account, own_name, case when account is null then address end, answer, coalesce(party, 1))
    returning id into written;
    return written;
  end if;
  delete from up_event_rsvps where occurrence_id = occurrence and guest_email = own_address and id <> known.id;
  update up_event_rsvps set status = answer, party_size = coalesce(party, party_size), user_id = coalesce(account, user_id),
    guest_email = case when account is null then guest_email end, guest_name = case when member_id is null then own_name end
  where id = known.id;
  if known.user_id is null and account is not null then
    update up_event_rsvps target set member_id = member.id, guest_name = null from ua_members member
    where target.id = known.id and target.member_id is null and member.masjid_id = target.masjid_id and member.user_id = account
      and member.status = 'active' and member.deleted_at is null;
  end if;
  return known.id;
end
$$;
comment on function write_answer is E'@hidden\nWrites what a person says about an occurrence, in the row that is theirs if there is one.';

create function up_rsvp(occurrence_id uuid, status up_rsvp_status default 'going', party_size integer default null) returns up_own_rsvps
language plpgsql security definer set search_path from current as $$
declare
  account constant uuid := asking_user();
  written uuid;
  own up_own_rsvps;
begin
  if account is null or not is_account_in_force(account) then
    raise exception 'Nobody is signed in: up_rsvp is the answer of the person for whom an app acts.' using errcode = 'MN003';
  end if;
  written := write_answer($1, account, null, null, $2, $3);
  select * into own from up_own_rsvps where id = written;
  return own;
end
$$;
comment on function up_rsvp is
  E'@mutation\n@scope events:write\nAnswers an event for the person for whom the app acts, or changes what they said before: going, maybe or declined. Their membership is found if they have one. When there are no places left the answer is waitlisted. Without party_size it stays as it was; 1 at first.';

-- What a guest says waits here until the address is confirmed: it takes no place, and ends by itself.
create table guest_answers (
  token_hash bytea primary key check (length(token_hash) = 32),
  occurrence_id uuid not null,
  guest_name text not null check (guest_name <> '' and length(guest_name) <= 100 and is_plain_line(guest_name)),
  guest_email text not null check (is_email(guest_email) and length(guest_email) <= 254),
  status up_rsvp_status not null check (status in ('going', 'maybe', 'declined')),
  party_size integer not null check (party_size between 1 and 10),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 minutes'
);
create index on guest_answers (expires_at);
create index on guest_answers (guest_email);
alter table guest_answers enable row level security;
comment on table guest_answers is E'@hidden\n@erase delete\nAnswers of guests that wait until the address is confirmed by a link, for 30 minutes.';
comment on column guest_answers.token_hash is 'The digest of the secret in the link.';
comment on column guest_answers.occurrence_id is 'The occurrence answered.';
comment on column guest_answers.guest_name is 'The name, as it was typed.';
comment on column guest_answers.guest_email is E'@subject email\nThe address that the link was sent to.';
comment on column guest_answers.status is 'The answer.';
comment on column guest_answers.party_size is 'How many people come, the guest included.';
comment on column guest_answers.created_at is 'When the link was made.';
comment on column guest_answers.expires_at is 'When the link ends.';

create function refuse_guests(occurrence uuid) returns void
language plpgsql stable security definer set search_path from current as $$
begin
  if not exists (select from up_event_occurrences held join up_masjids masjid on masjid.id = held.masjid_id
    where held.id = occurrence and masjid.guest_rsvps) then
    raise exception 'This masjid takes no answers of guests.' using errcode = 'MN003';
  end if;
end
$$;
comment on function refuse_guests is E'@hidden\nRefuses guests where the masjid does not allow them.';

-- Whether the address has answered before is for the mail alone.
create function ask_guest(occurrence uuid, name text, address text, answer up_rsvp_status, party integer, token bytea) returns boolean
language plpgsql security definer set search_path from current as $$
begin
  perform refuse_closed_occurrence(occurrence);
  perform refuse_guests(occurrence);
  insert into guest_answers (token_hash, occurrence_id, guest_name, guest_email, status, party_size)
  values (token, occurrence, name, address, answer, party);
  return exists (select from up_event_rsvps where occurrence_id = occurrence and deleted_at is null
    and (guest_email = address or user_id = account_of_address(address)));
end
$$;
comment on function ask_guest is E'@hidden\nKeeps what a guest says until the address is confirmed. Says whether the person has answered before.';

create function confirm_guest(token bytea) returns uuid
language plpgsql security definer set search_path from current as $$
declare
  asked guest_answers;
begin
  delete from guest_answers where token_hash = token and expires_at > now() returning * into asked;
  if asked.token_hash is null then
    return null;
  end if;
  perform refuse_guests(asked.occurrence_id);
  return write_answer(asked.occurrence_id, account_of_address(asked.guest_email), asked.guest_name, asked.guest_email,
    asked.status, asked.party_size);
end
$$;
comment on function confirm_guest is E'@hidden\nWrites what a guest said, once, as the answer of the account with that confirmed address if there is one. Null if there is nothing to confirm.';

revoke execute on function confirmed_address, account_of_address, account_name, write_answer, up_rsvp, refuse_guests, ask_guest,
  confirm_guest from public;
select pin_search_paths();
