-- Up Migration
-- Triggers run as whoever writes. Those that touch other rows or tables run as the owner from here on: whoever may answer an
-- invitation need not be allowed to change counts.

do $$
declare
  name text;
begin
  foreach name in array array['fill_rsvp_masjid', 'place_rsvp', 'settle_answered', 'settle_moved', 'settle_changed',
    'count_after_deletion', 'note_deletion', 'check_month_lengths'] loop
    execute format('alter function %I() security definer', name);
  end loop;
end
$$;

-- These are for triggers alone: with them anybody could move what campaigns have raised.
revoke execute on function count_gifts, publish_gifts from public;

-- An answer that moves to another occurrence goes with it to that occurrence's masjid.
drop trigger fill_masjid on up_event_rsvps;
create trigger fill_masjid before insert on up_event_rsvps
  for each row when (new.masjid_id is null) execute function fill_rsvp_masjid();
create trigger follow_occurrence before update of occurrence_id on up_event_rsvps
  for each row when (new.occurrence_id <> old.occurrence_id and new.masjid_id = old.masjid_id)
  execute function fill_rsvp_masjid();

-- One answer per person, withdrawn ones included: whoever answers again would be told of an answer that nobody sees.
create function replace_withdrawn_rsvp() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from up_event_rsvps
  where occurrence_id = new.occurrence_id and (member_id = new.member_id or guest_email = new.guest_email)
    and deleted_at is not null and id <> new.id;
  return new;
end
$$;
comment on function replace_withdrawn_rsvp is 'Removes the withdrawn answer of whoever answers again.';
create trigger replace_withdrawn before insert on up_event_rsvps
  for each row when (new.deleted_at is null) execute function replace_withdrawn_rsvp();

-- Rules refer to sources of their own masjid: a foreign one would let another masjid decide whether the rule counts.
create function check_schedule_source() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if not exists (select from pc_prayer_sources where id = new.source_id and masjid_id = new.masjid_id) then
    raise exception 'The source of an iqamah rule belongs to the same masjid.' using errcode = 'foreign_key_violation',
      constraint = 'pc_iqamah_schedules_source_id_fkey', table = 'pc_iqamah_schedules';
  end if;
  return null;
end
$$;
comment on function check_schedule_source is 'Refuses an iqamah rule whose source is another masjid''s.';
create constraint trigger check_source after insert or update of source_id, masjid_id on pc_iqamah_schedules
  for each row when (new.source_id is not null) execute function check_schedule_source();

select pin_search_paths();
