-- Up Migration
-- When hijri months begin, as announced by an authority or by a masjid itself. Months that nobody announced are calculated.

create table pc_hijri_authorities (
  id uuid primary key default gen_random_uuid(),
  name text not null check (name <> '' and length(name) <= 200),
  country text check (country ~ '^[A-Z]{2}$'),
  website text check (is_web_address(website)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index on pc_hijri_authorities (name) where deleted_at is null;
select adopt_table('pc_hijri_authorities');
comment on table pc_hijri_authorities is E'@scope prayer-times:read\n@soft_delete deleted_at\nBodies that announce when hijri months begin, and that masjids follow.';
comment on column pc_hijri_authorities.name is 'What people call it.';
comment on column pc_hijri_authorities.country is 'The country it announces for, ISO 3166-1 alpha-2; null: for no one country.';
comment on column pc_hijri_authorities.website is 'Its own website.';

alter table up_masjids add column hijri_authority_id uuid references pc_hijri_authorities on delete set null;
create index on up_masjids (hijri_authority_id) where hijri_authority_id is not null;
comment on column up_masjids.hijri_authority_id is 'Whose announcements of hijri months the masjid follows; null: the calculated Umm al-Qura calendar. What the masjid announces itself comes first.';
comment on constraint up_masjids_hijri_authority_id_fkey on up_masjids is E'@object hijri_authority\n@array masjids\nThe authority whose months a masjid follows.';
comment on column up_masjids.hijri_adjustment is E'@deprecated 2026-11-16 One shift for all months gives some of them a wrong length. Announce months in pc_hijri_months, or follow an authority.\nDays the masjid''s own hijri date is ahead (or behind) of the Umm al-Qura calendar, in months that nobody announced.';

-- Counted from 1 Muharram of the year 1 in mean lunations. No calendar that people follow strays from that by more than three days.
create function mean_month_start(hijri_year integer, hijri_month integer) returns date
language sql immutable parallel safe
begin atomic;
  select date '0622-07-19' + round(29.530588853 * ((hijri_year - 1) * 12 + hijri_month - 1))::integer;
end;
comment on function mean_month_start is 'About when a hijri month begins, by the mean length of months.';

create table pc_hijri_months (
  id uuid primary key default gen_random_uuid(),
  authority_id uuid references pc_hijri_authorities on delete cascade,
  masjid_id uuid references up_masjids on delete cascade,
  hijri_year smallint not null check (hijri_year between 1300 and 1700),
  hijri_month smallint not null check (hijri_month between 1 and 12),
  starts_on date not null,
  announced_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint pc_hijri_months_one_announcer_check check (num_nonnulls(authority_id, masjid_id) = 1),
  constraint pc_hijri_months_new_moon_check check (abs(starts_on - mean_month_start(hijri_year, hijri_month)) <= 3)
);
create unique index pc_hijri_months_authority_key on pc_hijri_months (authority_id, hijri_year, hijri_month)
  where authority_id is not null and deleted_at is null;
create unique index pc_hijri_months_masjid_key on pc_hijri_months (masjid_id, hijri_year, hijri_month)
  where masjid_id is not null and deleted_at is null;
select adopt_table('pc_hijri_months');
comment on table pc_hijri_months is E'@scope prayer-times:read\n@soft_delete deleted_at\nWhen hijri months begin, as announced by an authority or by a masjid itself. A masjid''s own announcement comes before its authority''s; months that nobody announced follow the calculated Umm al-Qura calendar, as near as months of 29 or 30 days allow.';
comment on column pc_hijri_months.authority_id is 'The authority that announced it; null: a masjid did.';
comment on column pc_hijri_months.masjid_id is 'The masjid that announced it for itself; null: an authority did.';
comment on column pc_hijri_months.hijri_year is 'The hijri year.';
comment on column pc_hijri_months.hijri_month is 'The month, 1 (Muharram) to 12 (Dhu al-Hijjah).';
comment on column pc_hijri_months.starts_on is 'The day that is the first of the month; its evening before belongs to it.';
comment on column pc_hijri_months.announced_at is 'When it was announced.';
comment on constraint pc_hijri_months_authority_id_fkey on pc_hijri_months is E'@object authority\n@array months\nThe authority that announced a month.';
comment on constraint pc_hijri_months_masjid_id_fkey on pc_hijri_months is E'@object masjid\n@array hijri_months\nThe masjid that announced a month for itself.';

-- Consecutive months are 29 or 30 days apart; so k months are 29k to 30k days. Deferrable, to correct two months at once.
create function check_month_lengths() returns trigger
language plpgsql set search_path from current as $$
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
      raise exception 'Month % of % cannot begin on %: another announced month begins % month(s) % it, % day(s) away, and months have 29 or 30 days.',
        new.hijri_month, new.hijri_year, new.starts_on, abs(other.months),
        case when other.months > 0 then 'after' else 'before' end, other.days
        using errcode = 'check_violation', constraint = 'pc_hijri_months_length_check', table = 'pc_hijri_months';
    end if;
  end loop;
  return null;
end
$$;
comment on function check_month_lengths is 'Refuses a month that would be shorter than 29 days or longer than 30, or make another so.';
create constraint trigger check_month_lengths after insert or update on pc_hijri_months
  deferrable initially immediate for each row execute function check_month_lengths();

create function note_hijri_change() returns trigger
language plpgsql set search_path from current as $$
begin
  update calculation_states state set revision = state.revision + 1, touched_at = now()
  from up_masjids masjid
  where masjid.id = state.masjid_id and (
    masjid.id in (old.masjid_id, new.masjid_id) or masjid.hijri_authority_id in (old.authority_id, new.authority_id));
  perform pg_notify('minaret_prayer', tg_table_schema);
  return null;
end
$$;
comment on function note_hijri_change is 'Marks the days of every masjid that an announcement concerns as due for calculation and wakes the job.';
create trigger note_new_month after insert or delete on pc_hijri_months for each row execute function note_hijri_change();
create trigger note_changed_month after update on pc_hijri_months for each row
  when ((old.authority_id, old.masjid_id, old.hijri_year, old.hijri_month, old.starts_on, old.deleted_at is null)
    is distinct from (new.authority_id, new.masjid_id, new.hijri_year, new.hijri_month, new.starts_on, new.deleted_at is null))
  execute function note_hijri_change();

-- "Ramadan begins tomorrow": select announce_hijri_month(1448, 9, current_date + 1, masjid_id => '…').
-- Said again with another day, it corrects what was said before.
create function announce_hijri_month(
  hijri_year integer, hijri_month integer, starts_on date, masjid_id uuid default null, authority_id uuid default null
) returns uuid
language plpgsql set search_path from current as $$
declare
  announced uuid;
begin
  if num_nonnulls(masjid_id, authority_id) <> 1 then
    raise exception 'Say who announces: masjid_id or authority_id, one of them.' using errcode = 'invalid_parameter_value';
  end if;
  update pc_hijri_months known set starts_on = announce_hijri_month.starts_on, announced_at = now()
  where known.deleted_at is null
    and (known.hijri_year, known.hijri_month) = (announce_hijri_month.hijri_year, announce_hijri_month.hijri_month)
    and (known.masjid_id = announce_hijri_month.masjid_id or known.authority_id = announce_hijri_month.authority_id)
  returning id into announced;
  if announced is null then
    insert into pc_hijri_months (authority_id, masjid_id, hijri_year, hijri_month, starts_on)
    values (announce_hijri_month.authority_id, announce_hijri_month.masjid_id, announce_hijri_month.hijri_year,
      announce_hijri_month.hijri_month, announce_hijri_month.starts_on)
    returning id into announced;
  end if;
  return announced;
end
$$;
comment on function announce_hijri_month is 'Announces when a hijri month begins, or corrects it; the days of the masjids that follow are calculated anew.';

create trigger note_deletion after delete on pc_hijri_authorities for each row execute function note_deletion();
create trigger note_deletion after delete on pc_hijri_months for each row execute function note_deletion();

create or replace view pc_changes as
select 'pc_prayer_sources' as table_name, id, masjid_id, updated_at as changed_at, deleted_at is not null as is_deleted
from pc_prayer_sources
union all
select 'pc_iqamah_schedules', id, masjid_id, updated_at, deleted_at is not null from pc_iqamah_schedules
union all
-- one line for a masjid: its 400 days were calculated in one go
select 'pc_calculated_times', masjid_id, masjid_id, changed_at, false from calculation_states where changed_at is not null
union all
select 'pc_hijri_authorities', id, null::uuid, updated_at, deleted_at is not null from pc_hijri_authorities
union all
select 'pc_hijri_months', id, masjid_id, updated_at, deleted_at is not null from pc_hijri_months
union all
select table_name, id, masjid_id, deleted_at, true from deleted_rows where table_name like 'pc\_%';
comment on view pc_changes is E'@scope prayer-times:read\n@key table_name, id\nWhat changed in the prayer times, deletions included: sources, iqamah rules, announced months and their authorities, and calculated times (one line for each masjid). See up_changes for how to ask.';

-- What the times of a masjid depend on has grown.
drop trigger note_masjid_change on up_masjids;
create trigger note_masjid_change after update on up_masjids for each row
  when ((old.latitude, old.longitude, old.timezone, old.calculation_method, old.madhab, old.high_latitude_rule,
         old.adjustments, old.hijri_adjustment, old.hijri_authority_id, old.fajr_angle, old.isha_angle, old.isha_minutes,
         old.maghrib_angle, old.deleted_at is null)
    is distinct from (new.latitude, new.longitude, new.timezone, new.calculation_method, new.madhab, new.high_latitude_rule,
         new.adjustments, new.hijri_adjustment, new.hijri_authority_id, new.fajr_angle, new.isha_angle, new.isha_minutes,
         new.maghrib_angle, new.deleted_at is null))
  execute function note_masjid_change();

-- Its body names the columns of up_masjids, so it is read anew: whoever adds a column has to do the same.
create or replace function up_masjids_nearby(
  latitude double precision, longitude double precision, radius_km double precision default 10
) returns setof up_masjids
language sql stable parallel safe
begin atomic;
  select masjid.* from up_masjids masjid
  where cube_enlarge(earth_point($1, $2), chord_km($3), 3) @> earth_point(masjid.latitude, masjid.longitude)
    and (earth_point(masjid.latitude, masjid.longitude) <-> earth_point($1, $2)) <= chord_km($3)
    and checked_place($1, $2, $3)
    and masjid.deleted_at is null
  order by earth_point(masjid.latitude, masjid.longitude) <-> earth_point($1, $2), masjid.id;
end;
