-- Up Migration
-- NOTIFY takes a lock that every commit in the server needs, and holds it until its own commit is on disk: with it in a
-- trigger, writers wait for each other one by one. The triggers only mark what is due; the job looks for the marks.
--
-- They run as their owner: whoever may change a masjid or an event need not be allowed to touch the marks.

create or replace function note_masjid_change() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into calculation_states (masjid_id) values (new.id)
  on conflict (masjid_id) do update set revision = calculation_states.revision + 1, touched_at = now();
  return null;
end
$$;
comment on function note_masjid_change is 'Marks a masjid''s times as due for calculation.';

create or replace function note_event_change() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into occurrence_states (event_id) values (new.id)
  on conflict (event_id) do update set revision = occurrence_states.revision + 1, touched_at = now();
  return null;
end
$$;
comment on function note_event_change is 'Marks an event''s occurrences as due.';

create or replace function note_anchor_change() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update occurrence_states state set revision = state.revision + 1, touched_at = now()
  from up_events event
  where event.id = state.event_id and event.anchor_prayer is not null
    and event.masjid_id in (select masjid_id from changed);
  return null;
end
$$;
comment on function note_anchor_change is 'Marks the events that follow a prayer as due when the rules for its times changed.';

create or replace function note_hijri_change() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update calculation_states state set revision = state.revision + 1, touched_at = now()
  from up_masjids masjid
  where masjid.id = state.masjid_id and (
    masjid.id in (old.masjid_id, new.masjid_id) or masjid.hijri_authority_id in (old.authority_id, new.authority_id));
  return null;
end
$$;
comment on function note_hijri_change is 'Marks the days of every masjid that an announcement concerns as due for calculation.';

create or replace function note_recalculation() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update occurrence_states state set revision = state.revision + 1, touched_at = now()
  from up_events event
  where event.id = state.event_id and event.anchor_prayer is not null
    and event.masjid_id in (
      select masjid_id from changed join former using (masjid_id)
      where changed.changed_at is distinct from former.changed_at);
  return null;
end
$$;
comment on function note_recalculation is 'Marks the events that follow a prayer as due when its times were calculated anew.';

-- A function that runs as its owner must not find a caller's temporary table first.
do $$
declare
  name text;
begin
  foreach name in array array[
    'note_masjid_change', 'note_event_change', 'note_anchor_change', 'note_hijri_change', 'note_recalculation'
  ] loop
    execute format('alter function %I() set search_path = %I, extensions, pg_temp', name, current_schema());
  end loop;
end
$$;

-- Each change adds an entry to the index of what is due, and finishing it leaves the entry dead. The job looks twice a second;
-- what it passes over must not pile up until a fifth of a large table has changed.
alter table calculation_states set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, vacuum_index_cleanup = on);
alter table occurrence_states set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, vacuum_index_cleanup = on);
