-- Up Migration
-- What changed since a cursor: exact, out of the change log. up_changes and pc_changes show where to begin.

-- In the log's own schema, where the reader may be given a view without its being exposed. Whether a row is gone is looked up when
-- the line is read: whoever reads it is about to fetch the row. By a scalar subquery, as PostgreSQL might hash a whole table for EXISTS. A line without id stands for many rows: of the masjid, or of all.
do $do$
declare
  schema constant text := current_schema();
  reader constant text := case schema when 'sandbox' then 'minaret_sandbox' else 'minaret_reader' end;
begin
  execute format($sql$
    create view changes.%1$s_up_lines as
    select log.xid, log.id as number, substr(log.table_name, %2$s) as table_name, log.masjid_id, log.at as changed_at,
      (log.key ->> 'id')::uuid as id,
      log.key is not null and case log.table_name
        when '%1$s.up_entities' then (select true from %1$I.up_entities where id = (log.key ->> 'id')::uuid and deleted_at is null)
        when '%1$s.up_masjids' then (select true from %1$I.up_masjids where id = (log.key ->> 'id')::uuid and deleted_at is null)
        when '%1$s.up_events' then (select true from %1$I.up_events where id = (log.key ->> 'id')::uuid and deleted_at is null)
        else (select true from %1$I.up_event_occurrences where id = (log.key ->> 'id')::uuid and deleted_at is null)
      end is null as is_deleted
    from changes.log
    where log.table_name in ('%1$s.up_entities', '%1$s.up_masjids', '%1$s.up_events', '%1$s.up_event_occurrences')$sql$,
    schema, length(schema) + 2);
  execute format($sql$
    create view changes.%1$s_pc_lines as
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
        else true
      end is null as is_deleted
    from changes.log
    where log.table_name in ('%1$s.pc_prayer_sources', '%1$s.pc_iqamah_schedules', '%1$s.pc_calculated_times',
      '%1$s.pc_hijri_authorities', '%1$s.pc_hijri_months')$sql$, schema, length(schema) + 2);
  execute format('grant select on changes.%1$s_up_lines, changes.%1$s_pc_lines to %2$s', schema, reader);
end
$do$;

-- The former columns stay; the cursor is the same in every line.
do $do$
declare
  name text;
begin
  foreach name in array array['up_changes', 'pc_changes'] loop
    execute format('create or replace view %I as select lines.*, (select changes.cursor_now()) as cursor from (%s) lines',
      name, rtrim(pg_get_viewdef(name::regclass), ';'));
    execute format('comment on column %I.cursor is %L', name,
      format('Where %s_since goes on from here. The same in every line that is read at once; in %s_since, the place after the line.', name, name));
  end loop;
end
$do$;
comment on view up_changes is E'@scope masjid:read events:read\n@key table_name, id\nThe latest change of each row of the directory and the events, deletions included. To keep a copy: take the cursor of any line, copy the rows, then ask up_changes_since what changed after that cursor.';
comment on view pc_changes is E'@scope prayer-times:read\n@key table_name, id\nThe latest change of each row of the prayer times, deletions included: sources, iqamah rules, announced months and their authorities, and calculated times (one line for each masjid). See up_changes for how to keep a copy.';

-- Plain SQL functions that PostgreSQL merges into the query: a filter reaches the log, and reading ends with the page.
do $do$
declare
  name text;
begin
  foreach name in array array['up', 'pc'] loop
    execute format($sql$
      create function %1$s_changes_since(cursor text) returns setof %1$s_changes
      language sql stable
      begin atomic;
        select line.table_name, line.id, line.masjid_id, line.changed_at, line.is_deleted, changes.cursor_at(line.xid, line.number)
        from changes.%2$s_%1$s_lines line
        where line.xid >= (select xid from changes.position_of($1))
          and (line.xid > (select xid from changes.position_of($1)) or line.number > (select number from changes.position_of($1)))
          and line.xid < (select pg_snapshot_xmin(pg_current_snapshot()))
        order by line.xid, line.number;
      end$sql$, name, current_schema());
  end loop;
end
$do$;
comment on function up_changes_since is 'Every change of the directory and the events after a cursor, each once, in an order in which none is missed. Keep the cursor of the last line and ask again from there. A line without id stands for many rows, of the masjid or, without masjid_id, of the whole table: read them again. Lines appear when no older transaction is in progress.';
comment on function pc_changes_since is 'Every change of the prayer times after a cursor, as up_changes_since has them.';
