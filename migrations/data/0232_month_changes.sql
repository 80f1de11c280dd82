-- Up Migration
-- The change feed names announced months and their authorities again, which the timetables had left out. If the view has a cursor
-- already, it stays.

do $do$
declare
  lines constant text := $sql$
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
select table_name, id, masjid_id, deleted_at, true from deleted_rows where table_name like 'pc\_%'$sql$;
begin
  if exists (select from pg_attribute where attrelid = 'pc_changes'::regclass and attname = 'cursor') then
    execute format('create or replace view pc_changes as select lines.*, (select changes.cursor_now()) as cursor from (%s) lines', lines);
  else
    execute 'create or replace view pc_changes as ' || lines;
  end if;
end
$do$;
