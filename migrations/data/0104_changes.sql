-- Up Migration
-- What changed since a moment, deletions included: for those who keep a copy.

create table deleted_rows (
  table_name text not null,
  id uuid not null,
  masjid_id uuid,
  deleted_at timestamptz not null default now(),
  primary key (table_name, id)
);
create index on deleted_rows (deleted_at, id);
comment on table deleted_rows is E'@hidden\nRows that are gone for good, so that change readers learn of it. Shown through up_changes and pc_changes.';
comment on column deleted_rows.table_name is 'The table.';
comment on column deleted_rows.id is 'The row''s identifier.';
comment on column deleted_rows.masjid_id is 'The masjid it belonged to.';
comment on column deleted_rows.deleted_at is 'When it was deleted.';

create function note_deletion() returns trigger
language plpgsql set search_path from current as $$
begin
  insert into deleted_rows (table_name, id, masjid_id)
  values (tg_table_name, old.id, case tg_table_name when 'up_masjids' then old.id else (to_jsonb(old) ->> 'masjid_id')::uuid end)
  on conflict (table_name, id) do update set deleted_at = excluded.deleted_at;
  return null;
end
$$;
comment on function note_deletion is 'Remembers that a row was deleted for good.';
create trigger note_deletion after delete on up_entities for each row execute function note_deletion();
create trigger note_deletion after delete on up_masjids for each row execute function note_deletion();
create trigger note_deletion after delete on up_events for each row execute function note_deletion();
create trigger note_deletion after delete on up_event_occurrences for each row execute function note_deletion();
create trigger note_deletion after delete on pc_prayer_sources for each row execute function note_deletion();
create trigger note_deletion after delete on pc_iqamah_schedules for each row execute function note_deletion();

-- Every part is one index in the order of its changes: PostgreSQL merges them, and a page costs a page.
create view up_changes as
select 'up_entities' as table_name, id, null::uuid as masjid_id, updated_at as changed_at, deleted_at is not null as is_deleted
from up_entities
union all
select 'up_masjids', id, id, updated_at, deleted_at is not null from up_masjids
union all
select 'up_events', id, masjid_id, updated_at, deleted_at is not null from up_events
union all
select 'up_event_occurrences', id, masjid_id, updated_at, deleted_at is not null from up_event_occurrences
union all
select table_name, id, masjid_id, deleted_at, true from deleted_rows where table_name like 'up\_%';
comment on view up_changes is E'@scope masjid:read events:read\n@key table_name, id\nWhat changed in the directory and the events, deletions included. Ask with where: {changed_at: {_gt: …}} and order_by: [{changed_at: asc}, {id: asc}]; start a minute before the last change seen, since a long transaction shows its changes late.';
comment on column up_changes.table_name is 'The table.';
comment on column up_changes.id is 'The row''s identifier.';
comment on column up_changes.masjid_id is 'The masjid it belongs to.';
comment on column up_changes.changed_at is 'When it was last changed.';
comment on column up_changes.is_deleted is 'Whether it was deleted; then the row itself is no longer shown.';

create view pc_changes as
select 'pc_prayer_sources' as table_name, id, masjid_id, updated_at as changed_at, deleted_at is not null as is_deleted
from pc_prayer_sources
union all
select 'pc_iqamah_schedules', id, masjid_id, updated_at, deleted_at is not null from pc_iqamah_schedules
union all
-- one line for a masjid: its 400 days were calculated in one go
select 'pc_calculated_times', masjid_id, masjid_id, changed_at, false from calculation_states where changed_at is not null
union all
select table_name, id, masjid_id, deleted_at, true from deleted_rows where table_name like 'pc\_%';
comment on view pc_changes is E'@scope prayer-times:read\n@key table_name, id\nWhat changed in the prayer times, deletions included: sources, iqamah rules, and calculated times (one line for each masjid). See up_changes for how to ask.';
comment on column pc_changes.table_name is 'The table.';
comment on column pc_changes.id is 'The row''s identifier; for calculated times the masjid''s.';
comment on column pc_changes.masjid_id is 'The masjid it belongs to.';
comment on column pc_changes.changed_at is 'When it was last changed.';
comment on column pc_changes.is_deleted is 'Whether it was deleted; then the row itself is no longer shown.';
