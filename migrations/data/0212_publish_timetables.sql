-- Up Migration
-- Publishing a timetable, taking it back, and replacing days by rules that give the same times.

create function refuse_timetable(words text) returns void
language plpgsql set search_path from current as $$
begin
  raise exception '%', words using errcode = 'check_violation', constraint = 'pc_timetables_input_check', table = 'pc_timetables';
end
$$;
comment on function refuse_timetable is 'Refuses a timetable, in words.';

-- What can no longer matter is removed with the next publication, and nobody fills the table with timetables of the same days.
create function clear_old_timetables(masjid uuid) returns void
language plpgsql set search_path from current as $$
begin
  delete from pc_timetables
  where masjid_id = masjid and (last_date < current_date - 60 and kind = 'days'
    or state <> 'published' and updated_at < now() - interval '60 days');
  if (select count(*) from pc_timetables where masjid_id = masjid) >= 300 then
    perform refuse_timetable('At most 300 timetables are kept for a masjid: undo some that are no longer needed.');
  end if;
end
$$;
comment on function clear_old_timetables is 'Removes timetables of a masjid that are long past or were undone long ago.';

create function store_timetable(masjid uuid, called text, days jsonb, source uuid) returns pc_timetables
language plpgsql set search_path from current as $$
declare
  stored pc_timetables;
begin
  if jsonb_typeof(days) is distinct from 'array' or jsonb_array_length(days) not between 1 and 5000 then
    perform refuse_timetable('"days" is a list of 1 to 5000 objects {date, prayer, session, adhan, iqamah}.');
  end if;
  if source is not null and not exists (
    select from pc_prayer_sources where id = source and masjid_id = masjid and deleted_at is null) then
    perform refuse_timetable('The source of a timetable belongs to the same masjid.');
  end if;
  perform lock_timetables(masjid);
  perform clear_old_timetables(masjid);
  insert into pc_timetables (masjid_id, name, source_id, first_date, last_date, entry_count, published_at, published_by)
  select masjid, called, source, min(date), max(date), count(*), clock_timestamp(), asking_user()
  from jsonb_to_recordset(days) given (date date)
  having coalesce(bool_and(date between current_date - 400 and current_date + 800), false)
  returning * into stored;
  if stored.id is null then
    perform refuse_timetable('The days of a timetable lie between 400 days ago and 800 days from now.');
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
    raise exception 'Each day has a date such as 2026-11-16, a prayer, and times such as 05:30: %', sqlerrm
      using errcode = 'check_violation', constraint = 'pc_timetables_input_check', table = 'pc_timetables';
end
$$;
comment on function store_timetable is E'@hidden\nPublishes a timetable. A newer one of the same source replaces the older.';

create function pc_publish_timetable(masjid_id uuid, name text, days jsonb, source_id uuid default null) returns pc_timetables
language plpgsql security definer set search_path from current as $$
begin
  perform refuse_unless_writing($1, 'times');
  return store_timetable($1, $2, $3, $4);
end
$$;
comment on function pc_publish_timetable is
  E'@mutation\n@scope prayer-times:write\nPublishes a timetable, all of it at once: a list of {date, prayer, session, adhan, iqamah}, with clock times of the masjid on that day and at least one of adhan and iqamah. It stands above the masjid''s rules and above timetables published before. Needs the capability "times" at the masjid.';

create function undo_timetable(undone uuid) returns pc_timetables
language plpgsql set search_path from current as $$
declare
  result pc_timetables;
begin
  perform undo_timetable(id) from pc_timetables where derived_from = undone and state = 'published' order by layer desc;
  update pc_iqamah_schedules set deleted_at = now() where timetable_id = undone and deleted_at is null;
  update pc_timetable_days set by_rule = null where by_rule = undone;
  update pc_timetables set state = 'published', replaced_by = null where replaced_by = undone and state = 'replaced';
  update pc_timetables set state = 'undone', undone_at = clock_timestamp(), undone_by = asking_user() where id = undone
  returning * into result;
  -- all days there are: what comes back may reach further
  perform settle_timetable_days(result.masjid_id, '-infinity', 'infinity');
  return result;
end
$$;
comment on function undo_timetable is E'@hidden\nTakes a timetable back, with the rules that were made of it; the one it replaced counts again.';

create function pc_undo_timetable(timetable_id uuid) returns pc_timetables
language plpgsql security definer strict set search_path from current as $$
declare
  target pc_timetables;
begin
  select * into target from pc_timetables where id = $1;
  perform refuse_unless_writing(target.masjid_id, 'times');
  perform lock_timetables(target.masjid_id);
  select * into target from pc_timetables where id = $1;
  if target.state = 'replaced' then
    perform refuse_timetable('A newer timetable of the same source has replaced this one: undo that one first.');
  elsif target.state = 'undone' then
    return target;
  end if;
  return undo_timetable($1);
end
$$;
comment on function pc_undo_timetable is
  E'@mutation\n@scope prayer-times:write\nTakes a published timetable, or a set of rules, back: what was below it stands again, and timetables published later stay as they are. Undoing what is undone changes nothing. Needs the capability "times" at the masjid.';

-- The rules are tried on the days themselves: a day is given up only if the rules give the same iqamah.
create function adopt_rules(source pc_timetables, rules jsonb) returns pc_timetables
language plpgsql set search_path from current as $$
declare
  adopted pc_timetables;
  zone constant text := (select masjid.timezone from up_masjids masjid where masjid.id = source.masjid_id);
begin
  insert into pc_timetables (masjid_id, kind, name, derived_from, first_date, last_date, entry_count, published_at, published_by)
  values (source.masjid_id, 'rules', source.name, source.id, source.first_date, source.last_date, jsonb_array_length(rules),
    clock_timestamp(), asking_user())
  returning * into adopted;
  insert into pc_iqamah_schedules (masjid_id, timetable_id, prayer, session, rule, fixed_time, offset_minutes, round_to,
    not_before, not_after, changes_on, season, weekdays, valid, priority, khutbah_minutes, label)
  select source.masjid_id, adopted.id, given.prayer, coalesce(given.session, 1::smallint), given.rule, given.fixed_time,
    given.offset_minutes, given.round_to, given.not_before, given.not_after, given.changes_on, coalesce(given.season, 'all_year'),
    given.weekdays, daterange(coalesce(given.from, source.first_date), given.until, '[]'), above.priority,
    above.khutbah_minutes, above.label
  from jsonb_to_recordset(rules) given (prayer pc_prayer, session smallint, rule pc_iqamah_rule, fixed_time time,
    offset_minutes smallint, round_to smallint, not_before time, not_after time, changes_on smallint, season pc_season,
    weekdays smallint[], "from" date, until date)
  cross join lateral (
    -- rules of the same set share their priority; the earlier ones of the prayer are below it
    select least(coalesce(max(priority) + 1, 0), 100) as priority,
      (array_agg(khutbah_minutes order by priority desc))[1] as khutbah_minutes, (array_agg(label order by priority desc))[1] as label
    from pc_iqamah_schedules existing
    where existing.masjid_id = source.masjid_id and existing.prayer = given.prayer
      and existing.session = coalesce(given.session, 1::smallint) and existing.deleted_at is null
  ) above;
  update pc_timetable_days day set by_rule = adopted.id
  where day.timetable_id = source.id and day.in_force and day.iqamah is not null and day.by_rule is null and exists (
    select from pc_iqamah_schedules rule where rule.timetable_id = adopted.id and rule.prayer = day.prayer and rule.session = day.session);
  perform settle_timetable_days(source.masjid_id, source.first_date, source.last_date);
  update pc_timetable_days day set by_rule = null
  where day.by_rule = adopted.id and not exists (
    select from pc_prayer_times times
    where times.masjid_id = day.masjid_id and times.date = day.date and times.prayer = day.prayer and times.session = day.session
      and times.iqamah_at = prayer_instant(day.date, day.iqamah, day.prayer in ('isha', 'taraweeh'), zone));
  perform settle_timetable_days(source.masjid_id, source.first_date, source.last_date);
  return adopted;
end
$$;
comment on function adopt_rules is E'@hidden\nPublishes rules, and gives up the days of a timetable whose iqamah they give.';

create function pc_adopt_timetable_rules(timetable_id uuid, rules jsonb) returns pc_timetables
language plpgsql security definer strict set search_path from current as $$
declare
  source pc_timetables;
begin
  select * into source from pc_timetables where id = $1;
  perform refuse_unless_writing(source.masjid_id, 'times');
  perform lock_timetables(source.masjid_id);
  select * into source from pc_timetables where id = $1;
  if source.state <> 'published' or source.kind <> 'days' then
    perform refuse_timetable('Rules are made of a timetable with days that counts.');
  elsif jsonb_typeof($2) <> 'array' or jsonb_array_length($2) not between 1 and 200 then
    perform refuse_timetable('"rules" is a list of 1 to 200 objects.');
  end if;
  return adopt_rules(source, $2);
exception
  when invalid_datetime_format or datetime_field_overflow or invalid_text_representation or numeric_value_out_of_range
    or invalid_parameter_value or data_exception then
    raise exception 'A rule has a form of pc_iqamah_schedules: %', sqlerrm
      using errcode = 'check_violation', constraint = 'pc_timetables_input_check', table = 'pc_timetables';
end
$$;
comment on function pc_adopt_timetable_rules is
  E'@mutation\n@scope prayer-times:write\nReplaces days of a published timetable by rules: a list of objects with columns of pc_iqamah_schedules (prayer, session, rule, fixed_time, offset_minutes, round_to, not_before, not_after, changes_on, season, weekdays) and from and until. Days whose iqamah the rules give are given up for them, all others stay. pc_undo_timetable takes it back. Needs the capability "times" at the masjid.';

revoke execute on function refuse_timetable, clear_old_timetables, store_timetable, pc_publish_timetable, undo_timetable,
  pc_undo_timetable, adopt_rules, pc_adopt_timetable_rules from public;

-- What staff work on before it is published, and how followed sources are read.
create table timetable_drafts (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids on delete cascade,
  created_by uuid,
  name text not null check (name <> '' and length(name) <= 200),
  sheet jsonb not null,
  reading jsonb,
  address text,
  source_id uuid references pc_prayer_sources on delete cascade,
  created_at timestamptz not null default now()
);
create index on timetable_drafts (masjid_id, created_at);
create index on timetable_drafts (source_id);
create index on timetable_drafts (created_at);
comment on table timetable_drafts is E'@hidden\nSheets that were uploaded and not published yet. Not part of the API.';
comment on column timetable_drafts.id is 'The row''s lasting identifier.';
comment on column timetable_drafts.masjid_id is 'The masjid.';
comment on column timetable_drafts.created_by is 'The account that uploaded it; null: a followed source.';
comment on column timetable_drafts.name is 'The name of the file.';
comment on column timetable_drafts.sheet is 'The cells as they were read, as text.';
comment on column timetable_drafts.reading is 'What each column is, and the answers to what could not be known; null: not confirmed yet.';
comment on column timetable_drafts.address is 'The address it was read from, if it is to be followed.';
comment on column timetable_drafts.source_id is 'The followed source that gave it, and that waits for somebody to look.';
comment on column timetable_drafts.created_at is 'When it was uploaded.';

create table followed_sources (
  source_id uuid primary key references pc_prayer_sources on delete cascade,
  reading jsonb not null,
  etag text,
  last_modified text,
  content_hash text,
  failure text,
  failure_status smallint,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
);
create index on followed_sources (next_attempt_at);
comment on table followed_sources is E'@hidden\nSources that are fetched regularly, and how they are read. Not part of the API.';
comment on column followed_sources.source_id is 'The source.';
comment on column followed_sources.reading is 'What each column is, as somebody confirmed it.';
comment on column followed_sources.etag is 'The entity tag of what was fetched last.';
comment on column followed_sources.last_modified is 'When the host says that it last changed.';
comment on column followed_sources.content_hash is 'A digest of what was read last, published or not.';
comment on column followed_sources.failure is 'Why the last attempt gave nothing; null: it did.';
comment on column followed_sources.failure_status is 'The HTTP status of that attempt, if that is why.';
comment on column followed_sources.attempts is 'How often it failed in a row.';
comment on column followed_sources.next_attempt_at is 'When it is fetched next.';

select pin_search_paths();
select watch_writes('pc_timetables'), show_history('pc_timetables');
