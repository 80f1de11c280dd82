-- Up Migration
-- How far adhan and iqamah lie from the date of their prayer day, wherever the masjid is: clocks are at most 14 hours ahead of UTC and 12
-- behind, a night ends at noon of the next day, and an iqamah follows its adhan within five hours. A condition or an order by them
-- therefore says which dates can matter.
do $$
declare
  name text;
begin
  foreach name in array array['adhan_at', 'iqamah_at'] loop
    execute format('comment on column pc_prayer_times.%I is %L', name, E'@near date 1 3\n' || (
      select col_description(attrelid, attnum) from pg_attribute where attrelid = 'pc_prayer_times'::regclass and attname = name));
  end loop;
end
$$;
