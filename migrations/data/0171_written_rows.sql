-- Up Migration
-- Who wrote what: one row for each row that was inserted, changed or deleted in a table that is open to writing, by whatever
-- client, in the same transaction. Values of personal columns are left out; that they changed is kept.
--
-- Comments decide what is kept. Of a table:
--   @capability events   the capability that covers it, to record whether the writer held it
-- Of a column:
--   @personal            its value is left out; in a table with @personal only keys, other uuids, enums and booleans are kept
--   @calculated          it follows from other rows: a change of nothing else is no change
-- Columns with @hidden are named without their value; created_at, updated_at, generated columns and @version are left out entirely.

create sequence written_rows_id;
create table written_rows (
  at timestamptz not null default now(),
  id bigint not null default nextval('written_rows_id'),
  table_name text not null,
  record_key text,
  masjid_id uuid,
  kind text not null check (kind in ('insert', 'update', 'delete', 'restore')),
  changed_columns text[] not null,
  old_values jsonb,
  new_values jsonb,
  user_id uuid,
  app_id uuid,
  request_id text,
  authority text not null check (authority in ('capability', 'themselves', 'own-app', 'all-masjids', 'administrator', 'database')),
  capability ua_capability,
  database_user text not null,
  primary key (at, id)
) partition by range (at);
alter sequence written_rows_id owned by written_rows.id;
create table written_rows_default partition of written_rows default;
create index on written_rows (table_name, record_key, id);
create index on written_rows (masjid_id, at);
create index on written_rows (user_id, at) where user_id is not null;

comment on table written_rows is E'@hidden\nThe audit trail of writing: one row for each written row. It can only grow; whole months are removed by dropping their partition.';
comment on column written_rows.at is 'When the transaction that wrote began.';
comment on column written_rows.id is 'The order of writing.';
comment on column written_rows.table_name is 'The table that was written, without its schema.';
comment on column written_rows.record_key is 'The primary key of the written row; a JSON array if it has several columns.';
comment on column written_rows.masjid_id is 'The masjid the written row belongs to (after the change); null if it belongs to none.';
comment on column written_rows.kind is 'insert, update, delete (also when the row was only marked as deleted) or restore (when such a mark was taken back).';
comment on column written_rows.changed_columns is 'The columns that changed, personal ones included; for an insert or a delete all of them.';
comment on column written_rows.old_values is 'The values of these columns before, without personal ones; null for an insert.';
comment on column written_rows.new_values is 'Their values after, without personal ones; null for a delete.';
comment on column written_rows.user_id is 'The account on whose behalf it was written; null: an app by itself, or plain SQL.';
comment on column written_rows.app_id is 'The app it was written through; null for plain SQL.';
comment on column written_rows.request_id is 'The request, as it stands in the logs; null for plain SQL.';
comment on column written_rows.authority is 'By what right: capability (a person who held one at the masjid), themselves (a person about their own rows), own-app (the masjid''s own app), all-masjids (an app given all masjids as its own), administrator (of the service), database (plain SQL).';
comment on column written_rows.capability is 'The capability that the person held at the masjid, if that was the right.';
comment on column written_rows.database_user is 'The role that was signed in to the database.';

alter table written_rows enable row level security;
alter table written_rows_default enable row level security;

create function refuse_rewriting() returns trigger
language plpgsql set search_path from current as $$
begin
  raise exception 'The audit trail can only grow.' using errcode = 'insufficient_privilege';
end
$$;
comment on function refuse_rewriting is 'Refuses to change or remove rows of the audit trail, whoever asks.';
create trigger refuse_rewriting before update or delete on written_rows for each row execute function refuse_rewriting();
create trigger refuse_truncation before truncate on written_rows for each statement execute function refuse_rewriting();
create trigger refuse_truncation before truncate on written_rows_default for each statement execute function refuse_rewriting();

-- Attached, not created in place: writers go on meanwhile. A month that already has rows in the default partition stays there.
create function open_months_of_writing() returns integer
language plpgsql set search_path from current as $$
declare
  month date;
  name text;
  opened integer := 0;
begin
  perform set_config('lock_timeout', '2s', true);
  for month in select generate_series(date_trunc('month', now()), now() + interval '3 months', interval '1 month')::date loop
    name := 'written_rows_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(format('%I.%I', current_schema(), name)) is not null;
    continue when exists (select from written_rows_default where at >= month and at < month + interval '1 month');
    execute format('create table %I (like written_rows including all)', name);
    execute format('alter table %I enable row level security', name);
    execute format('create trigger refuse_truncation before truncate on %I for each statement execute function refuse_rewriting()', name);
    execute format('alter table written_rows attach partition %I for values from (%L) to (%L)', name,
      month::timestamp at time zone 'UTC', (month + interval '1 month')::timestamp at time zone 'UTC');
    opened := opened + 1;
  end loop;
  return opened;
end
$$;
comment on function open_months_of_writing is 'Makes the partitions of the audit trail for this month and the next three, and says how many were missing.';

create function changed_values(before jsonb, after jsonb, private text[],
  out columns text[], out old_values jsonb, out new_values jsonb)
language sql immutable parallel safe
begin atomic;
  select array_agg(was.key), coalesce(jsonb_object_agg(was.key, was.value) filter (where was.key <> all (private)), '{}'),
    coalesce(jsonb_object_agg(was.key, after -> was.key) filter (where was.key <> all (private)), '{}')
  from jsonb_each(before) was where was.value is distinct from after -> was.key;
end;
comment on function changed_values is 'The columns in which two versions of a row differ, and their values unless they are private.';

create function key_of(document jsonb, key text[]) returns text
language sql immutable parallel safe
begin atomic;
  select case cardinality(key) when 0 then null when 1 then document ->> key[1]
    else (select jsonb_agg(document -> name order by place)::text from unnest(key) with ordinality part (name, place)) end;
end;
comment on function key_of is 'The primary key of a row as one text.';

-- By statement, not by row: a bulk load is noted in one go, and a row of the API's writing is a statement of its own anyway.
-- Arguments: key, masjid column, columns without values, columns left out, soft-delete column, capability.
create function note_writing() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  key constant text[] := tg_argv[0];
  masjid constant text := tg_argv[1];
  private constant text[] := tg_argv[2];
  left_out constant text[] := tg_argv[3];
  soft_delete constant text := tg_argv[4];
  needed constant ua_capability := nullif(tg_argv[5], '');
  by_user constant uuid := asking_user();
  held constant uuid[] := case when by_user is null or needed is null then '{}' else look_up_writing_masjids(needed) end;
  standing constant text := case
    when by_user is not null then case when is_service_admin() then 'administrator' else 'themselves' end
    when coalesce(current_setting('minaret.app_id', true), '') = '' then 'database'
    when writing_all() is not null then 'all-masjids' else 'own-app' end;
begin
  if tg_op = 'INSERT' then
    insert into written_rows (table_name, record_key, masjid_id, kind, changed_columns, new_values, user_id, app_id, request_id,
      authority, capability, database_user)
    select tg_table_name, key_of(document, key), at_masjid, 'insert', array(select jsonb_object_keys(document - left_out)),
      document - left_out - private, by_user, nullif(current_setting('minaret.app_id', true), '')::uuid,
      nullif(current_setting('minaret.request_id', true), ''),
      case when at_masjid = any (held) then 'capability' else standing end,
      case when at_masjid = any (held) then needed end, session_user
    from (select to_jsonb(written) as document from after_change written) row_written
    cross join lateral (select (document ->> masjid)::uuid as at_masjid) place;
  elsif tg_op = 'DELETE' then
    insert into written_rows (table_name, record_key, masjid_id, kind, changed_columns, old_values, user_id, app_id, request_id,
      authority, capability, database_user)
    select tg_table_name, key_of(document, key), at_masjid, 'delete', array(select jsonb_object_keys(document - left_out)),
      document - left_out - private, by_user, nullif(current_setting('minaret.app_id', true), '')::uuid,
      nullif(current_setting('minaret.request_id', true), ''),
      case when at_masjid = any (held) then 'capability' else standing end,
      case when at_masjid = any (held) then needed end, session_user
    from (select to_jsonb(written) as document from before_change written) row_written
    cross join lateral (select (document ->> masjid)::uuid as at_masjid) place;
  else
    insert into written_rows (table_name, record_key, masjid_id, kind, changed_columns, old_values, new_values, user_id, app_id,
      request_id, authority, capability, database_user)
    select tg_table_name, key_of(after, key), at_masjid,
      case when old_values -> soft_delete = 'null' then 'delete' when new_values -> soft_delete = 'null' then 'restore'
        else 'update' end,
      columns, old_values, new_values, by_user, nullif(current_setting('minaret.app_id', true), '')::uuid,
      nullif(current_setting('minaret.request_id', true), ''),
      case when at_masjid = any (held) then 'capability' else standing end,
      case when at_masjid = any (held) then needed end, session_user
    -- the two sides of a changed row stand in the same place
    from (select to_jsonb(written) as before, row_number() over () as place from before_change written) old_row
    join (select to_jsonb(written) as after, row_number() over () as place from after_change written) new_row using (place)
    cross join lateral changed_values(before - left_out, after - left_out, private) difference
    cross join lateral (select (after ->> masjid)::uuid as at_masjid) masjid_after
    where columns is not null;
  end if;
  return null;
end
$$;
comment on function note_writing is 'Writes the rows that a statement wrote to the audit trail.';

create function has_annotation(comment text, name text) returns boolean
language sql immutable parallel safe
begin atomic;
  select coalesce(comment ~ ('^(@[^\n]*\n)*@' || name || '([ \n]|$)'), false);
end;
comment on function has_annotation is 'Whether a comment has an annotation among its first lines.';

create function writing_arguments(target regclass) returns text[]
language plpgsql stable set search_path from current as $$
declare
  about constant text := obj_description(target, 'pg_class');
  soft_delete constant text := coalesce((regexp_match(about, '(?:^|\n)@soft_delete[ ]+([a-z0-9_]+)'))[1], '');
  key constant text[] := array(
    select attname::text from pg_index index, unnest(index.indkey) with ordinality part (number, place)
    join pg_attribute on attrelid = target and attnum = part.number
    where index.indrelid = target and index.indisprimary order by part.place);
  private text[];
  left_out text[];
  masjid text;
begin
  select coalesce(array_agg(attname::text order by attname) filter (where is_left_out), '{}'),
    coalesce(array_agg(attname::text order by attname) filter (where not is_left_out and is_private), '{}'),
    max(attname::text) filter (where atttypid = 'uuid'::regtype
      and attname = case when target = to_regclass('up_masjids') then 'id' else 'masjid_id' end)
  into left_out, private, masjid
  from (
    select attname, atttypid, attgenerated <> '' or attname in ('created_at', 'updated_at') or has_annotation(said, 'version')
        or has_annotation(said, 'calculated') as is_left_out,
      attname <> soft_delete and (has_annotation(said, 'personal') or has_annotation(said, 'hidden')
        or has_annotation(about, 'personal') and attname <> all (key) and atttypid <> all (array['uuid', 'boolean']::regtype[])
          and typtype <> 'e') as is_private
    from pg_attribute
    join pg_type on pg_type.oid = atttypid
    cross join lateral (select col_description(target, attnum) as said) comment
    where attrelid = target and attnum > 0 and not attisdropped
  ) stored;
  return array[key::text, coalesce(masjid, ''), private::text, left_out::text, soft_delete,
    coalesce((regexp_match(about, '(?:^|\n)@capability[ ]+([a-z]+)'))[1], '')];
end
$$;
comment on function writing_arguments is 'What note_writing needs to know about a table, from its structure and its comments.';

-- Not in the sandbox: what is written there is never kept.
create function watch_writes(target regclass) returns boolean
language plpgsql set search_path from current as $$
declare
  arguments text;
  operation text;
  tables text;
begin
  if current_schema() = 'sandbox' then
    return false;
  end if;
  select string_agg(quote_literal(argument), ', ' order by place) into arguments
  from unnest(writing_arguments(target)) with ordinality said (argument, place);
  if (select count(*) = 3 from pg_trigger where tgrelid = target and tgfoid = 'note_writing'::regproc
      and pg_get_triggerdef(oid) like '%note_writing(' || replace(arguments, '%', '\%') || ')') then
    return false;
  end if;
  for operation, tables in values ('insert', 'new table as after_change'), ('delete', 'old table as before_change'),
    ('update', 'old table as before_change new table as after_change') loop
    execute format('drop trigger if exists %I on %s', 'note_' || operation, target);
    execute format('create trigger %I after %s on %s referencing %s for each statement execute function note_writing(%s)',
      'note_' || operation, operation, target, tables, arguments);
  end loop;
  return true;
end
$$;
comment on function watch_writes is 'Has the writing of a table noted in the audit trail, as its comments say now; true if that was not so before.';

create function record_history(record_table text, key text, masjid uuid, newest integer) returns jsonb
language sql stable
begin atomic;
  select coalesce(jsonb_agg(jsonb_build_object('at', at, 'kind', kind, 'columns', changed_columns, 'old', old_values,
      'new', new_values, 'user_id', case when may_know then user_id end, 'app_id', case when may_know then app_id end,
      'capability', case when may_know then capability end) order by id desc), '[]')
  from (
    select * from written_rows where table_name = record_table and record_key = key
    order by id desc limit least(greatest(newest, 0), 100)
  ) written
  cross join (select masjid = any (masjids_in_full()) or all_in_full() is not null or is_service_admin() as may_know) reader;
end;
comment on function record_history is
  'The newest changes of a row, newest first; who made them is told only to those who see the masjid in full.';

-- Not for tables that others add: a function of a table's row type would keep them from dropping the table.
create function show_history(target regclass) returns void
language plpgsql set search_path from current as $$
declare
  name constant text := (select relname from pg_class where oid = target);
  masjid constant text := (writing_arguments(target))[2];
begin
  execute format($make$
    create or replace function %I(record %s, newest integer default 20) returns jsonb language sql stable security definer
    begin atomic;
      select record_history(%L, (record).id::text, %s, newest);
    end $make$, name || '_history', target, name, case masjid when '' then 'null::uuid' else format('(record).%I', masjid) end);
  execute format('comment on function %I is %L', name || '_history', E'@computed history\nWhat was changed in this row, newest first: a list of {at, kind, columns, old, new}. Values of personal columns are left out. Who did it (user_id, app_id, capability) is told to those who see the masjid in full. At most 100 changes; the newest 20 unless told otherwise.');
end
$$;
comment on function show_history is 'Gives the rows of a table the field "history".';

create or replace function pin_search_paths() returns void
language plpgsql set search_path from current as $$
declare
  pinned regprocedure;
begin
  for pinned in
    select oid from pg_proc
    where pronamespace = current_schema()::regnamespace and prosecdef and prosqlbody is null
  loop
    execute format('alter function %s set search_path = %I, extensions, pg_temp', pinned, current_schema());
  end loop;
  -- Triggers fire without this right; it is for those who would put the function on a table of their own.
  for pinned in
    select oid from pg_proc where pronamespace = current_schema()::regnamespace and prorettype = 'trigger'::regtype
  loop
    execute format('revoke execute on function %s from public', pinned);
  end loop;
end
$$;
comment on function pin_search_paths is
  'Has functions that run with the owner''s rights look for tables in our schemas first, and keeps trigger functions from being put on other tables. To be called by each migration that creates one.';
select pin_search_paths();
revoke execute on function record_history from public;
select open_months_of_writing();
