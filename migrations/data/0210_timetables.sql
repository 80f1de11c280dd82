-- Up Migration
-- Timetables: days that a masjid published as a whole. They stand above its rules, the newest publication on top, and are never
-- overwritten: undoing one uncovers exactly what was below it.

create type pc_timetable_kind as enum ('days', 'rules');
comment on type pc_timetable_kind is 'What was published: days with their times, or rules that explain the days of another timetable.';
create type pc_timetable_state as enum ('published', 'replaced', 'undone');
comment on type pc_timetable_state is
  'Whether a timetable counts: published; replaced by a newer one of the same followed source; or undone.';

create sequence timetable_layers;
create table pc_timetables (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids on delete cascade,
  kind pc_timetable_kind not null default 'days',
  name text not null,
  source_id uuid references pc_prayer_sources on delete set null,
  derived_from uuid references pc_timetables on delete cascade,
  state pc_timetable_state not null default 'published',
  layer bigint not null default nextval('timetable_layers'),
  first_date date not null,
  last_date date not null,
  entry_count integer not null,
  published_at timestamptz not null default now(),
  published_by uuid,
  replaced_by uuid references pc_timetables on delete set null,
  undone_at timestamptz,
  undone_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pc_timetables_name_check check (name <> '' and length(name) <= 200),
  constraint pc_timetables_dates_check check (first_date <= last_date),
  constraint pc_timetables_entry_count_check check (entry_count > 0),
  constraint pc_timetables_derived_from_check check ((kind = 'rules') = (derived_from is not null)),
  constraint pc_timetables_undone_at_check check ((state = 'undone') = (undone_at is not null)),
  constraint pc_timetables_id_masjid_id_key unique (id, masjid_id)
);
alter sequence timetable_layers owned by pc_timetables.layer;
create index on pc_timetables (masjid_id, layer);
create index on pc_timetables (source_id);
create index on pc_timetables (derived_from);
create index on pc_timetables (replaced_by);
select adopt_table('pc_timetables');

comment on table pc_timetables is E'@scope prayer-times:read\n@capability times\nTimetables that a masjid published, newest publication on top, and what became of them. Published by pc_publish_timetable, taken back by pc_undo_timetable.';
comment on column pc_timetables.masjid_id is 'The masjid.';
comment on column pc_timetables.kind is 'What was published.';
comment on column pc_timetables.name is 'What people call it: usually the name of the file.';
comment on column pc_timetables.source_id is 'The followed source it came from; null: published by hand.';
comment on column pc_timetables.derived_from is 'For rules: the timetable whose days they explain.';
comment on column pc_timetables.state is 'Whether it counts.';
comment on column pc_timetables.layer is 'The order of publication: where two timetables have the same day, the greater number wins.';
comment on column pc_timetables.first_date is 'Its first day.';
comment on column pc_timetables.last_date is 'Its last day.';
comment on column pc_timetables.entry_count is 'How many times it has, one for each day, prayer and session; for rules, how many rules.';
comment on column pc_timetables.published_at is 'When it was published.';
comment on column pc_timetables.published_by is E'@hidden\nThe account that published it; null: an app, or a followed source.';
comment on column pc_timetables.replaced_by is 'The newer timetable of the same source that replaced it.';
comment on column pc_timetables.undone_at is 'When it was undone.';
comment on column pc_timetables.undone_by is E'@hidden\nThe account that undid it; null: an app.';
comment on constraint pc_timetables_source_id_fkey on pc_timetables is E'@object source\n@array timetables\nThe followed source a timetable came from.';
comment on constraint pc_timetables_derived_from_fkey on pc_timetables is E'@object explained_timetable\n@array rule_sets\nThe timetable whose days the rules explain.';
comment on constraint pc_timetables_replaced_by_fkey on pc_timetables is E'@object replacement\n@array replaced_timetables\nThe timetable that replaced an older one of its source.';

create table pc_timetable_days (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids on delete cascade,
  timetable_id uuid not null,
  source_id uuid references pc_prayer_sources on delete set null,
  date date not null,
  prayer pc_prayer not null,
  session smallint not null default 1,
  adhan time,
  iqamah time,
  by_rule uuid references pc_timetables on delete set null,
  in_force boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pc_timetable_days_timetable_id_fkey foreign key (timetable_id, masjid_id)
    references pc_timetables (id, masjid_id) on delete cascade,
  constraint pc_timetable_days_session_check check (session between 1 and 9),
  constraint pc_timetable_days_times_check check (num_nonnulls(adhan, iqamah) > 0),
  constraint pc_timetable_days_jumuah_check check (prayer <> 'jumuah' or extract(isodow from date) = 5),
  constraint pc_timetable_days_key unique (timetable_id, date, prayer, session)
);
-- One time for a prayer on a day, whatever was published: the view relies on it.
create unique index pc_timetable_days_in_force_key on pc_timetable_days (masjid_id, date, prayer, session) where in_force;
create index on pc_timetable_days (masjid_id, date);
create index on pc_timetable_days (source_id);
create index on pc_timetable_days (by_rule);
select adopt_table('pc_timetable_days');

comment on table pc_timetable_days is E'@scope prayer-times:read\nThe times of published timetables, one row for each day, prayer and session, as they stand now. For what people pray by, see pc_prayer_times.';
comment on column pc_timetable_days.masjid_id is 'The masjid.';
comment on column pc_timetable_days.timetable_id is 'The timetable it belongs to.';
comment on column pc_timetable_days.source_id is 'The followed source it came from; null: published by hand.';
comment on column pc_timetable_days.date is 'The prayer day, in the masjid''s time zone; Isha may fall after its midnight.';
comment on column pc_timetable_days.prayer is 'The prayer.';
comment on column pc_timetable_days.session is 'Which congregation of the prayer, where there are several.';
comment on column pc_timetable_days.adhan is 'The adhan, on the masjid''s clock of that day; null: as calculated.';
comment on column pc_timetable_days.iqamah is 'The iqamah, on the masjid''s clock of that day; null: by the masjid''s rules.';
comment on column pc_timetable_days.by_rule is 'The rules that explain the iqamah: they give it in the place of this row.';
comment on column pc_timetable_days.in_force is E'@hidden\nWhether it stands: no newer timetable has the same day and prayer, and no rule gives all of it.';
comment on constraint pc_timetable_days_timetable_id_fkey on pc_timetable_days is E'@object timetable\n@array days\nThe timetable of a day.';
comment on constraint pc_timetable_days_source_id_fkey on pc_timetable_days is E'@object source\n@array timetable_days\nThe followed source of a day.';
comment on constraint pc_timetable_days_by_rule_fkey on pc_timetable_days is E'@object rules\n@array explained_days\nThe rules that explain a day.';

alter table pc_timetables enable row level security;
create policy reading on pc_timetables for select using (true);
alter table pc_timetable_days enable row level security;
create policy reading on pc_timetable_days for select using (in_force);

alter table pc_iqamah_schedules
  add column timetable_id uuid references pc_timetables on delete set null,
  add column changes_on smallint constraint pc_iqamah_schedules_changes_on_check check (changes_on between 1 and 7),
  add constraint pc_iqamah_schedules_changes_on_rule_check check (changes_on is null or rule <> 'fixed');
create index on pc_iqamah_schedules (timetable_id);
comment on column pc_iqamah_schedules.timetable_id is E'@preset\nThe set of rules it was published with; null: entered by itself.';
comment on column pc_iqamah_schedules.changes_on is 'The ISO weekday on which the time changes, 1 (Monday) to 7 (Sunday): the other days keep the time of that day. Null: it changes every day.';
comment on constraint pc_iqamah_schedules_changes_on_check on pc_iqamah_schedules is 'A weekday is 1 (Monday) to 7 (Sunday).';
comment on constraint pc_iqamah_schedules_changes_on_rule_check on pc_iqamah_schedules is 'A fixed time does not change by the week.';
comment on constraint pc_iqamah_schedules_timetable_id_fkey on pc_iqamah_schedules is E'@object rule_set\n@array iqamah_schedules\nThe set of rules a rule was published with.';

do $$
declare
  rule record;
begin
  for rule in
    select * from (values
      ('pc_timetables', 'pc_timetables_name_check', 'A name has 1 to 200 characters.'),
      ('pc_timetables', 'pc_timetables_entry_count_check', 'A timetable has at least one time.'),
      ('pc_timetables', 'pc_timetables_masjid_id_fkey', 'A timetable belongs to a masjid of the directory.'),
      ('pc_timetable_days', 'pc_timetable_days_session_check', 'A session is 1 to 9.'),
      ('pc_timetable_days', 'pc_timetable_days_times_check', 'A day of a timetable has an adhan, an iqamah or both.'),
      ('pc_timetable_days', 'pc_timetable_days_jumuah_check', 'Jumu''ah is on a Friday.'),
      ('pc_timetable_days', 'pc_timetable_days_key', 'A timetable has one time for each day, prayer and session.')
    ) as said (target, name, words)
  loop
    execute format('comment on constraint %I on %I is %L', rule.name, rule.target, rule.words);
  end loop;
end
$$;

-- Those of a masjid take turns, so that which layer is on top is decided once.
create function lock_timetables(masjid uuid) returns void
language sql
begin atomic;
  select pg_advisory_xact_lock(hashtextextended(masjid::text, 6206180));
end;
comment on function lock_timetables is 'Waits until nobody else publishes or undoes timetables of a masjid.';

-- A row whose iqamah a rule gives still stands for its adhan.
create function standing_days(masjid uuid, first date, last date) returns setof uuid
language sql stable
begin atomic;
  select ranked.id from (
    select day.id, day.by_rule, day.adhan,
      row_number() over (partition by day.date, day.prayer, day.session order by timetable.layer desc) as place
    from pc_timetable_days day
    join pc_timetables timetable on timetable.id = day.timetable_id and timetable.state = 'published'
    where day.masjid_id = masjid and day.date between first and last) ranked
  where ranked.place = 1 and (ranked.by_rule is null or ranked.adhan is not null);
end;
comment on function standing_days is 'The rows of a masjid''s published timetables that no newer timetable covers and no rule gives, over a range of days.';

-- Rows are taken down before others are put up: the index allows one for each prayer.
create function settle_timetable_days(masjid uuid, first date, last date) returns void
language plpgsql set search_path from current as $$
declare
  standing constant uuid[] := array(select standing_days(masjid, first, last));
begin
  update pc_timetable_days set in_force = false
  where masjid_id = masjid and date between first and last and in_force and id <> all (standing);
  update pc_timetable_days set in_force = true where id = any (standing) and not in_force;
end
$$;
comment on function settle_timetable_days is 'Marks the rows of a masjid''s timetables that stand, over a range of days.';
revoke execute on function lock_timetables, standing_days, settle_timetable_days from public;

-- What an event follows has moved.
create trigger note_anchor_insert after insert on pc_timetables
  referencing new table as changed for each statement execute function note_anchor_change();
create trigger note_anchor_update after update on pc_timetables
  referencing new table as changed for each statement execute function note_anchor_change();
create trigger note_deletion after delete on pc_timetables for each row execute function note_deletion();

create or replace view pc_changes as
select 'pc_prayer_sources' as table_name, id, masjid_id, updated_at as changed_at, deleted_at is not null as is_deleted
from pc_prayer_sources
union all
select 'pc_iqamah_schedules', id, masjid_id, updated_at, deleted_at is not null from pc_iqamah_schedules
union all
-- one line for a masjid: its 400 days were calculated in one go
select 'pc_calculated_times', masjid_id, masjid_id, changed_at, false from calculation_states where changed_at is not null
union all
select table_name, id, masjid_id, deleted_at, true from deleted_rows where table_name like 'pc\_%'
union all
-- one line for a timetable: its days were published in one go
select 'pc_timetables', id, masjid_id, updated_at, false from pc_timetables;
comment on view pc_changes is E'@scope prayer-times:read\n@key table_name, id\nWhat changed in the prayer times, deletions included: sources, iqamah rules, timetables, and calculated times (one line for each masjid). See up_changes for how to ask.';
