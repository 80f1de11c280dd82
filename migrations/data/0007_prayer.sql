-- Up Migration
-- Prayer times: where they come from, the masjid's own iqamah rules, and the calculated times of each day.

create table pc_prayer_sources (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids on delete cascade,
  kind pc_source_kind not null,
  label text not null check (label <> '' and length(label) <= 200),
  url text check (is_web_address(url)),
  priority smallint not null default 0 check (priority between 0 and 100),
  last_attempt_at timestamptz,
  last_success_at timestamptz,
  confidence numeric(3, 2) not null default 0.50 check (confidence between 0 and 1),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint pc_prayer_sources_masjid_id_priority_key unique (masjid_id, priority),
  constraint pc_prayer_sources_url_needed check (kind not in ('ical', 'api') or url is not null)
);
create index on pc_prayer_sources (kind);
select adopt_table('pc_prayer_sources');

comment on table pc_prayer_sources is E'@scope prayer-times:read\n@soft_delete deleted_at\nWhere a masjid''s prayer times come from, how fresh they are and how sure.';
comment on column pc_prayer_sources.masjid_id is 'The masjid.';
comment on column pc_prayer_sources.kind is 'What kind of source it is.';
comment on column pc_prayer_sources.label is 'What people call it.';
comment on column pc_prayer_sources.url is 'Where it is read from; always given for ical and api.';
comment on column pc_prayer_sources.priority is 'Which source wins: the greater number; unique within the masjid.';
comment on column pc_prayer_sources.last_attempt_at is 'When it was last asked.';
comment on column pc_prayer_sources.last_success_at is 'When it last gave times.';
comment on column pc_prayer_sources.confidence is 'How sure its times are, from 0 to 1.';

create table pc_iqamah_schedules (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids on delete cascade,
  source_id uuid references pc_prayer_sources on delete set null,
  prayer pc_prayer not null,
  session smallint not null default 1 check (session between 1 and 9),
  label text check (label <> '' and length(label) <= 200),
  rule pc_iqamah_rule not null,
  fixed_time time,
  offset_minutes smallint check (offset_minutes between 0 and 240),
  round_to smallint check (round_to between 2 and 60),
  not_before time,
  not_after time,
  season pc_season not null default 'all_year',
  weekdays smallint[] check (is_weekday_list(weekdays)),
  valid daterange not null default daterange(null, null) check (not isempty(valid)),
  priority smallint not null default 0 check (priority between 0 and 100),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint pc_iqamah_schedules_rule_check check (
    case rule
      when 'fixed' then fixed_time is not null
        and num_nonnulls(offset_minutes, round_to, not_before, not_after) = 0
      when 'offset' then offset_minutes is not null and num_nonnulls(fixed_time, round_to) = 0
      when 'rounded_offset' then offset_minutes is not null and round_to is not null and fixed_time is null
    end),
  constraint pc_iqamah_schedules_bounds_check check (not_before <= not_after),
  -- Of two rules for one prayer the one of greater priority wins, so two of the same priority may never meet.
  constraint pc_iqamah_schedules_no_overlap exclude using gist (
    masjid_id with =, prayer with =, session with =, priority with =, season with =,
    weekday_span(weekdays) with &&, valid with &&
  ) where (deleted_at is null)
);
create index on pc_iqamah_schedules (masjid_id, prayer, session);
create index on pc_iqamah_schedules (source_id);
select adopt_table('pc_iqamah_schedules');

comment on table pc_iqamah_schedules is E'@scope prayer-times:read\n@soft_delete deleted_at\nA masjid''s own rules for when the congregation stands up to pray.';
comment on column pc_iqamah_schedules.masjid_id is 'The masjid.';
comment on column pc_iqamah_schedules.source_id is 'The source the rule was taken from; null: entered by hand.';
comment on column pc_iqamah_schedules.prayer is 'The prayer the rule is for.';
comment on column pc_iqamah_schedules.session is 'Which congregation of the prayer, where there are several (first and second Jumu''ah).';
comment on column pc_iqamah_schedules.label is 'What the session is called.';
comment on column pc_iqamah_schedules.rule is 'How the iqamah is found.';
comment on column pc_iqamah_schedules.fixed_time is 'The local time, for a fixed rule.';
comment on column pc_iqamah_schedules.offset_minutes is 'Minutes after the adhan (Jumu''ah: after Dhuhr; Taraweeh: after Isha; Eid: after sunrise), for the other rules.';
comment on column pc_iqamah_schedules.round_to is 'The step in minutes that a rounded offset is rounded up to.';
comment on column pc_iqamah_schedules.not_before is 'The earliest local time.';
comment on column pc_iqamah_schedules.not_after is 'The latest local time.';
comment on column pc_iqamah_schedules.season is 'The part of the year the rule holds for.';
comment on column pc_iqamah_schedules.weekdays is 'ISO weekdays the rule holds for, 1 (Monday) to 7 (Sunday); null: all.';
comment on column pc_iqamah_schedules.valid is 'The days the rule is in force.';
comment on column pc_iqamah_schedules.priority is 'Which rule wins where several fit a day: the greater number.';
comment on constraint pc_iqamah_schedules_source_id_fkey on pc_iqamah_schedules is E'@object source\n@array iqamah_schedules\nThe source a rule was taken from.';

create table pc_calculated_times (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids on delete cascade,
  date date not null,
  fajr timestamptz,
  sunrise timestamptz,
  dhuhr timestamptz,
  asr timestamptz,
  maghrib timestamptz,
  isha timestamptz,
  midnight timestamptz,
  last_third timestamptz,
  hijri_year smallint not null check (hijri_year between 1300 and 1700),
  hijri_month smallint not null check (hijri_month between 1 and 12),
  hijri_day smallint not null check (hijri_day between 1 and 30),
  is_ramadan boolean not null,
  parameters_hash text not null,
  engine_version text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pc_calculated_times_masjid_id_date_key unique (masjid_id, date),
  constraint pc_calculated_times_ramadan_check check (is_ramadan = (hijri_month = 9)),
  -- nulls (the sun gives no such time) pass, each pair by itself
  constraint pc_calculated_times_order_check check (
    coalesce(fajr < sunrise, true) and coalesce(sunrise < dhuhr, true) and coalesce(dhuhr < asr, true)
    and coalesce(asr < maghrib, true) and coalesce(maghrib < isha, true))
);
create index on pc_calculated_times (date, masjid_id);
select adopt_table('pc_calculated_times');

comment on table pc_calculated_times is E'@scope prayer-times:read\nCalculated prayer times, one row per masjid and day, 400 days ahead. For what people pray by, see pc_prayer_times.';
comment on column pc_calculated_times.masjid_id is 'The masjid.';
comment on column pc_calculated_times.date is 'The prayer day, in the masjid''s time zone; Isha may fall after its midnight.';
comment on column pc_calculated_times.fajr is 'Fajr begins; null where the sun gives no such time.';
comment on column pc_calculated_times.sunrise is 'Sunrise: Fajr ends; null where the sun does not rise.';
comment on column pc_calculated_times.dhuhr is 'Dhuhr begins.';
comment on column pc_calculated_times.asr is 'Asr begins, by the masjid''s madhab.';
comment on column pc_calculated_times.maghrib is 'Maghrib begins; null where the sun does not set.';
comment on column pc_calculated_times.isha is 'Isha begins.';
comment on column pc_calculated_times.midnight is 'The middle of the night between Maghrib and the next Fajr.';
comment on column pc_calculated_times.last_third is 'The last third of that night begins.';
comment on column pc_calculated_times.hijri_year is 'Year of the hijri date by the masjid''s own decision.';
comment on column pc_calculated_times.hijri_month is 'Month of the hijri date, 1 (Muharram) to 12 (Dhu al-Hijjah).';
comment on column pc_calculated_times.hijri_day is 'Day of the hijri date.';
comment on column pc_calculated_times.is_ramadan is 'Whether the day is in Ramadan.';
comment on column pc_calculated_times.parameters_hash is 'Fingerprint of the masjid''s parameters the times were calculated from.';
comment on column pc_calculated_times.engine_version is 'The calculating library and its version.';
