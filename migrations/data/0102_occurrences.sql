-- Up Migration
-- Locks are taken in one order everywhere, so that nobody waits in a circle: answers, occurrences, events, states. That is why
-- a change of an event reaches its occurrences through the job, and not through a trigger.
-- What the job that materialises occurrences needs to know: which events changed, or hang on times that changed.

create table occurrence_states (
  event_id uuid primary key references up_events on delete cascade,
  revision integer not null default 1,
  filled_revision integer,
  filled_until date,
  passed_status up_event_status,
  passed_capacity integer,
  touched_at timestamptz not null default now()
);
create index occurrence_states_stale_idx on occurrence_states (touched_at) where filled_revision is distinct from revision;
comment on table occurrence_states is E'@hidden\nHow far each event''s occurrences are materialised; kept by triggers and by the job. Not part of the API.';
comment on column occurrence_states.event_id is 'The event.';
comment on column occurrence_states.revision is 'Moves on at every change of what the occurrences depend on.';
comment on column occurrence_states.filled_revision is 'The revision the occurrences were made from.';
comment on column occurrence_states.filled_until is 'The last day that is materialised.';
comment on column occurrence_states.passed_status is 'The event''s status that its occurrences were given.';
comment on column occurrence_states.passed_capacity is 'The event''s capacity that its occurrences were given.';
comment on column occurrence_states.touched_at is 'When the revision last moved: the newest change is served first.';

create function note_event_change() returns trigger
language plpgsql set search_path from current as $$
begin
  insert into occurrence_states (event_id) values (new.id)
  on conflict (event_id) do update set revision = occurrence_states.revision + 1, touched_at = now();
  perform pg_notify('minaret_prayer', tg_table_schema);
  return null;
end
$$;
comment on function note_event_change is 'Marks an event''s occurrences as due and wakes the job.';

create trigger note_new_event after insert on up_events for each row execute function note_event_change();
create trigger note_event_change after update on up_events for each row
  when ((old.masjid_id, old.starts_local, old.duration_minutes, old.timezone, old.rrule, old.exdates, old.anchor_prayer,
         old.anchor_offset, old.status, old.capacity, old.deleted_at is null)
    is distinct from (new.masjid_id, new.starts_local, new.duration_minutes, new.timezone, new.rrule, new.exdates,
         new.anchor_prayer, new.anchor_offset, new.status, new.capacity, new.deleted_at is null))
  execute function note_event_change();
insert into occurrence_states (event_id) select id from up_events;

-- Events that follow a prayer move with it: with the calculation, with the masjid's rules, and with their sources.
create function note_anchor_change() returns trigger
language plpgsql set search_path from current as $$
begin
  update occurrence_states state set revision = state.revision + 1, touched_at = now()
  from up_events event
  where event.id = state.event_id and event.anchor_prayer is not null
    and event.masjid_id in (select masjid_id from changed);
  if found then
    perform pg_notify('minaret_prayer', tg_table_schema);
  end if;
  return null;
end
$$;
comment on function note_anchor_change is 'Marks the events that follow a prayer as due when its times changed, and wakes the job.';

create index up_events_anchored_idx on up_events (masjid_id) where anchor_prayer is not null;
create trigger note_anchor_update after update on calculation_states referencing new table as changed
  for each statement execute function note_anchor_change();
create trigger note_anchor_insert after insert on pc_iqamah_schedules referencing new table as changed
  for each statement execute function note_anchor_change();
create trigger note_anchor_update after update on pc_iqamah_schedules referencing new table as changed
  for each statement execute function note_anchor_change();
create trigger note_anchor_delete after delete on pc_iqamah_schedules referencing old table as changed
  for each statement execute function note_anchor_change();
create trigger note_anchor_update after update on pc_prayer_sources referencing new table as changed
  for each statement execute function note_anchor_change();

-- What people change by hand, the job leaves alone. It says who it is; whoever does not is a person.
alter table up_event_occurrences add column edited_by_hand boolean not null default false;
comment on column up_event_occurrences.edited_by_hand is
  E'@hidden\nWhether somebody moved, deleted or restored this occurrence by itself; its event''s rule no longer moves it.';

create function mark_edited_occurrence() returns trigger
language plpgsql as $$
begin
  new.edited_by_hand = current_setting('minaret.materialising', true) is distinct from 'on';
  return new;
end
$$;
comment on function mark_edited_occurrence is 'Remembers that an occurrence was moved or deleted by hand.';
create trigger mark_edited before update on up_event_occurrences for each row
  when ((old.starts_at, old.ends_at, old.deleted_at) is distinct from (new.starts_at, new.ends_at, new.deleted_at)
    and not old.edited_by_hand)
  execute function mark_edited_occurrence();
