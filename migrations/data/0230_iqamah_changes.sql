-- Up Migration
-- A change of one prayer from a day on: several rules at once, published now or at a set time, and taken back as a whole.

alter table pc_iqamah_schedules
  add column imam text check (imam <> '' and length(imam) <= 200),
  add column language text check (language ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and length(language) <= 35);
-- As add_filled_column does, which databases that are half-way may have in its first form only.
do $$
begin
  alter table pc_iqamah_schedules add column is_cancelled boolean not null default false;
exception when feature_not_supported then
  alter table pc_iqamah_schedules add column is_cancelled boolean, disable trigger user;
  update pc_iqamah_schedules set is_cancelled = false;
  alter table pc_iqamah_schedules alter column is_cancelled set default false, alter column is_cancelled set not null,
    enable trigger user;
end
$$;
comment on column pc_iqamah_schedules.imam is 'Who leads the prayer and, at Jumu''ah and Eid, gives the khutbah; null: not announced.';
comment on column pc_iqamah_schedules.language is 'The language of the khutbah, as a BCP 47 tag such as en or ar; null: not announced.';
comment on column pc_iqamah_schedules.is_cancelled is 'True: the session is not held on the days of this rule.';
comment on constraint pc_iqamah_schedules_imam_check on pc_iqamah_schedules is 'The name of an imam has 1 to 200 characters; leave it out if it is not known.';
comment on constraint pc_iqamah_schedules_language_check on pc_iqamah_schedules is 'A language is a BCP 47 tag such as en or ar-EG.';

create type pc_change_status as enum ('planned', 'published', 'cancelled', 'failed', 'undone');
comment on type pc_change_status is 'What became of a change: it waits for its time, is in force, was called off before its time, could not be made, or was taken back.';

create table pc_iqamah_changes (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids on delete cascade,
  prayer pc_prayer not null,
  session smallint not null,
  first_on date not null,
  last_on date,
  replaces_all boolean not null default false,
  rule pc_iqamah_rule,
  fixed_time time,
  offset_minutes smallint,
  round_to smallint,
  not_before time,
  not_after time,
  label text,
  khutbah_minutes smallint,
  imam text,
  language text,
  status pc_change_status not null,
  publish_at timestamptz not null,
  published_at timestamptz,
  ended_at timestamptz,
  reason text,
  schedule_id uuid references pc_iqamah_schedules on delete set null,
  made_by uuid,
  steps jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pc_iqamah_changes_days_check check (last_on >= first_on)
);
create index on pc_iqamah_changes (masjid_id, publish_at);
create index on pc_iqamah_changes (schedule_id);
create index pc_iqamah_changes_due_idx on pc_iqamah_changes (publish_at) where status = 'planned';
select adopt_table('pc_iqamah_changes');
comment on table pc_iqamah_changes is E'@scope prayer-times:read\n@user_rows masjid_id times_masjids\nChanges of a prayer from a day on, made by change_iqamah: in force, planned for a set time, or taken back. For those who look after the masjid''s times.';
comment on column pc_iqamah_changes.masjid_id is 'The masjid.';
comment on column pc_iqamah_changes.prayer is 'The prayer that changes.';
comment on column pc_iqamah_changes.session is 'Which congregation of the prayer.';
comment on column pc_iqamah_changes.first_on is 'The first day of the change.';
comment on column pc_iqamah_changes.last_on is 'Its last day; null: from then on.';
comment on column pc_iqamah_changes.replaces_all is 'Whether it also replaces rules of other seasons and weekdays. A change with a last day always does.';
comment on column pc_iqamah_changes.rule is 'How the iqamah is found; null: the session is not held.';
comment on column pc_iqamah_changes.fixed_time is 'The local time, for a fixed rule.';
comment on column pc_iqamah_changes.offset_minutes is 'Minutes after the adhan, for the other rules.';
comment on column pc_iqamah_changes.round_to is 'The step in minutes that a rounded offset is rounded up to.';
comment on column pc_iqamah_changes.not_before is 'The earliest local time.';
comment on column pc_iqamah_changes.not_after is 'The latest local time.';
comment on column pc_iqamah_changes.label is 'What the session is called.';
comment on column pc_iqamah_changes.khutbah_minutes is 'Jumu''ah: how many minutes before the iqamah the khutbah begins.';
comment on column pc_iqamah_changes.imam is 'Who leads the prayer.';
comment on column pc_iqamah_changes.language is 'The language of the khutbah.';
comment on column pc_iqamah_changes.status is 'What became of it.';
comment on column pc_iqamah_changes.publish_at is 'When it takes effect in everything that shows times.';
comment on column pc_iqamah_changes.published_at is 'When it did.';
comment on column pc_iqamah_changes.ended_at is 'When it was called off or taken back, or could not be made.';
comment on column pc_iqamah_changes.reason is 'Why a planned change could not be made.';
comment on column pc_iqamah_changes.schedule_id is 'The rule that it wrote; null: none.';
comment on column pc_iqamah_changes.made_by is E'@hidden\nThe account that made it; its rights are checked again when a planned change is due.';
comment on column pc_iqamah_changes.steps is E'@hidden\nWhat was done to which rule, to take it back.';
comment on constraint pc_iqamah_changes_masjid_id_fkey on pc_iqamah_changes is E'@object masjid\n@array iqamah_changes\nThe masjid whose prayer changes.';
comment on constraint pc_iqamah_changes_schedule_id_fkey on pc_iqamah_changes is E'@object schedule\n@array changes\nThe rule that a change wrote.';
comment on constraint pc_iqamah_changes_days_check on pc_iqamah_changes is 'The last day is not before the first.';

create function times_masjids() returns uuid[]
language sql stable parallel safe
begin atomic;
  select case when sees_masjids_in_full() then look_up_masjids_for('times') else '{}'::uuid[] end;
end;
comment on function times_masjids is 'Masjids whose planned changes may be seen.';
alter table pc_iqamah_changes enable row level security;
create policy reading on pc_iqamah_changes for select using (
  masjid_id = any ((select times_masjids())::uuid[])
  or masjid_id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff');

-- Changes of one masjid happen one after another, each on top of what the one before left.
create function lock_iqamah_rules(masjid uuid) returns void
language sql
begin atomic;
  select pg_advisory_xact_lock(hashtextextended(masjid::text, 6206173));
end;
comment on function lock_iqamah_rules is E'@hidden\nWaits until nobody else changes the prayers of a masjid.';

-- The same order as in pc_prayer_times.
create function rule_in_force(masjid uuid, at_prayer pc_prayer, at_session smallint, on_day date) returns pc_iqamah_schedules
language sql stable set search_path from current as $$
  select schedule from pc_iqamah_schedules schedule
  join up_masjids place on place.id = schedule.masjid_id
  left join pc_prayer_sources source on source.id = schedule.source_id
  left join pc_calculated_times day on day.masjid_id = schedule.masjid_id and day.date = on_day
  where schedule.masjid_id = masjid and schedule.prayer = at_prayer and schedule.session = at_session
    and schedule.deleted_at is null and source.deleted_at is null and schedule.valid @> on_day
    and (schedule.weekdays is null or extract(isodow from on_day)::smallint = any (schedule.weekdays))
    and is_in_season(schedule.season, coalesce(day.is_ramadan, false), on_day, place.timezone)
  order by schedule.priority desc, season_rank(schedule.season) desc, source.priority desc nulls first, schedule.id
  limit 1
$$;
comment on function rule_in_force is E'@hidden\nThe rule by which a prayer is held on a day.';

-- What was done is kept as a list of {id, valid, deleted, left}: how a rule was before, and a digest of how it was left.
create function digest_of_rule(rule_id uuid) returns text
language sql stable set search_path from current as $$
  select md5((to_jsonb(known) - 'version' - 'updated_at' - 'deleted_at')::text || (known.deleted_at is null))
  from pc_iqamah_schedules known where id = rule_id
$$;
comment on function digest_of_rule is E'@hidden\nA digest of what a rule says, and of whether it is deleted.';

create function cut_rule(rule pc_iqamah_schedules, period daterange) returns jsonb
language plpgsql set search_path from current as $$
declare
  rest constant daterange[] := array(select unnest(datemultirange(rule.valid) - datemultirange(period)) order by 1);
begin
  update pc_iqamah_schedules set valid = coalesce(rest[1], valid), deleted_at = case when rest[1] is null then now() end
  where id = rule.id;
  return jsonb_build_array(jsonb_build_object('id', rule.id, 'valid', rule.valid, 'deleted', false, 'left', digest_of_rule(rule.id)))
    || case when rest[2] is null then '[]'::jsonb
      else jsonb_build_array(add_rule(to_jsonb(rule) || jsonb_build_object('valid', rest[2]))) end;
end
$$;
comment on function cut_rule is E'@hidden\nTakes days out of a rule: it ends before them, and a copy goes on after them.';

create function add_rule(described jsonb) returns jsonb
language plpgsql set search_path from current as $$
declare
  added constant uuid := gen_random_uuid();
begin
  insert into pc_iqamah_schedules
  select (jsonb_populate_record(null::pc_iqamah_schedules, described || jsonb_build_object('id', added, 'version', 1,
    'created_at', now(), 'updated_at', now(), 'deleted_at', null))).*;
  return jsonb_build_object('id', added, 'valid', described -> 'valid', 'deleted', true, 'left', digest_of_rule(added));
end
$$;
comment on function add_rule is E'@hidden\nWrites a new rule, described as JSON.';

create function cut_rules(change pc_iqamah_changes, period daterange) returns jsonb
language sql set search_path from current as $$
  select coalesce(jsonb_agg(step), '[]') from (
    select known from pc_iqamah_schedules known
    where masjid_id = (change).masjid_id and prayer = (change).prayer and session = (change).session
      and deleted_at is null and valid && period
    order by id for update
  ) listed cross join lateral jsonb_array_elements(cut_rule(listed.known, period)) step
$$;
comment on function cut_rules is E'@hidden\nTakes days out of every rule of a prayer.';

create function change_as_rule(change pc_iqamah_changes) returns jsonb
language sql immutable set search_path from current as $$
  select jsonb_build_object('masjid_id', change.masjid_id, 'prayer', change.prayer, 'session', change.session,
    'rule', coalesce(change.rule, 'offset'), 'fixed_time', change.fixed_time,
    'offset_minutes', case when change.rule is null then 0 else change.offset_minutes end, 'round_to', change.round_to,
    'not_before', change.not_before, 'not_after', change.not_after, 'label', change.label,
    'khutbah_minutes', change.khutbah_minutes, 'imam', change.imam, 'language', change.language,
    'is_cancelled', change.rule is null, 'season', 'all_year', 'priority', 0)
$$;
comment on function change_as_rule is E'@hidden\nThe rule that a change would write for the whole year.';

-- A few days: a rule above those that stand, which all come back afterwards. Rules that lie within these days can never hold again.
create function put_above(change pc_iqamah_changes) returns jsonb
language plpgsql set search_path from current as $$
declare
  period constant daterange := daterange(change.first_on, change.last_on, '[]');
  steps jsonb;
  highest smallint;
begin
  select coalesce(jsonb_agg(step), '[]') into steps from (
    select known from pc_iqamah_schedules known
    where masjid_id = change.masjid_id and prayer = change.prayer and session = change.session
      and deleted_at is null and valid <@ period
    order by id for update
  ) listed cross join lateral jsonb_array_elements(cut_rule(listed.known, period)) step;
  select max(priority) into highest from pc_iqamah_schedules
  where masjid_id = change.masjid_id and prayer = change.prayer and session = change.session
    and deleted_at is null and valid && period;
  if highest = 100 then
    steps := steps || cut_rules(change, period);
    highest := -1;
  end if;
  return steps || add_rule(change_as_rule(change) || jsonb_build_object('valid', period, 'priority', coalesce(highest + 1, 0)));
end
$$;
comment on function put_above is E'@hidden\nMakes a change for some days.';

-- From a day on: the rule in force ends, and the new one takes its place among the rules of other seasons and weekdays. Rules for a
-- few days that stand above it on that day end as well.
create function put_in_place(change pc_iqamah_changes) returns jsonb
language plpgsql set search_path from current as $$
declare
  period constant daterange := daterange(change.first_on, null);
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
    exit when upper_inf(former.valid);
  end loop;
  if former.id is not null then
    return steps || add_rule(change_as_rule(change) || jsonb_build_object('valid', period, 'season', former.season,
      'weekdays', former.weekdays, 'priority', former.priority));
  end if;
  -- There is none: the new one holds until one begins, on the days that have none.
  select min(lower(valid)) into until from pc_iqamah_schedules
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
comment on function put_in_place is E'@hidden\nMakes a change from a day on, in the place of the rule in force.';

create function apply_change(change pc_iqamah_changes) returns jsonb
language plpgsql set search_path from current as $$
declare
  onwards constant daterange := daterange(change.first_on, null);
begin
  if change.last_on is not null then
    return put_above(change);
  end if;
  -- Taraweeh and Eid have no other seasons to keep.
  if change.rule is not null and not change.replaces_all and change.prayer not in ('taraweeh', 'eid_fitr', 'eid_adha') then
    return put_in_place(change);
  end if;
  return cut_rules(change, onwards) || case when change.rule is null then '[]'::jsonb
    else jsonb_build_array(add_rule(change_as_rule(change) || jsonb_build_object('valid', onwards))) end;
end
$$;
comment on function apply_change is E'@hidden\nWrites the rules of a change, and returns what was done.';

create function publish_change(change pc_iqamah_changes) returns pc_iqamah_changes
language plpgsql set search_path from current as $$
declare
  done constant jsonb := apply_change(change);
  published pc_iqamah_changes;
begin
  update pc_iqamah_changes set status = 'published', published_at = now(), steps = done,
    schedule_id = case when change.rule is not null then (done -> -1 ->> 'id')::uuid end
  where id = change.id returning * into published;
  return published;
end
$$;
comment on function publish_change is E'@hidden\nMakes a change.';

-- A planned change is tried at once, so that whoever plans it learns of mistakes. Nothing of the trial remains.
create function try_change(change pc_iqamah_changes) returns void
language plpgsql set search_path from current as $$
begin
  perform apply_change(change);
  raise exception 'The end of a trial.' using errcode = 'MN007';
exception when sqlstate 'MN007' then
  null;
end
$$;
comment on function try_change is E'@hidden\nRaises what would be raised if the change were made now.';

create function refuse_change(words text) returns void
language plpgsql as $$
begin
  raise exception '%', words using errcode = 'check_violation';
end
$$;
comment on function refuse_change is E'@hidden\nRaises the error of a change that is not allowed.';

create function check_change(change pc_iqamah_changes) returns void
language plpgsql stable set search_path from current as $$
declare
  zone constant text := (select timezone from up_masjids where id = change.masjid_id and deleted_at is null);
  today constant date := now() at time zone zone;
begin
  if change.first_on < today then
    perform refuse_change('A change begins today or later: what people prayed by stays as it was.');
  end if;
  if change.first_on > today + 400 or change.last_on > change.first_on + 400 then
    perform refuse_change('A change begins within 400 days, and lasts at most 400 days if it ends.');
  end if;
  if change.publish_at <= now() then
    return;
  end if;
  if (change.publish_at at time zone zone)::date > change.first_on then
    perform refuse_change('A planned change is published on its first day at the latest.');
  end if;
  if asking_user() is null then
    perform refuse_change('Only people plan changes: their rights are checked again when the time comes.');
  end if;
  if (select count(*) from pc_iqamah_changes where masjid_id = change.masjid_id and status = 'planned') >= 100 then
    perform refuse_change('At most 100 changes are planned at once.');
  end if;
end
$$;
comment on function check_change is E'@hidden\nRefuses days and times that make no sense.';

create function pc_change_iqamah(
  masjid_id uuid, prayer pc_prayer, first_on date, last_on date default null, session integer default 1,
  rule pc_iqamah_rule default null, fixed_time time default null, offset_minutes integer default null,
  round_to integer default null, not_before time default null, not_after time default null, label text default null,
  khutbah_minutes integer default null, imam text default null, language text default null,
  replaces_all boolean default false, publish_at timestamptz default null, expected_rules jsonb default null
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
    not_before, not_after, label, khutbah_minutes, imam, language, replaces_all, publish_at, status, made_by)
  values ($1, $2, $3, $4, coalesce($5, 1), $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, coalesce($16, false), coalesce($17, now()),
    'planned', asking_user())
  returning * into change;
  perform check_change(change);
  if change.publish_at > now() then
    perform try_change(change);
    return change;
  end if;
  return publish_change(change);
end
$$;
comment on function pc_change_iqamah is
  E'@mutation\n@name change_iqamah\n@scope prayer-times:write\nChanges one prayer from a day on, or for the days up to last_on. From a day on, the rule in force ends and rules of other seasons and weekdays stay, unless replaces_all; with last_on, the change stands above every rule on its days, and they come back afterwards. Without a rule the session is not held. With publish_at it is planned: it is made at that time (within five seconds) if the person who planned it may still do so. expected_rules, {"id": version} of the rules that were read, refuses the change if somebody else was quicker. Needs the capability "times".';

create function pc_cancel_iqamah_change(change_id uuid) returns pc_iqamah_changes
language plpgsql security definer strict set search_path from current as $$
declare
  change pc_iqamah_changes;
begin
  select * into change from pc_iqamah_changes where id = $1 for update;
  perform refuse_unless_writing(change.masjid_id, 'times');
  if change.status <> 'planned' then
    perform refuse_change('Only a planned change can be called off.');
  end if;
  update pc_iqamah_changes set status = 'cancelled', ended_at = now() where id = $1 returning * into change;
  return change;
end
$$;
comment on function pc_cancel_iqamah_change is
  E'@mutation\n@name cancel_iqamah_change\n@scope prayer-times:write\nCalls a planned change off. Needs the capability "times".';

create function restore_rule(step jsonb) returns void
language plpgsql set search_path from current as $$
begin
  update pc_iqamah_schedules set valid = (step ->> 'valid')::daterange,
    deleted_at = case when (step ->> 'deleted')::boolean then now() end
  where id = (step ->> 'id')::uuid and digest_of_rule(id) = step ->> 'left';
  if not found then
    perform refuse_change('The rules of this prayer were changed since. Take back the later change first, or make a new one.');
  end if;
end
$$;
comment on function restore_rule is E'@hidden\nPuts a rule back to what it was before a change.';

-- Backwards: what was added goes before what was cut comes back.
create function pc_undo_iqamah_change(change_id uuid) returns pc_iqamah_changes
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
    perform refuse_change('Only a published change can be taken back.');
  end if;
  for step in select value from jsonb_array_elements(change.steps) with ordinality as listed (value, place) order by place desc loop
    perform restore_rule(step);
  end loop;
  update pc_iqamah_changes set status = 'undone', ended_at = now() where id = $1 returning * into change;
  return change;
end
$$;
comment on function pc_undo_iqamah_change is
  E'@mutation\n@name undo_iqamah_change\n@scope prayer-times:write\nTakes a published change back: the rules are again what they were. Refused if they were changed since. Needs the capability "times".';
revoke execute on function pc_change_iqamah, pc_cancel_iqamah_change, pc_undo_iqamah_change from public;

-- Called by the job of each process: a row is taken by one of them. The author is stated as for a request, so that rights and audit
-- trail are theirs.
create function run_planned_changes(most integer default 10) returns integer
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
      if change.last_on < (now() at time zone (select timezone from up_masjids where id = change.masjid_id))::date then
        perform refuse_change('Its days were over before it could be made.');
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
comment on function run_planned_changes is E'@hidden\nMakes the planned changes whose time has come. Returns how many there were.';
revoke execute on function run_planned_changes from public;

select pin_search_paths();
select watch_writes('pc_iqamah_changes');
