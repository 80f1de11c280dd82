-- Up Migration
-- What the job that fills pc_calculated_times needs to know: which masjids changed since their times were calculated.

-- A masjid's own adjustments, and the few minutes of night at the edge of the polar circle, can put one time on or before
-- the one that precedes it. Such times are stored as they were calculated, and one masjid must not hold up the rest.
alter table pc_calculated_times drop constraint pc_calculated_times_order_check;

alter table pc_calculated_times add column is_taraweeh boolean not null default false;
comment on column pc_calculated_times.is_taraweeh is
  'Whether Taraweeh is prayed that evening: the night belongs to the next day, and that day is in Ramadan.';

create table calculation_states (
  masjid_id uuid primary key references up_masjids on delete cascade,
  revision integer not null default 1,
  filled_revision integer,
  engine_version text,
  filled_until date,
  touched_at timestamptz not null default now(),
  changed_at timestamptz
);
create index calculation_states_stale_idx on calculation_states (touched_at) where filled_revision is distinct from revision;
create index on calculation_states (changed_at, masjid_id);
comment on table calculation_states is E'@hidden\nHow far each masjid''s times are calculated; kept by triggers and by the job. Not part of the API.';
comment on column calculation_states.masjid_id is 'The masjid.';
comment on column calculation_states.revision is 'Moves on at every change of what the times depend on.';
comment on column calculation_states.filled_revision is 'The revision the stored times were calculated from.';
comment on column calculation_states.engine_version is 'The engine they were calculated with.';
comment on column calculation_states.filled_until is 'The last day that is calculated.';
comment on column calculation_states.touched_at is 'When the revision last moved: the newest change is served first.';
comment on column calculation_states.changed_at is 'When the stored times last changed.';

-- The state outlives the notification: whoever was not listening finds the work in the table.
create function note_masjid_change() returns trigger
language plpgsql set search_path from current as $$
begin
  insert into calculation_states (masjid_id) values (new.id)
  on conflict (masjid_id) do update set revision = calculation_states.revision + 1, touched_at = now();
  perform pg_notify('minaret_prayer', tg_table_schema);
  return null;
end
$$;
comment on function note_masjid_change is 'Marks a masjid''s times as due for calculation and wakes the job.';

create trigger note_new_masjid after insert on up_masjids for each row execute function note_masjid_change();
create trigger note_masjid_change after update on up_masjids for each row
  when ((old.latitude, old.longitude, old.timezone, old.calculation_method, old.madhab, old.high_latitude_rule,
         old.adjustments, old.hijri_adjustment, old.deleted_at is null)
    is distinct from (new.latitude, new.longitude, new.timezone, new.calculation_method, new.madhab, new.high_latitude_rule,
         new.adjustments, new.hijri_adjustment, new.deleted_at is null))
  execute function note_masjid_change();

insert into calculation_states (masjid_id) select id from up_masjids;
