-- Up Migration
-- Months, timetables and changes of iqamah refuse by the names of their rules.

create or replace function check_month_lengths() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  changed constant integer := new.hijri_year * 12 + new.hijri_month;
  other record;
begin
  if new.deleted_at is not null then
    return null;
  end if;
  -- Two who announce neighbouring months at once must see each other.
  perform pg_advisory_xact_lock(hashtextextended(coalesce(new.authority_id, new.masjid_id)::text, 6206151));
  for other in
    select months, case when months > 0 then starts_on - new.starts_on else new.starts_on - starts_on end as days
    from (
      select (hijri_year * 12 + hijri_month) - changed as months, starts_on from pc_hijri_months
      where deleted_at is null and id <> new.id
        and (authority_id = new.authority_id or masjid_id = new.masjid_id)
        and starts_on between new.starts_on - 400 and new.starts_on + 400
    ) near
    where months <> 0
  loop
    if other.days not between 29 * abs(other.months) and 30 * abs(other.months) then
      perform refuse('pc_hijri_months_length_check',
        'Month {month} of {year} cannot begin on {day}: another announced month begins {months} month(s) {side} it, '
        '{days} day(s) away, and months have 29 or 30 days.',
        jsonb_build_object('month', new.hijri_month, 'year', new.hijri_year, 'day', new.starts_on, 'months', abs(other.months),
          'side', case when other.months > 0 then 'after' else 'before' end, 'days', other.days));
    end if;
  end loop;
  return null;
end
$$;

create or replace function announce_hijri_month(
  hijri_year integer, hijri_month integer, starts_on date, masjid_id uuid default null, authority_id uuid default null
) returns uuid
language plpgsql set search_path from current as $$
#variable_conflict use_column
declare
  announcer constant uuid := coalesce(announce_hijri_month.authority_id, announce_hijri_month.masjid_id);
begin
  if num_nonnulls(announce_hijri_month.masjid_id, announce_hijri_month.authority_id) <> 1 then
    perform refuse('pc_hijri_months_announcer', 'Say who announces: masjid_id or authority_id, one of them.',
      '{}', 'invalid_parameter_value');
  end if;
  -- The lock of check_month_lengths, taken before any row: two transactions that each announce several months cannot deadlock.
  perform pg_advisory_xact_lock(hashtextextended(announcer::text, 6206151));
  -- Said again with the same day, the row stays as it is: a retry is no change.
  if announce_hijri_month.masjid_id is not null then
    insert into pc_hijri_months as known (masjid_id, hijri_year, hijri_month, starts_on, announced_at)
    values (announcer, announce_hijri_month.hijri_year, announce_hijri_month.hijri_month, announce_hijri_month.starts_on,
      clock_timestamp())
    on conflict (masjid_id, hijri_year, hijri_month) where masjid_id is not null and deleted_at is null
    do update set starts_on = excluded.starts_on, announced_at = excluded.announced_at
    where known.starts_on <> excluded.starts_on;
  else
    insert into pc_hijri_months as known (authority_id, hijri_year, hijri_month, starts_on, announced_at)
    values (announcer, announce_hijri_month.hijri_year, announce_hijri_month.hijri_month, announce_hijri_month.starts_on,
      clock_timestamp())
    on conflict (authority_id, hijri_year, hijri_month) where authority_id is not null and deleted_at is null
    do update set starts_on = excluded.starts_on, announced_at = excluded.announced_at
    where known.starts_on <> excluded.starts_on;
  end if;
  return (
    select id from pc_hijri_months known
    where known.deleted_at is null and announcer in (known.masjid_id, known.authority_id)
      and (known.hijri_year, known.hijri_month) = (announce_hijri_month.hijri_year, announce_hijri_month.hijri_month));
end
$$;

create or replace function clear_old_timetables(masjid uuid) returns void
language plpgsql set search_path from current as $$
begin
  delete from pc_timetables
  where masjid_id = masjid and (last_date < current_date - 60 and kind = 'days'
    or state <> 'published' and updated_at < now() - interval '60 days');
  if (select count(*) from pc_timetables where masjid_id = masjid) >= 300 then
    perform refuse('pc_timetables_most_kept', 'At most 300 timetables are kept for a masjid: undo some that are no longer needed.');
  end if;
end
$$;

create or replace function store_timetable(masjid uuid, called text, days jsonb, source uuid) returns pc_timetables
language plpgsql set search_path from current as $$
declare
  stored pc_timetables;
begin
  if jsonb_typeof(days) is distinct from 'array' or jsonb_array_length(days) not between 1 and 5000 then
    perform refuse('pc_timetables_days_list', '"days" is a list of 1 to 5000 objects {date, prayer, session, adhan, iqamah}.');
  end if;
  if source is not null and not exists (
    select from pc_prayer_sources where id = source and masjid_id = masjid and deleted_at is null) then
    perform refuse('pc_timetables_own_source', 'The source of a timetable belongs to the same masjid.');
  end if;
  perform lock_timetables(masjid);
  perform clear_old_timetables(masjid);
  insert into pc_timetables (masjid_id, name, source_id, first_date, last_date, entry_count, published_at, published_by)
  select masjid, called, source, min(date), max(date), count(*), clock_timestamp(), asking_user()
  from jsonb_to_recordset(days) given (date date)
  having coalesce(bool_and(date between current_date - 400 and current_date + 800), false)
  returning * into stored;
  if stored.id is null then
    perform refuse('pc_timetables_days_range', 'The days of a timetable lie between 400 days ago and 800 days from now.');
  end if;
  insert into pc_timetable_days (masjid_id, timetable_id, source_id, date, prayer, session, adhan, iqamah)
  select masjid, stored.id, source, given.date, given.prayer, coalesce(given.session, 1::smallint), given.adhan, given.iqamah
  from jsonb_to_recordset(days) given (date date, prayer pc_prayer, session smallint, adhan time, iqamah time);
  update pc_timetables set state = 'replaced', replaced_by = stored.id
  where source_id = source and state = 'published' and id <> stored.id;
  -- all days there are: what was replaced may reach further
  perform settle_timetable_days(masjid, '-infinity', 'infinity');
  return stored;
exception
  when invalid_datetime_format or datetime_field_overflow or invalid_text_representation or numeric_value_out_of_range
    or invalid_parameter_value then
    perform refuse('pc_timetables_days_form', 'Each day has a date such as 2026-11-16, a prayer, and times such as 05:30: {what}',
      jsonb_build_object('what', sqlerrm));
end
$$;

create or replace function pc_undo_timetable(timetable_id uuid) returns pc_timetables
language plpgsql security definer strict set search_path from current as $$
declare
  target pc_timetables;
begin
  select * into target from pc_timetables where id = $1;
  perform refuse_unless_writing(target.masjid_id, 'times');
  perform lock_timetables(target.masjid_id);
  select * into target from pc_timetables where id = $1;
  if target.state = 'replaced' then
    perform refuse('pc_timetables_newest_first', 'A newer timetable of the same source has replaced this one: undo that one first.');
  elsif target.state = 'undone' then
    return target;
  end if;
  return undo_timetable($1);
end
$$;

create or replace function pc_adopt_timetable_rules(timetable_id uuid, rules jsonb) returns pc_timetables
language plpgsql security definer strict set search_path from current as $$
declare
  source pc_timetables;
begin
  select * into source from pc_timetables where id = $1;
  perform refuse_unless_writing(source.masjid_id, 'times');
  perform lock_timetables(source.masjid_id);
  select * into source from pc_timetables where id = $1;
  if source.state <> 'published' or source.kind <> 'days' then
    perform refuse('pc_timetables_rules_of_days', 'Rules are made of a timetable with days that counts.');
  elsif jsonb_typeof($2) <> 'array' or jsonb_array_length($2) not between 1 and 200 then
    perform refuse('pc_timetables_rules_list', '"rules" is a list of 1 to 200 objects.');
  end if;
  return adopt_rules(source, $2);
exception
  when invalid_datetime_format or datetime_field_overflow or invalid_text_representation or numeric_value_out_of_range
    or invalid_parameter_value or data_exception then
    perform refuse('pc_timetables_rules_form', 'A rule has a form of pc_iqamah_schedules: {what}', jsonb_build_object('what', sqlerrm));
end
$$;

create or replace function check_change(change pc_iqamah_changes) returns void
language plpgsql stable set search_path from current as $$
declare
  zone constant text := (select timezone from up_masjids where id = change.masjid_id and deleted_at is null);
  today constant date := local_time(now(), zone);
begin
  if change.first_on < today then
    perform refuse('pc_iqamah_changes_from_today', 'A change begins today or later: what people prayed by stays as it was.');
  end if;
  if change.first_on > today + 400 or change.last_on > change.first_on + 400 then
    perform refuse('pc_iqamah_changes_within_400_days', 'A change begins within 400 days, and lasts at most 400 days if it ends.');
  end if;
  if change.publish_at <= now() then
    return;
  end if;
  if local_time(change.publish_at, zone)::date > change.first_on then
    perform refuse('pc_iqamah_changes_published_in_time', 'A planned change is published on its first day at the latest.');
  end if;
  if asking_user() is null then
    perform refuse('pc_iqamah_changes_planned_by_people', 'Only people plan changes: their rights are checked again when the time comes.');
  end if;
  if (select count(*) from pc_iqamah_changes where masjid_id = change.masjid_id and status = 'planned') >= 100 then
    perform refuse('pc_iqamah_changes_most_planned', 'At most 100 changes are planned at once.');
  end if;
end
$$;

create or replace function end_before_timetables(change pc_iqamah_changes) returns pc_iqamah_changes
language plpgsql set search_path from current as $$
declare
  begins date;
  days integer;
begin
  if change.last_on is not null or change.replace_timetables is null then
    return change;
  end if;
  select min(first.date), sum(stake.days::integer) into begins, days
  from jsonb_each_text(days_at_stake(change)) stake (timetable_id, days)
  join pc_timetables timetable on timetable.id = stake.timetable_id::uuid
  cross join lateral (
    select min(day.date) as date from pc_timetable_days day
    where day.timetable_id = timetable.id and day.prayer = change.prayer and day.session = change.session
      and day.iqamah is not null) first
  where not change.replace_timetables or timetable.layer > change.layer;
  if begins > first_day_held(change) then
    change.ends_on := begins - 1;
  elsif change.replace_timetables and begins is not null then
    perform refuse('pc_iqamah_changes_newer_timetables', 'Timetables published since have {days} of its days. Nothing was written.',
      jsonb_build_object('days', days));
  elsif begins is not null then
    perform refuse('pc_iqamah_changes_replaces_timetables',
      'This would replace {days} days of published timetables. Nothing was written: give a last day, or say replace_timetables.',
      jsonb_build_object('days', days));
  end if;
  return change;
end
$$;

create or replace function restore_rule(step jsonb) returns void
language plpgsql set search_path from current as $$
begin
  update pc_iqamah_schedules set valid = (step ->> 'valid')::daterange,
    deleted_at = case when (step ->> 'deleted')::boolean then now() end
  where id = (step ->> 'id')::uuid and digest_of_rule(id) = step ->> 'left';
  if not found then
    perform refuse('pc_iqamah_changes_latest_first',
      'The rules of this prayer were changed since. Take back the later change first, or make a new one.');
  end if;
end
$$;

create or replace function pc_cancel_iqamah_change(change_id uuid) returns pc_iqamah_changes
language plpgsql security definer strict set search_path from current as $$
declare
  change pc_iqamah_changes;
begin
  select * into change from pc_iqamah_changes where id = $1 for update;
  perform refuse_unless_writing(change.masjid_id, 'times');
  if change.status <> 'planned' then
    perform refuse('pc_iqamah_changes_planned', 'Only a planned change can be called off.');
  end if;
  update pc_iqamah_changes set status = 'cancelled', ended_at = now() where id = $1 returning * into change;
  return change;
end
$$;

create or replace function pc_change_iqamah(
  masjid_id uuid, prayer pc_prayer, first_on date, last_on date default null, session integer default 1,
  rule pc_iqamah_rule default null, fixed_time time default null, offset_minutes integer default null,
  round_to integer default null, not_before time default null, not_after time default null, label text default null,
  khutbah_minutes integer default null, imam text default null, language text default null,
  replaces_all boolean default false, publish_at timestamptz default null, expected_rules jsonb default null,
  replace_timetables boolean default null, expected_timetables jsonb default null
) returns pc_iqamah_changes
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
  change pc_iqamah_changes;
begin
  if $1 is null or $2 is null or $3 is null then
    perform refuse('pc_iqamah_changes_named', 'A change names the masjid, the prayer and the first day.');
  end if;
  perform refuse_unless_writing($1, 'times');
  perform lock_iqamah_rules($1);
  if $18 is not null and $18 <> (
    select coalesce(jsonb_object_agg(known.id, known.version), '{}') from pc_iqamah_schedules known
    where known.masjid_id = $1 and known.prayer = $2 and known.session = $5 and known.deleted_at is null) then
    perform refuse('pc_iqamah_changes_expected_rules', 'Somebody else has changed this prayer since. Nothing was written.');
  end if;
  if $17 <= now() - interval '1 minute' then
    perform refuse('pc_iqamah_changes_publish_at_ahead', 'A planned change has its time in the future.');
  end if;
  insert into pc_iqamah_changes (masjid_id, prayer, first_on, last_on, session, rule, fixed_time, offset_minutes, round_to,
    not_before, not_after, label, khutbah_minutes, imam, language, replaces_all, publish_at, status, made_by, replace_timetables, layer)
  values ($1, $2, $3, $4, coalesce($5, 1), $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, coalesce($16, false), coalesce($17, now()),
    'planned', asking_user(), $19, nextval('timetable_layers'))
  returning * into change;
  perform check_change(change);
  change := case when change.publish_at > now() then plan_change(change) else publish_change(change) end;
  if $20 <> change.replaced_timetables then
    perform refuse('pc_iqamah_changes_expected_timetables',
      'Somebody else has published or undone a timetable since. Nothing was written.');
  end if;
  return change;
end
$$;

create or replace function pc_undo_iqamah_change(change_id uuid) returns pc_iqamah_changes
language plpgsql security definer strict set search_path from current as $$
declare
  change pc_iqamah_changes;
  step jsonb;
begin
  select * into change from pc_iqamah_changes where id = $1;
  perform refuse_unless_writing(change.masjid_id, 'times');
  perform lock_iqamah_rules(change.masjid_id);
  select * into change from pc_iqamah_changes where id = $1 for update;
  if change.status <> 'published' then
    perform refuse('pc_iqamah_changes_published', 'Only a published change can be taken back.');
  end if;
  for step in select value from jsonb_array_elements(change.steps) with ordinality as listed (value, place) order by place desc loop
    perform restore_rule(step);
  end loop;
  update pc_iqamah_changes set status = 'undone', ended_at = now() where id = $1 returning * into change;
  return change;
end
$$;

create or replace function run_planned_changes(most integer default 10) returns integer
language plpgsql set search_path from current as $$
declare
  change pc_iqamah_changes;
  ran integer := 0;
begin
  for change in
    select * from pc_iqamah_changes where status = 'planned' and publish_at <= now()
    order by publish_at, id limit most for update skip locked
  loop
    ran := ran + 1;
    perform set_config('minaret.user_id', coalesce(change.made_by::text, ''), true);
    begin
      perform refuse_unless_writing(change.masjid_id, 'times');
      perform lock_iqamah_rules(change.masjid_id);
      if change.last_on < local_time(now(), (select timezone from up_masjids where id = change.masjid_id))::date then
        perform refuse('pc_iqamah_changes_days_over', 'Its days were over before it could be made.');
      end if;
      perform publish_change(change);
    exception when sqlstate 'MN003' or integrity_constraint_violation then
      update pc_iqamah_changes set status = 'failed', ended_at = now(), reason = sqlerrm where id = change.id;
    end;
    perform set_config('minaret.user_id', '', true);
  end loop;
  return ran;
end
$$;

-- contract: only functions called these, and they are all replaced above
drop function refuse_change(text), refuse_timetable(text);
select pin_search_paths();
