-- Up Migration
-- Whether times or occurrences run out is asked after every change. It is found by an index now, not by reading every masjid and event.
create index calculation_states_until on calculation_states (filled_until);
create index calculation_states_engine on calculation_states (engine_version);
create index occurrence_states_until on occurrence_states (filled_until);

-- A deleted event has no occurrences, and never runs out of them.
update occurrence_states state set filled_until = 'infinity'
from up_events event
where event.id = state.event_id and event.deleted_at is not null and state.filled_revision = state.revision;
comment on column occurrence_states.filled_until is 'The last day that is materialised; infinity if the event is deleted.';
