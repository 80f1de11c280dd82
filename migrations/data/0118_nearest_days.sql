-- Up Migration
-- The nearest days of all masjids are calculated before the 400 days of any: nobody who asks early finds nothing.

alter table calculation_states add column near_revision integer, add column near_until date;
comment on column calculation_states.near_revision is 'The revision the nearest days were calculated from, ahead of the rest.';
comment on column calculation_states.near_until is 'The last of these nearest days.';

-- Occurrences follow once all days are calculated: the nearest days alone, and the mere mark that days are due, move nothing.
create function note_recalculation() returns trigger
language plpgsql set search_path from current as $$
begin
  update occurrence_states state set revision = state.revision + 1, touched_at = now()
  from up_events event
  where event.id = state.event_id and event.anchor_prayer is not null
    and event.masjid_id in (
      select masjid_id from changed join former using (masjid_id)
      where changed.changed_at is distinct from former.changed_at);
  if found then
    perform pg_notify('minaret_prayer', tg_table_schema);
  end if;
  return null;
end
$$;
comment on function note_recalculation is 'Marks the events that follow a prayer as due when its times were calculated anew, and wakes the job.';
drop trigger note_anchor_update on calculation_states;
create trigger note_recalculation after update on calculation_states
  referencing new table as changed old table as former
  for each statement execute function note_recalculation();
