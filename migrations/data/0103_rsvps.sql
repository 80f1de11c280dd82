-- Up Migration
-- Places at an occurrence: never more people than places, a waiting list that moves up, counts that are always right.
-- Every change takes the occurrence's row lock first, so that changes of one occurrence happen one after another.

create function taken_places(occurrence uuid, except_rsvp uuid) returns integer
language sql stable
begin atomic;
  select coalesce(sum(party_size), 0)::integer from up_event_rsvps
  where occurrence_id = $1 and status in ('going', 'attended') and deleted_at is null and id is distinct from $2;
end;
comment on function taken_places is 'How many places are taken, one answer left aside.';

create function place_rsvp() returns trigger
language plpgsql set search_path from current as $$
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
    raise exception 'There are not enough places left for a party of %.', new.party_size using errcode = 'check_violation';
  end if;
  new.status := 'waitlisted';
  return new;
end
$$;
comment on function place_rsvp is 'Gives an answer a place, or puts it on the waiting list when the occurrence is full.';
create trigger place before insert or update on up_event_rsvps for each row execute function place_rsvp();

create function count_event(event uuid) returns void
language sql
begin atomic;
  update up_events target set going_count = total.places
  from (select coalesce(sum(going_count), 0) as places from up_event_occurrences
    where event_id = $1 and deleted_at is null) total
  where target.id = $1 and target.going_count <> total.places;
end;
comment on function count_event is 'Counts the places taken over all occurrences of an event.';

-- In the order of their answers, each party that fits. A larger one keeps its rank and is passed over, so that no place stays empty.
create function settle_occurrence(occurrence uuid) returns void
language plpgsql set search_path from current as $$
declare
  held up_event_occurrences;
  waiting record;
  taken integer;
begin
  select * into held from up_event_occurrences where id = occurrence for no key update;
  if not found then
    return;
  end if;
  taken := taken_places(occurrence, null);
  if held.starts_at > now() and held.status <> 'cancelled' and held.deleted_at is null then
    for waiting in
      select id, party_size from up_event_rsvps
      where occurrence_id = occurrence and status = 'waitlisted' and deleted_at is null order by responded_at, id
      -- one that is being changed at this moment settles the occurrence itself, as soon as this lock is free
      for no key update skip locked
    loop
      exit when taken >= held.capacity;
      continue when taken + waiting.party_size > held.capacity;
      update up_event_rsvps set status = 'going' where id = waiting.id;
      taken := taken + waiting.party_size;
    end loop;
  end if;
  update up_event_occurrences target
  set going_count = taken_places(occurrence, null), waitlisted_count = waiting_list.people
  from (select coalesce(sum(party_size), 0)::integer as people from up_event_rsvps
    where occurrence_id = occurrence and status = 'waitlisted' and deleted_at is null) waiting_list
  where target.id = occurrence
    and (target.going_count, target.waitlisted_count) is distinct from (taken_places(occurrence, null), waiting_list.people);
  perform count_event(held.event_id);
end
$$;
comment on function settle_occurrence is 'Moves the waiting list up into free places and counts anew.';

-- In the order of their ids, so that two who answer for the same occurrences never wait for each other.
create function settle_answered() returns trigger
language plpgsql set search_path from current as $$
begin
  perform settle_occurrence(occurrence_id)
  from (select distinct occurrence_id from changed order by occurrence_id) touched;
  return null;
end
$$;
comment on function settle_answered is 'Settles every occurrence whose answers changed.';
-- An answer that was moved to another occurrence leaves a place at the first.
create function settle_moved() returns trigger
language plpgsql set search_path from current as $$
begin
  perform settle_occurrence(occurrence_id)
  from (select occurrence_id from changed union select occurrence_id from former order by occurrence_id) touched;
  return null;
end
$$;
comment on function settle_moved is 'Settles every occurrence whose answers changed, or left for another.';

create trigger settle_insert after insert on up_event_rsvps referencing new table as changed
  for each statement execute function settle_answered();
create trigger settle_update after update on up_event_rsvps referencing new table as changed old table as former
  for each statement execute function settle_moved();
create trigger settle_delete after delete on up_event_rsvps referencing old table as changed
  for each statement execute function settle_answered();

create function settle_changed() returns trigger
language plpgsql set search_path from current as $$
begin
  perform settle_occurrence(new.id);
  return null;
end
$$;
comment on function settle_changed is 'Settles an occurrence that got more places, or that takes place after all.';
create trigger settle after update on up_event_occurrences for each row
  when ((old.capacity, old.status, old.deleted_at) is distinct from (new.capacity, new.status, new.deleted_at))
  execute function settle_changed();

create function count_after_deletion() returns trigger
language plpgsql set search_path from current as $$
begin
  perform count_event(old.event_id);
  return null;
end
$$;
comment on function count_after_deletion is 'Counts an event''s places anew when an occurrence is deleted for good.';
create trigger count_after_deletion after delete on up_event_occurrences for each row
  when (old.going_count > 0) execute function count_after_deletion();
