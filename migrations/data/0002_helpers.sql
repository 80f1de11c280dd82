-- Up Migration
-- Functions that checks, indexes and triggers stand on. None returns rows of a table, so none shows in the API.

-- Only names of the IANA database: PostgreSQL by itself also takes abbreviations and made-up POSIX zones such as
-- "Nowhere/City5", all of which need a digit or lack the slash. Reading pg_timezone_names would cost 20 ms a row.
create function is_time_zone(name text) returns boolean
language plpgsql immutable parallel safe set search_path from current as $$
begin
  if name !~ '^([A-Z][A-Za-z]*(/[A-Z][A-Za-z_]*(-[A-Za-z_]+)*){1,2}|UTC)$' then
    return false;
  end if;
  perform timestamptz '2000-01-01 00:00:00+00' at time zone name;
  return true;
exception when invalid_parameter_value then
  return false;
end
$$;
comment on function is_time_zone is 'Whether a name is a time zone of the IANA database, such as America/Toronto.';

create function is_email(address text) returns boolean
language sql immutable parallel safe
begin atomic;
  -- one spelling per mailbox, so that a unique key means what it says
  select length(address) <= 254 and address = lower(address)
    and address ~ '^[^@[:space:]<>",;]+@[^@[:space:]<>",;.]+([.][^@[:space:]<>",;.]+)+$';
end;
comment on function is_email is 'Whether a text has the form of an e-mail address, in small letters.';

create function is_web_address(address text) returns boolean
language sql immutable parallel safe
begin atomic;
  select length(address) <= 2000 and address ~ '^https?://[^[:space:]/]+(/[^[:space:]]*)?$';
end;
comment on function is_web_address is 'Whether a text is an absolute http or https address.';

create function is_phone(number text) returns boolean
language sql immutable parallel safe
begin atomic;
  select number ~ '^[+]?[0-9(][0-9 ()./-]{4,29}$';
end;
comment on function is_phone is 'Whether a text has the form of a telephone number.';

create function is_language_list(languages text[]) returns boolean
language sql immutable parallel safe
begin atomic;
  select coalesce(bool_and(language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$') and count(*) = count(distinct language), true)
    and array_position(languages, null) is null
  from unnest(languages) language;
end;
comment on function is_language_list is 'Whether every element is a BCP 47 language tag, each once.';

create function is_prayer_adjustment(adjustments jsonb) returns boolean
language sql immutable parallel safe
begin atomic;
  select jsonb_typeof(adjustments) = 'object' and not exists (
    select 1 from jsonb_each(case when jsonb_typeof(adjustments) = 'object' then adjustments else '{}' end) each
    where each.key not in ('fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha')
      or jsonb_typeof(each.value) <> 'number'
      or each.value::text !~ '^-?[0-9]{1,2}$'
  );
end;
comment on function is_prayer_adjustment is 'Whether a JSON object holds whole minutes (-99 to 99) by name of prayer.';

create function is_weekday_list(weekdays smallint[]) returns boolean
language sql immutable parallel safe
begin atomic;
  select cardinality(weekdays) > 0 and weekdays <@ '{1,2,3,4,5,6,7}'::smallint[]
    and array_position(weekdays, null) is null;
end;
comment on function is_weekday_list is 'Whether an array holds ISO weekdays, 1 (Monday) to 7 (Sunday).';

-- Arrays have no GiST overlap of their own without another extension; multiranges do.
create function weekday_span(weekdays smallint[]) returns int4multirange
language sql immutable parallel safe
begin atomic;
  select coalesce(range_agg(int4range(weekday, weekday, '[]')), '{[1,8)}'::int4multirange) from unnest(weekdays) weekday;
end;
comment on function weekday_span is 'The ISO weekdays as a multirange; every day when there are none.';

create function is_daylight_time(date date, timezone text) returns boolean
language sql stable parallel safe
begin atomic;
  -- at noon, since clocks change at night; compared with the lesser offset of January and July, for both hemispheres
  select (date + time '12:00') - (((date + time '12:00') at time zone timezone) at time zone 'UTC') > least(
    (make_date(extract(year from date)::int, 1, 1) + time '12:00')
      - (((make_date(extract(year from date)::int, 1, 1) + time '12:00') at time zone timezone) at time zone 'UTC'),
    (make_date(extract(year from date)::int, 7, 1) + time '12:00')
      - (((make_date(extract(year from date)::int, 7, 1) + time '12:00') at time zone timezone) at time zone 'UTC')
  );
end;
comment on function is_daylight_time is 'Whether clocks in a zone are ahead of standard time on a day.';

-- unaccent() is only stable, since its dictionary could be changed; naming the dictionary makes the promise ours.
create function search_text(value text) returns text
language sql immutable strict parallel safe
begin atomic;
  select lower(unaccent('unaccent'::regdictionary, value));
end;
comment on function search_text is 'A text in small letters without accents: what searching compares.';

create function touch_updated_at() returns trigger
language plpgsql set search_path from current as $$
begin
  new.updated_at = now();
  return new;
end
$$;
comment on function touch_updated_at is 'Keeps updated_at: the time of the last change of a row.';

-- What every table has. Called once for each table, in the migration that creates it.
create function adopt_table(target regclass) returns void
language plpgsql set search_path from current as $$
begin
  execute format('create index on %s (updated_at, id)', target);
  execute format(
    'create trigger touch_updated_at before update on %s for each row execute function touch_updated_at()', target);
  execute format('comment on column %s.id is %L', target, 'The row''s lasting identifier.');
  execute format('comment on column %s.created_at is %L', target, 'When the row was written first.');
  execute format('comment on column %s.updated_at is %L', target, 'When the row was last changed.');
  if exists (select from pg_attribute where attrelid = target and attname = 'deleted_at') then
    execute format('comment on column %s.deleted_at is %L', target,
      E'@hidden\nWhen the row was deleted; such rows are no longer shown.');
  end if;
end
$$;
comment on function adopt_table is 'Gives a table what all tables have: the change index, the change time, common comments.';
