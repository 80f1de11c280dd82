-- Up Migration
-- Answers to events and gifts refuse by the names of their rules.

create or replace function check_rsvp_member() returns trigger
language plpgsql set search_path from current as $$
begin
  if row_security_active(tg_relid) and new.member_id <> all (writing_members()) and writing_all() is null
    and not is_member_at(new.member_id, new.masjid_id) then
    perform refuse('up_event_rsvps_member_elsewhere', 'Members of other masjids answer for themselves.', '{}', 'MN003');
  end if;
  return new;
end
$$;

create or replace function refuse_closed_occurrence(occurrence uuid) returns void
language plpgsql stable security definer set search_path from current as $$
declare
  state record;
begin
  select 'cancelled' in (held.status, event.status) as is_cancelled, held.ends_at <= now() as is_over into state
  from up_event_occurrences held join up_events event on event.id = held.event_id join up_masjids masjid on masjid.id = held.masjid_id
  where held.id = occurrence and held.deleted_at is null and event.deleted_at is null and masjid.deleted_at is null;
  if not found then
    perform refuse('up_event_rsvps_occurrence_gone', 'There is no such occurrence.', '{}', 'foreign_key_violation');
  elsif state.is_cancelled then
    perform refuse('up_event_rsvps_event_cancelled', 'The event is cancelled.');
  elsif state.is_over then
    perform refuse('up_event_rsvps_event_over', 'The event is over.');
  end if;
end
$$;

create or replace function place_rsvp() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  places integer;
  had_place boolean := false;
begin
  if tg_op = 'UPDATE' then
    had_place := old.status = 'going' and old.deleted_at is null and old.occurrence_id = new.occurrence_id;
    -- whoever comes back stands at the end of the waiting list
    if new.status in ('going', 'waitlisted') and old.status not in ('going', 'waitlisted')
      and new.responded_at = old.responded_at then
      new.responded_at := clock_timestamp();
    end if;
  end if;
  if new.status <> 'going' or new.deleted_at is not null or had_place and new.party_size <= old.party_size then
    return new;
  end if;
  select capacity into places from up_event_occurrences where id = new.occurrence_id for no key update;
  -- read after the lock: what others did while this one waited is seen
  if places is null or taken_places(new.occurrence_id, new.id) + new.party_size <= places then
    return new;
  end if;
  if had_place then
    perform refuse('up_event_rsvps_places_left', 'There are not enough places left for a party of {count}.',
      jsonb_build_object('count', new.party_size));
  end if;
  new.status := 'waitlisted';
  return new;
end
$$;

create or replace function write_answer(occurrence uuid, account uuid, name text, address text, answer up_rsvp_status, party integer) returns uuid
language plpgsql security definer set search_path from current as $$
declare
  own_address constant text := case when account is null then address else confirmed_address(account) end;
  own_name constant text := case when account is null then name else account_name(account) end;
  known up_event_rsvps;
  written uuid;
begin
  if answer is null or answer not in ('going', 'maybe', 'declined') then
    perform refuse('up_event_rsvps_answer', 'An answer is going, maybe or declined.');
  elsif party not between 1 and 50 then
    perform refuse('up_event_rsvps_party_size_check', 'A party has 1 to 50 people.');
  end if;
  perform refuse_closed_occurrence(occurrence);
  perform pg_advisory_xact_lock(hashtextextended(occurrence || ' ' || coalesce(account::text, address), 6206190));
  select * into known from up_event_rsvps
  where occurrence_id = occurrence and deleted_at is null and (user_id = account or guest_email = own_address)
  order by user_id = account desc nulls last limit 1 for update;
  if known.status = 'attended' then
    perform refuse('up_event_rsvps_attended', 'The masjid has noted already that you were there.', '{}', 'MN003');
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

create or replace function up_rsvp(occurrence_id uuid, status up_rsvp_status default 'going', party_size integer default null) returns up_own_rsvps
language plpgsql security definer set search_path from current as $$
declare
  account constant uuid := asking_user();
  written uuid;
  own up_own_rsvps;
begin
  if account is null or not is_account_in_force(account) then
    perform refuse('up_event_rsvps_signed_in', 'Nobody is signed in: up_rsvp is the answer of the person for whom an app acts.',
      '{}', 'MN003');
  end if;
  written := write_answer($1, account, null, null, $2, $3);
  select * into own from up_own_rsvps where id = written;
  return own;
end
$$;

create or replace function refuse_guests(occurrence uuid) returns void
language plpgsql stable security definer set search_path from current as $$
begin
  if not exists (select from up_event_occurrences held join up_masjids masjid on masjid.id = held.masjid_id
    where held.id = occurrence and masjid.guest_rsvps) then
    perform refuse('up_event_rsvps_no_guests', 'This masjid takes no answers of guests.', '{}', 'MN003');
  end if;
end
$$;

create or replace function follow_reversed_gift() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  gift ua_donations;
  rest bigint;
begin
  select * into gift from ua_donations where id = new.reverses_donation_id for no key update;
  if gift.reverses_donation_id is not null or gift.status <> 'succeeded' or gift.deleted_at is not null then
    perform refuse('ua_donations_reversal_received', 'Only a gift that was received can be reversed, and a reversal cannot.');
  end if;
  if (coalesce(new.masjid_id, gift.masjid_id), coalesce(new.campaign_id, gift.campaign_id), coalesce(new.currency, gift.currency))
    is distinct from (gift.masjid_id, gift.campaign_id, gift.currency) then
    perform refuse('ua_donations_reversal_alike', 'A reversal has the masjid, campaign and currency of its gift; leave them out.');
  end if;
  rest := gift.amount_minor - gift.refunded_minor
    + coalesce((select sum(amount_minor) from ua_donations where reverses_donation_id = gift.id and deleted_at is null), 0);
  if -new.amount_minor > rest then
    perform refuse('ua_donations_reversal_within_rest', 'Only {rest} of the gift is left to reverse.',
      jsonb_build_object('rest', rest::text));
  end if;
  new.masjid_id := gift.masjid_id;
  new.campaign_id := gift.campaign_id;
  new.currency := gift.currency;
  new.fund := gift.fund;
  new.method := gift.method;
  new.member_id := gift.member_id;
  new.recurring_donation_id := gift.recurring_donation_id;
  new.is_anonymous := gift.is_anonymous;
  new.donor_name := gift.donor_name;
  new.donor_email := gift.donor_email;
  new.status := 'succeeded';
  new.received_at := coalesce(new.received_at, now());
  return new;
end
$$;

create or replace function keep_reversed_gift() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if new.reverses_donation_id is distinct from old.reverses_donation_id then
    perform refuse('ua_donations_reversal_gift_kept', 'What a reversal reverses never changes.');
  end if;
  if old.reverses_donation_id is not null and new.amount_minor <> old.amount_minor then
    perform refuse('ua_donations_reversal_amount_kept', 'The amount of a reversal never changes.');
  end if;
  if old.reverses_donation_id is null and (new.amount_minor - new.refunded_minor
      + coalesce((select sum(amount_minor) from ua_donations where reverses_donation_id = new.id and deleted_at is null), 0) < 0
    or new.status <> 'succeeded' and exists (select from ua_donations where reverses_donation_id = new.id and deleted_at is null)) then
    perform refuse('ua_donations_reversed_within_amount', 'More was reversed than would be left of the gift.');
  end if;
  return new;
end
$$;

create or replace function refuse_rewriting_gifts() returns trigger
language plpgsql set search_path from current as $$
begin
  if row_security_active(tg_relid) then
    perform refuse('ua_donations_only_added', 'Gifts are only ever added. To correct one, insert a row that reverses it.', '{}', 'MN003');
  end if;
  return null;
end
$$;

-- contract: only functions called it, and they are all replaced above
drop function reversal_refused(text, text);
select pin_search_paths();
