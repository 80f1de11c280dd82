-- Up Migration
-- The change feeds have announcements, timetables and changes of iqamah too. Each line is for those who may read its row, or could
-- read it before: an announcement that has not started and a planned change are for those who look after them.

do $do$
declare
  schema constant text := current_schema();
  all_masjids constant text := format(
    $sql$between (select %I.writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'$sql$, schema);
begin
  execute format($sql$
    create or replace view changes.%1$s_up_lines as
    select log.xid, log.id as number, substr(log.table_name, %2$s) as table_name, log.masjid_id, log.at as changed_at,
      (log.key ->> 'id')::uuid as id,
      log.key is not null and case log.table_name
        when '%1$s.up_entities' then (select true from %1$I.up_entities where id = (log.key ->> 'id')::uuid and deleted_at is null)
        when '%1$s.up_masjids' then (select true from %1$I.up_masjids where id = (log.key ->> 'id')::uuid and deleted_at is null)
        when '%1$s.up_events' then (select true from %1$I.up_events where id = (log.key ->> 'id')::uuid and deleted_at is null)
        when '%1$s.up_announcements' then (
          select true from %1$I.up_announcements said
          where said.id = (log.key ->> 'id')::uuid and said.deleted_at is null and (said.starts_at <= now()
            or said.masjid_id = any ((select %1$I.announcements_masjids())::uuid[]) or said.masjid_id %3$s))
        else (select true from %1$I.up_event_occurrences where id = (log.key ->> 'id')::uuid and deleted_at is null)
      end is null as is_deleted
    from changes.log
    where log.table_name in ('%1$s.up_entities', '%1$s.up_masjids', '%1$s.up_events', '%1$s.up_event_occurrences')
      or log.table_name = '%1$s.up_announcements' and (log.key is null
        or (select true from %1$I.deleted_rows gone
          where gone.table_name = 'up_announcements' and gone.id = (log.key ->> 'id')::uuid)
        or (select said.starts_at <= now() or said.masjid_id = any ((select %1$I.announcements_masjids())::uuid[]) or said.masjid_id %3$s
          from %1$I.up_announcements said where said.id = (log.key ->> 'id')::uuid))$sql$,
    schema, length(schema) + 2, all_masjids);
  execute format($sql$
    create or replace view changes.%1$s_pc_lines as
    select log.xid, log.id as number, substr(log.table_name, %2$s) as table_name, log.masjid_id, log.at as changed_at,
      case log.table_name when '%1$s.pc_calculated_times' then log.masjid_id else (log.key ->> 'id')::uuid end as id,
      log.key is not null and case log.table_name
        when '%1$s.pc_prayer_sources' then
          (select true from %1$I.pc_prayer_sources where id = (log.key ->> 'id')::uuid and deleted_at is null)
        when '%1$s.pc_iqamah_schedules' then
          (select true from %1$I.pc_iqamah_schedules where id = (log.key ->> 'id')::uuid and deleted_at is null)
        when '%1$s.pc_hijri_authorities' then
          (select true from %1$I.pc_hijri_authorities where id = (log.key ->> 'id')::uuid and deleted_at is null)
        when '%1$s.pc_hijri_months' then
          (select true from %1$I.pc_hijri_months where id = (log.key ->> 'id')::uuid and deleted_at is null)
        when '%1$s.pc_timetables' then (select true from %1$I.pc_timetables where id = (log.key ->> 'id')::uuid)
        when '%1$s.pc_timetable_days' then (select true from %1$I.pc_timetable_days where id = (log.key ->> 'id')::uuid and in_force)
        when '%1$s.pc_iqamah_changes' then (select true from %1$I.pc_iqamah_changes where id = (log.key ->> 'id')::uuid)
        else true
      end is null as is_deleted
    from changes.log
    where log.table_name in ('%1$s.pc_prayer_sources', '%1$s.pc_iqamah_schedules', '%1$s.pc_calculated_times',
      '%1$s.pc_hijri_authorities', '%1$s.pc_hijri_months', '%1$s.pc_timetables', '%1$s.pc_timetable_days')
      or log.table_name = '%1$s.pc_iqamah_changes' and (log.masjid_id is null
        or log.masjid_id = any ((select %1$I.times_masjids())::uuid[]) or log.masjid_id %3$s)$sql$,
    schema, length(schema) + 2, all_masjids);
end
$do$;

create or replace view up_changes as
select lines.*, (select changes.cursor_now()) as cursor from (
  select 'up_entities' as table_name, id, null::uuid as masjid_id, updated_at as changed_at, deleted_at is not null as is_deleted
  from up_entities
  union all
  select 'up_masjids', id, id, updated_at, deleted_at is not null from up_masjids
  union all
  select 'up_events', id, masjid_id, updated_at, deleted_at is not null from up_events
  union all
  select 'up_event_occurrences', id, masjid_id, updated_at, deleted_at is not null from up_event_occurrences
  union all
  select 'up_announcements', id, masjid_id, greatest(updated_at, starts_at), deleted_at is not null
  from up_announcements where starts_at <= now()
  union all
  -- a postponed announcement may have started by now
  select table_name, id, masjid_id, deleted_at, true from deleted_rows gone
  where table_name like 'up\_%' and (select true from up_announcements said
    where gone.table_name = 'up_announcements' and said.id = gone.id and said.starts_at <= now()) is null
) lines;

create or replace view pc_changes as
select lines.*, (select changes.cursor_now()) as cursor from (
  select 'pc_prayer_sources' as table_name, id, masjid_id, updated_at as changed_at, deleted_at is not null as is_deleted
  from pc_prayer_sources
  union all
  select 'pc_iqamah_schedules', id, masjid_id, updated_at, deleted_at is not null from pc_iqamah_schedules
  union all
  -- one line for a masjid: its 400 days were calculated in one go
  select 'pc_calculated_times', masjid_id, masjid_id, changed_at, false from calculation_states where changed_at is not null
  union all
  select 'pc_hijri_authorities', id, null::uuid, updated_at, deleted_at is not null from pc_hijri_authorities
  union all
  select 'pc_hijri_months', id, masjid_id, updated_at, deleted_at is not null from pc_hijri_months
  union all
  -- one line for a timetable: its days were published in one go
  select 'pc_timetables', id, masjid_id, updated_at, false from pc_timetables
  union all
  -- as the table's own policy has it
  select 'pc_iqamah_changes', id, masjid_id, updated_at, false from pc_iqamah_changes
  where masjid_id = any ((select times_masjids())::uuid[])
    or masjid_id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  union all
  select table_name, id, masjid_id, deleted_at, true from deleted_rows where table_name like 'pc\_%'
) lines;

comment on view up_changes is E'@scope masjid:read events:read\n@key table_name, id\nThe latest change of each row of the directory, the events and the announcements, deletions included. To keep a copy: take the cursor of any line, copy the rows, then ask up_changes_since what changed after that cursor.';
comment on view pc_changes is E'@scope prayer-times:read\n@key table_name, id\nThe latest change of each row of the prayer times, deletions included: sources, iqamah rules, timetables (one line for all days of one), announced months and their authorities, calculated times (one line for each masjid), and changes of iqamah for those who may see them. See up_changes for how to keep a copy.';
comment on function up_changes_since is 'Every change of the directory, the events and the announcements after a cursor, each once, in an order in which none is missed. An announcement has a line when it starts and when it ends, too. Keep the cursor of the last line and ask again from there. A line without id stands for many rows, of the masjid or, without masjid_id, of the whole table: read them again. Lines appear when no older transaction is in progress.';
comment on function pc_changes_since is 'Every change of the prayer times after a cursor, as up_changes_since has them: sources, iqamah rules and their changes, timetables and their days, months, calculated times.';
