-- Up Migration
-- A change from a day on no longer replaces a published timetable unseen. It ends where one begins; inside one it is refused, with
-- the number of days, until whoever makes it says that they are to be replaced. A change that does not say, as an older app's, still
-- stands above them. What is stored stays as it is.

alter table pc_iqamah_changes
  add column replace_timetables boolean,
  add column ends_on date,
  add column replaced_days integer,
  add column replaced_timetables jsonb,
  add column layer bigint;
comment on column pc_iqamah_changes.replace_timetables is
  'Whether it replaces published timetables. False: without a last day, it ends where one begins. True: it replaces those that were published before it was made or planned. Null: it does, also those published until a planned change is made.';
comment on column pc_iqamah_changes.ends_on is
  'The day before a published timetable begins, on which a change without a last day ends; null: no timetable ends it.';
comment on column pc_iqamah_changes.replaced_days is
  'On how many days of published timetables it gives the iqamah in their place; of a planned change, as things stood when it was planned.';
comment on column pc_iqamah_changes.replaced_timetables is 'These days by timetable: an object of {"id": days}.';
comment on column pc_iqamah_changes.layer is E'@hidden\nWhere it stands among published timetables: those of a greater number came after it was made or planned.';

-- Publications and changes of one masjid happen one after another: which timetables there are is known when a change is made. The lock of
-- the rules comes first, so that a transaction with both waits for no other that has both.
create or replace function lock_timetables(masjid uuid) returns void
language sql
begin atomic;
  select lock_iqamah_rules(masjid);
  select pg_advisory_xact_lock(hashtextextended(masjid::text, 6206180));
end;
comment on function lock_timetables is 'Waits until nobody else publishes or undoes timetables of a masjid, or changes its prayers.';

-- The same order as in pc_prayer_times, for days that are not calculated yet as well.
create function days_given_by_timetables(
  masjid uuid, since date, of_prayer pc_prayer default null, of_session smallint default null
) returns setof pc_timetable_days
language sql stable set search_path from current as $$
  select day.* from pc_timetable_days day
  join pc_timetables timetable on timetable.id = day.timetable_id
  where day.masjid_id = masjid and day.date >= since and day.in_force and day.iqamah is not null and day.by_rule is null
    and (of_prayer is null or (day.prayer = of_prayer and day.session = of_session))
    and (not exists (
        select from pc_iqamah_schedules above
        where above.masjid_id = masjid and above.prayer = day.prayer and above.session = day.session
          and above.deleted_at is null and above.valid @> day.date and above.layer > timetable.layer)
      or coalesce((rule_in_force(masjid, day.prayer, day.session, day.date)).layer, 0) < timetable.layer)
$$;
comment on function days_given_by_timetables is E'@hidden\nThe days of published timetables whose iqamah people pray by, from a day on.';

create or replace function put_in_place(change pc_iqamah_changes) returns jsonb
language plpgsql set search_path from current as $$
declare
  period constant daterange := daterange(change.first_on, change.ends_on, '[]');
  -- Jumu'ah is on Fridays
  on_day constant date := case change.prayer
    when 'jumuah' then change.first_on + (12 - extract(isodow from change.first_on)::integer) % 7 else change.first_on end;
  steps jsonb := '[]';
  former pc_iqamah_schedules;
  until date;
  taken smallint[];
begin
  loop
    former := rule_in_force(change.masjid_id, change.prayer, change.session, on_day);
    exit when former.id is null;
    steps := steps || cut_rule(former, period);
    exit when upper_inf(former.valid) or upper(former.valid) >= upper(period);
  end loop;
  if former.id is not null then
    return steps || add_rule(change_as_rule(change) || jsonb_build_object('valid', period, 'season', former.season,
      'weekdays', former.weekdays, 'priority', former.priority));
  end if;
  -- There is none: the new one holds until one begins, on the days that have none.
  select least(min(lower(valid)), upper(period)) into until from pc_iqamah_schedules
  where masjid_id = change.masjid_id and prayer = change.prayer and session = change.session and deleted_at is null
    and season = 'all_year' and priority = 0 and valid && period
    and (weekdays is null or extract(isodow from on_day)::smallint = any (weekdays));
  select array_agg(distinct weekday) into taken from pc_iqamah_schedules, unnest(weekdays) weekday
  where masjid_id = change.masjid_id and prayer = change.prayer and session = change.session and deleted_at is null
    and season = 'all_year' and priority = 0 and valid && daterange(change.first_on, until);
  return steps || add_rule(change_as_rule(change) || jsonb_build_object('valid', daterange(change.first_on, until),
    'weekdays', case when taken is not null then
      (select array_agg(weekday) from generate_series(1, 7) weekday where weekday <> all (taken)) end));
end
$$;

-- A session that is taken off has no rule; to take it off a timetable as well, it needs one that says so.
create or replace function apply_change(change pc_iqamah_changes) returns jsonb
language plpgsql set search_path from current as $$
declare
  period constant daterange := daterange(change.first_on, change.ends_on, '[]');
  adds_rule constant boolean := change.rule is not null or (change.replace_timetables and exists (
    select from days_given_by_timetables(change.masjid_id, change.first_on, change.prayer, change.session) day
    where period @> day.date));
begin
  if change.last_on is not null then
    return put_above(change);
  end if;
  -- Taraweeh and Eid have no other seasons to keep.
  if change.rule is not null and not change.replaces_all and change.prayer not in ('taraweeh', 'eid_fitr', 'eid_adha') then
    return put_in_place(change);
  end if;
  return cut_rules(change, period) || case when adds_rule
    then jsonb_build_array(add_rule(change_as_rule(change) || jsonb_build_object('valid', period))) else '[]'::jsonb end;
end
$$;

create function days_lost_to_change(stood uuid[], change pc_iqamah_changes) returns jsonb
language sql stable set search_path from current as $$
  select coalesce(jsonb_object_agg(lost.timetable_id, lost.days), '{}') from (
    select day.timetable_id, count(*) as days from pc_timetable_days day
    where day.id = any (stood) and day.id not in (
      select stands.id from days_given_by_timetables(change.masjid_id, change.first_on, change.prayer, change.session) stands)
    group by day.timetable_id) lost
$$;
comment on function days_lost_to_change is E'@hidden\nHow many of these days timetables no longer give, as {"timetable": days}.';

create function days_open_to_change(change pc_iqamah_changes) returns uuid[]
language sql stable set search_path from current as $$
  select coalesce(array_agg(id), '{}') from days_given_by_timetables(change.masjid_id, change.first_on, change.prayer, change.session)
$$;
comment on function days_open_to_change is E'@hidden\nThe days of timetables that a change could replace.';

-- Found by making the change and keeping nothing of it.
create function days_at_stake(change pc_iqamah_changes) returns jsonb
language plpgsql set search_path from current as $$
declare
  stood constant uuid[] := days_open_to_change(change);
  lost jsonb := '{}';
begin
  if stood = '{}' then
    return lost;
  end if;
  change.replace_timetables := true;
  change.ends_on := null;
  perform apply_change(change);
  lost := days_lost_to_change(stood, change);
  raise exception 'The end of a trial.' using errcode = 'MN007';
exception when sqlstate 'MN007' then
  return lost;
end
$$;
comment on function days_at_stake is E'@hidden\nHow many days of each timetable a change would replace if it could, as {"timetable": days}.';

create function first_day_held(change pc_iqamah_changes) returns date
language sql stable set search_path from current as $$
  select case
    when change.prayer = 'jumuah' then change.first_on + (12 - extract(isodow from change.first_on)::integer) % 7
    when change.prayer in ('taraweeh', 'eid_fitr', 'eid_adha') then coalesce((
      select min(day.date) from pc_calculated_times day
      where day.masjid_id = change.masjid_id and day.date >= change.first_on and case change.prayer
        when 'taraweeh' then day.is_taraweeh
        when 'eid_fitr' then day.hijri_month = 10 and day.hijri_day = 1
        else day.hijri_month = 12 and day.hijri_day = 10 end), 'infinity')
    else change.first_on end
$$;
comment on function first_day_held is E'@hidden\nThe first day of a change on which its prayer is held; infinity: none that is calculated.';

-- A timetable begins with its first day that has this prayer: a day that is missing in its middle is no gap to end at.
create function end_before_timetables(change pc_iqamah_changes) returns pc_iqamah_changes
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
    perform refuse_change(format('Timetables published since have %s of its days. Nothing was written.', days));
  elsif begins is not null then
    perform refuse_change(format(
      'This would replace %s days of published timetables. Nothing was written: give a last day, or say replace_timetables.', days));
  end if;
  return change;
end
$$;
comment on function end_before_timetables is E'@hidden\nEnds a change where a timetable begins that it may not replace; refuses it inside of one.';

create or replace function publish_change(change pc_iqamah_changes) returns pc_iqamah_changes
language plpgsql set search_path from current as $$
declare
  ending constant pc_iqamah_changes := end_before_timetables(change);
  stood constant uuid[] := days_open_to_change(ending);
  done constant jsonb := apply_change(ending);
  lost constant jsonb := case when stood = '{}' then '{}' else days_lost_to_change(stood, ending) end;
  published pc_iqamah_changes;
begin
  update pc_iqamah_changes set status = 'published', published_at = now(), steps = done, ends_on = ending.ends_on,
    replaced_timetables = lost,
    replaced_days = (select coalesce(sum(days::integer), 0) from jsonb_each_text(lost) counted (timetable_id, days)),
    schedule_id = case when change.rule is not null then (done -> -1 ->> 'id')::uuid end
  where id = change.id returning * into published;
  return published;
end
$$;

drop function try_change(pc_iqamah_changes);
create function try_change(change pc_iqamah_changes) returns pc_iqamah_changes
language plpgsql set search_path from current as $$
declare
  tried pc_iqamah_changes;
begin
  tried := publish_change(change);
  raise exception 'The end of a trial.' using errcode = 'MN007';
exception when sqlstate 'MN007' then
  change.ends_on := tried.ends_on;
  change.replaced_days := tried.replaced_days;
  change.replaced_timetables := tried.replaced_timetables;
  return change;
end
$$;
comment on function try_change is E'@hidden\nThe change with what it would do if it were made now; raises what would be raised. Nothing of the trial remains.';

create function plan_change(change pc_iqamah_changes) returns pc_iqamah_changes
language plpgsql set search_path from current as $$
declare
  tried constant pc_iqamah_changes := try_change(change);
begin
  update pc_iqamah_changes
  set ends_on = tried.ends_on, replaced_days = tried.replaced_days, replaced_timetables = tried.replaced_timetables
  where id = change.id returning * into change;
  return change;
end
$$;
comment on function plan_change is E'@hidden\nTries a planned change at once, so that whoever plans it learns of mistakes and of what it would replace.';

drop function pc_change_iqamah(uuid, pc_prayer, date, date, integer, pc_iqamah_rule, time, integer, integer, time, time, text, integer,
  text, text, boolean, timestamptz, jsonb);
create function pc_change_iqamah(
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
    perform refuse_change('A change names the masjid, the prayer and the first day.');
  end if;
  perform refuse_unless_writing($1, 'times');
  perform lock_iqamah_rules($1);
  if $18 is not null and $18 <> (
    select coalesce(jsonb_object_agg(known.id, known.version), '{}') from pc_iqamah_schedules known
    where known.masjid_id = $1 and known.prayer = $2 and known.session = $5 and known.deleted_at is null) then
    perform refuse_change('Somebody else has changed this prayer since. Nothing was written.');
  end if;
  if $17 <= now() - interval '1 minute' then
    perform refuse_change('A planned change has its time in the future.');
  end if;
  insert into pc_iqamah_changes (masjid_id, prayer, first_on, last_on, session, rule, fixed_time, offset_minutes, round_to,
    not_before, not_after, label, khutbah_minutes, imam, language, replaces_all, publish_at, status, made_by, replace_timetables, layer)
  values ($1, $2, $3, $4, coalesce($5, 1), $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, coalesce($16, false), coalesce($17, now()),
    'planned', asking_user(), $19, nextval('timetable_layers'))
  returning * into change;
  perform check_change(change);
  change := case when change.publish_at > now() then plan_change(change) else publish_change(change) end;
  if $20 <> change.replaced_timetables then
    perform refuse_change('Somebody else has published or undone a timetable since. Nothing was written.');
  end if;
  return change;
end
$$;
comment on function pc_change_iqamah is
  E'@mutation\n@name change_iqamah\n@scope prayer-times:write\nChanges one prayer from a day on, or for the days up to last_on. From a day on, the rule in force ends and rules of other seasons and weekdays stay, unless replaces_all; with last_on, the change stands above every rule on its days, and they come back afterwards. Without a rule the session is not held. With replace_timetables false, a change without last_on ends where a published timetable begins (ends_on), and is refused inside of one, with the number of days it would replace. With true it replaces those published before it was made or planned; left out, all that are published before it takes effect. replaced_days says on how many of their days it stands in their place. A change with last_on stands above timetables published before it in any case. With publish_at it is planned: it is made at that time (within five seconds) if the person who planned it may still do so. expected_rules, {"id": version} of the rules that were read, and expected_timetables, the replaced_timetables of a trial, refuse the change if somebody else was quicker. Needs the capability "times".';
revoke execute on function pc_change_iqamah from public;

comment on function pc_publish_timetable is
  E'@mutation\n@scope prayer-times:write\nPublishes a timetable, all of it at once: a list of {date, prayer, session, adhan, iqamah}, with clock times of the masjid on that day and at least one of adhan and iqamah. It stands above the masjid''s rules, and above timetables and changes published before. Needs the capability "times" at the masjid.';

select pin_search_paths();
