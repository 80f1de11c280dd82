-- Up Migration
-- The history of a row is for those who see its masjid in full: it has what an announcement said before it was public, and the
-- telephone number that was taken away. A table says otherwise in its comment, and is refused where that would tell too much:
--   @history public             everybody who sees a row sees its history; for tables of which everybody sees every row
--   @history public function    the same where rows may be planned or hidden: function(row, moment) says whether the row, as it was
--                               after a change, was for everybody at that moment
-- Even then others than those who see the masjid in full are not told what a row said while it was deleted, nor the columns with
--   @contact                    how somebody is reached, or who they are: gone from the history when it is gone from the row

create function sees_in_full(masjid uuid) returns boolean
language sql stable parallel safe
begin atomic;
  select coalesce(masjid = any (masjids_in_full()), false) or all_in_full() is not null or is_service_admin();
end;
comment on function sees_in_full is 'Whether the one who asks sees everything of a masjid; null: of what belongs to none.';

create or replace function record_history(record_table text, key text, masjid uuid, newest integer) returns jsonb
language sql stable
begin atomic;
  select coalesce(jsonb_agg(jsonb_build_object('at', at, 'kind', kind, 'columns', changed_columns, 'old', old_values,
      'new', new_values, 'user_id', user_id, 'app_id', app_id, 'capability', capability) order by id desc), '[]')
  from (
    select * from written_rows
    where hashtextextended(record_key, 0) = hashtextextended(key, 0) and table_name = record_table and record_key = key
      and (select sees_in_full(masjid))
    order by id desc limit least(greatest(newest, 0), 100)
  ) written;
end;
comment on function record_history is 'The newest changes of a row, newest first, and who made them: for those who see the masjid in full, for others none.';

-- From the row as it is, backwards: what it was before and after each of its changes.
create function record_states(record_table text, key text, present jsonb)
returns table (place bigint, at timestamptz, kind text, columns text[], old_values jsonb, new_values jsonb, before jsonb, after jsonb)
language sql stable
begin atomic;
  with recursive written as (
    select row_number() over (order by id desc) as place, newest.* from (
      select * from written_rows
      where hashtextextended(record_key, 0) = hashtextextended(key, 0) and table_name = record_table and record_key = key
      order by id desc limit 100
    ) newest
  ), walked as (
    select 0::bigint as place, present as before, null::jsonb as after
    union all
    select written.place,
      case when written.kind = 'insert' then null
        when written.new_values is null then written.old_values else walked.before || written.old_values end,
      case when written.new_values is null then null else walked.before end
    from walked join written on written.place = walked.place + 1
  )
  select written.place, written.at, written.kind, written.changed_columns, written.old_values, written.new_values, walked.before,
    walked.after
  from walked join written using (place);
end;
comment on function record_states is 'The newest changes of a row, with the whole row before and after each of them, without what the audit trail leaves out.';

create function without_columns(names text[], without text[]) returns text[]
language sql immutable parallel safe
begin atomic;
  select coalesce(array_agg(name order by place), '{}') from unnest(names) with ordinality named (name, place)
  where name <> all (without);
end;
comment on function without_columns is 'A list of columns without some of them, in the same order.';

create function public_history_condition(target regclass, state text, moment text) returns text
language plpgsql stable set search_path from current as $$
declare
  about constant text := obj_description(target, 'pg_class');
  said constant text[] := regexp_match(about, '(?:^|\n)@history public(?:[ ]+([a-z0-9_]+))?[ ]*(?:\n|$)');
  soft_delete constant text := (writing_arguments(target))[5];
begin
  if said is null then
    return 'false';
  end if;
  if has_annotation(about, 'personal') then
    raise exception 'The history of % cannot be public: its rows are about people.', target;
  end if;
  if said[1] is null and exists (select from pg_policy where polrelid = target and polcmd in ('r', '*')
      and pg_get_expr(polqual, polrelid) <> 'true') then
    raise exception 'The history of % cannot be public as it is: not everybody sees every row. Name a function that says whether a row was for everybody: @history public FUNCTION.', target;
  end if;
  return format('%s is not null', state)
    || case soft_delete when '' then '' else format(' and (%s ->> %L) is null', state, soft_delete) end
    || case when said[1] is null then ''
      else format(' and coalesce(%I(jsonb_populate_record(null::%s, %s), %s), false)', said[1], target, state, moment) end;
end
$$;
comment on function public_history_condition is 'The condition in SQL by which a state of a row of the table was for everybody at a moment.';

-- Not for tables that others add: a function of a table's row type would keep them from dropping the table.
create or replace function show_history(target regclass) returns void
language plpgsql set search_path from current as $$
declare
  name constant text := (select relname from pg_class where oid = target);
  masjid constant text := (writing_arguments(target))[2];
  contact constant text[] := array(select attname::text from pg_attribute
    where attrelid = target and attnum > 0 and not attisdropped and has_annotation(col_description(target, attnum), 'contact'));
  is_public constant boolean := public_history_condition(target, 'state', 'at') <> 'false';
begin
  execute format($make$
    create or replace function %1$I(record %2$s, newest integer default 20) returns jsonb language sql stable security definer
    begin atomic;
      select case when %7$L::boolean and not sees_in_full(%3$s) then (
        select coalesce(jsonb_agg(jsonb_build_object('at', at, 'kind', kind, 'columns', told, 'old', old_told, 'new', new_told,
          'user_id', null, 'app_id', null, 'capability', null) order by place), '[]')
        from (
          select *, case when %4$s then old_values - %6$L::text[] end as old_told,
            case when %5$s then new_values - %6$L::text[] end as new_told
          from record_states(%8$L, (record).id::text, to_jsonb(record))
          cross join lateral without_columns(columns, %6$L::text[]) told
          where (%4$s or %5$s) and told <> '{}'
          order by place limit least(greatest(newest, 0), 100)
        ) written
      ) else record_history(%8$L, (record).id::text, %3$s, newest) end;
    end $make$, name || '_history', target, case masjid when '' then 'null::uuid' else format('(record).%I', masjid) end,
    public_history_condition(target, 'before', 'at'), public_history_condition(target, 'after', 'at'), contact, is_public, name);
  execute format('comment on function %I is %L', name || '_history',
    E'@computed history\nWhat was changed in this row, newest first: a list of {at, kind, columns, old, new, user_id, app_id, capability}. Values of personal columns are left out. '
    || case when is_public then 'Those who do not see the masjid in full are not told who did it, what the row said while it was not for everybody, or contact details and names that were removed.'
      else 'For those who see the masjid in full; for others the list is empty.' end
    || ' At most 100 changes; the newest 20 unless told otherwise.');
end
$$;
comment on function show_history is 'Gives the rows of a table the field "history", for those whom the comment of the table says.';

select annotate_column(on_table, name, '@contact') from (values
  ('up_masjids'::regclass, 'phone'), ('up_masjids', 'email'), ('up_masjids', 'website'), ('up_entities', 'website'),
  ('pc_hijri_authorities', 'website'), ('up_events', 'online_url'), ('pc_prayer_sources', 'url'),
  ('pc_iqamah_schedules', 'imam')
) contact (on_table, name);

-- When to pray, and when an event takes place: everybody sees these rows, and they say nothing about anybody.
select annotate_table(target, '@history public')
from unnest('{pc_iqamah_schedules,pc_hijri_months,up_event_occurrences}'::regclass[]) target;

select show_history(target)
from unnest('{up_entities,up_masjids,up_events,up_event_occurrences,up_event_rsvps,ua_campaigns,ua_recurring_donations,ua_households,ua_members,ua_donations,pc_prayer_sources,pc_iqamah_schedules,pc_hijri_authorities,pc_hijri_months,pc_timetables,up_announcements}'::regclass[]) target;
revoke execute on function record_history, record_states from public;
