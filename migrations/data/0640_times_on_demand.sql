-- Up Migration
-- A directory of the world has a million masjids that nobody looks after. Their days are not stored, unless somebody asked for them
-- lately: whoever asks is answered by the same calculation (pc_times_at).

select add_filled_column('calculation_states', 'is_wanted', 'boolean', 'true');
alter table calculation_states add column asked_on date;
comment on column calculation_states.is_wanted is
  'Whether days are stored: somebody looks after the masjid, or asked for its times lately. While false, nothing is ever due.';
comment on column calculation_states.asked_on is
  'Of a masjid that nobody looks after: the last day on which somebody asked for its times. Null: nobody did, or it is looked after.';
create index calculation_states_asked on calculation_states (asked_on) where asked_on is not null;
create index calculation_states_kept on calculation_states (masjid_id) where is_wanted and asked_on is null;

-- Of a masjid whose days are not stored, nothing becomes due: what has to be read for a change does not grow with them.
create or replace function note_masjid_change() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into calculation_states (masjid_id) values (new.id)
  on conflict (masjid_id) do update set revision = calculation_states.revision + 1, touched_at = now()
    where calculation_states.is_wanted;
  return null;
end
$$;

create or replace function note_hijri_change() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update calculation_states state set revision = state.revision + 1, touched_at = now()
  from up_masjids masjid
  where masjid.id = state.masjid_id and state.is_wanted and (
    masjid.id in (old.masjid_id, new.masjid_id) or masjid.hijri_authority_id in (old.authority_id, new.authority_id));
  return null;
end
$$;

-- Another revision than the one that a run of the job has read: what it is about to store, it leaves.
create function drop_days(masjid_ids uuid[]) returns integer
language sql set search_path from current
begin atomic;
  with dropped as (
    update calculation_states set is_wanted = false, asked_on = null, revision = revision + 1, filled_revision = revision + 1,
      filled_until = null, near_revision = null, near_until = null, engine_version = null
    where masjid_id = any (masjid_ids)
    returning masjid_id
  ), removed as (
    delete from pc_calculated_times day using dropped where day.masjid_id = dropped.masjid_id
  )
  select count(*)::integer from dropped;
end;
comment on function drop_days is 'Removes the stored days of masjids until somebody asks for them. Returns how many masjids there were.';

create function looked_after(masjid_ids uuid[]) returns setof uuid
language sql stable set search_path from current
begin atomic;
  select id from up_masjids where id = any (masjid_ids) and verification = 'verified'
  union select masjid_id from ua_capabilities where masjid_id = any (masjid_ids)
  union select masjid_id from ua_members where masjid_id = any (masjid_ids)
  union select masjid_id from ua_campaigns where masjid_id = any (masjid_ids)
  union select masjid_id from up_events where masjid_id = any (masjid_ids)
  union select masjid_id from up_announcements where masjid_id = any (masjid_ids)
  union select masjid_id from pc_iqamah_schedules where masjid_id = any (masjid_ids)
  union select masjid_id from pc_iqamah_changes where masjid_id = any (masjid_ids)
  union select masjid_id from pc_prayer_sources where masjid_id = any (masjid_ids)
  union select masjid_id from pc_timetables where masjid_id = any (masjid_ids)
  union select masjid_id from timetable_drafts where masjid_id = any (masjid_ids)
  union select masjid_id from pc_hijri_months where masjid_id = any (masjid_ids);
end;
comment on function looked_after is
  'Of some masjids those that are verified, or have staff, members, or anything of their own that somebody entered.';

-- For an import of a directory, in the transaction that inserts the masjids.
create function times_on_demand(masjid_ids uuid[]) returns integer
language sql set search_path from current
begin atomic;
  select drop_days(array(select unnest(masjid_ids) except select looked_after(masjid_ids)));
end;
comment on function times_on_demand is
  'Leaves the days of masjids to be calculated when somebody asks for them, except of those that somebody looks after. Returns how many there are.';

-- Once somebody looks after a masjid, its days are stored as those of any other.
create function store_days(masjid_ids uuid[]) returns void
language sql set search_path from current
begin atomic;
  update calculation_states set is_wanted = true, asked_on = null,
    filled_revision = case when is_wanted then filled_revision end, touched_at = case when is_wanted then touched_at else now() end
  where masjid_id = any (masjid_ids) and (not is_wanted or asked_on is not null);
end;
comment on function store_days is 'Has the days of masjids stored from now on, because somebody looks after them.';

create function note_looked_after() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform store_days(array(select distinct masjid_id from entered));
  return null;
end
$$;
comment on function note_looked_after is 'Has the days of masjids stored for which somebody entered something.';

do $$
declare
  name text;
begin
  foreach name in array array['ua_capabilities', 'ua_members', 'ua_campaigns', 'up_events', 'up_announcements', 'pc_iqamah_schedules',
    'pc_iqamah_changes', 'pc_prayer_sources', 'pc_timetables', 'timetable_drafts', 'pc_hijri_months'] loop
    execute format('create trigger note_looked_after after insert on %I referencing new table as entered '
      'for each statement execute function note_looked_after()', name);
  end loop;
end
$$;

create function note_verified() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform store_days(array[new.id]);
  return null;
end
$$;
comment on function note_verified is 'Has the days of a masjid stored that was verified.';
create trigger note_verified after update of verification on up_masjids for each row
  when (new.verification = 'verified' and old.verification <> 'verified') execute function note_verified();

-- Strangers can ask for any masjid. However many they ask for, only so many are stored in a minute, and so many in all; the others are
-- calculated whenever they are asked for.
create function ask_for_days(masjid_ids uuid[], today date, most_a_minute integer, most integer) returns boolean
language plpgsql set search_path from current as $$
declare
  room integer;
begin
  update calculation_states set asked_on = today where masjid_id = any (masjid_ids) and asked_on < today;
  if not exists (select from calculation_states where masjid_id = any (masjid_ids) and not is_wanted) then
    return true;
  end if;
  perform pg_advisory_xact_lock(6206640);
  select least(most - count(*), most_a_minute - count(*) filter (where touched_at > now() - interval '1 minute')) into room
  from calculation_states where asked_on is not null;
  update calculation_states set is_wanted = true, asked_on = today, filled_revision = null, touched_at = now()
  where masjid_id in (
    select state.masjid_id from unnest(masjid_ids) with ordinality given(id, place)
    join calculation_states state on state.masjid_id = given.id
    where not state.is_wanted order by given.place limit greatest(room, 0) for update of state skip locked);
  return not exists (select from calculation_states where masjid_id = any (masjid_ids) and not is_wanted);
end
$$;
comment on function ask_for_days is
  'Notes that somebody asked for the times of masjids on a day, and has days stored of those that nobody looks after, as far as there is room. Returns whether there was room for all.';

-- A few at a time: each has hundreds of days.
create function forget_asked_days(asked_before date) returns integer
language sql set search_path from current
begin atomic;
  select drop_days(array(
    select masjid_id from calculation_states where asked_on < asked_before order by asked_on limit 50 for update skip locked));
end;
comment on function forget_asked_days is
  'Removes the stored days of some masjids that nobody asked for since a day. Returns how many there were; 0: that is all.';

revoke execute on function drop_days, looked_after, times_on_demand, store_days, ask_for_days, forget_asked_days from public;

create function up_masjids_has_stored_times(masjid up_masjids) returns boolean
language sql stable parallel safe security definer set search_path from current
begin atomic;
  select coalesce((select greatest(state.filled_until, state.near_until) is not null from calculation_states state
    where state.masjid_id = (masjid).id), false);
end;
comment on function up_masjids_has_stored_times is E'@computed has_stored_times\n@reads calculation_states\nWhether the tables of prayer times have rows of the masjid. They have none of a masjid that nobody looks after until somebody asks for its times; pc_times_at calculates them meanwhile.';

-- Rows without a state come from restores and copies that leave triggers out. To find them takes a scan, which is needed only after rows
-- were inserted: PostgreSQL counts them.
create table adopted_rows (
  relation text primary key,
  inserted text not null
);
comment on table adopted_rows is E'@hidden\n@made_of\nOf tables whose rows have states: what they had when rows without one were last looked for. Not part of the API.';
comment on column adopted_rows.relation is 'The table.';
comment on column adopted_rows.inserted is 'What inserted_rows said of it.';

create function inserted_rows(target regclass) returns text
language sql volatile
begin atomic;
  select case when current_setting('track_counts')::boolean then concat_ws(' ', (select oid from pg_database where datname = current_database()),
    target::oid, pg_relation_filenode(target), pg_stat_get_tuples_inserted(target), pg_stat_get_db_stat_reset_time(
      (select oid from pg_database where datname = current_database()))) end;
end;
comment on function inserted_rows is
  'Says something else whenever rows were inserted into a table, some seconds later at most; null if that is not known.';
revoke execute on function inserted_rows from public;

select pin_search_paths();
