-- Up Migration
-- What our functions read, so that answers made with them are kept in memory. Not for functions whose defaults are the current time
-- (pc_prayer_times_today and the like): their answers change without any write.

comment on function up_masjids_nearby is E'@reads up_masjids\nMasjids within a radius (in kilometres, 10 unless told) of a place, nearest first.';
comment on function up_masjids_search is E'@reads up_masjids\nMasjids whose name or city is like the words searched for, best first; forgives accents and slips of spelling.';
comment on function up_masjids_distance_km is E'@computed distance_km\n@reads\nThe distance from a place to the masjid, in kilometres as the crow flies.';
comment on function is_in_season is E'@reads\nWhether a season of rules holds on a day.';
comment on function weekly_iqamah is E'@hidden\n@reads pc_calculated_times, pc_timetable_days\nThe iqamah that a rule gives whose time changes on one weekday.';

-- It is called by a view with the rights of whoever reads, and looks at a hidden column: every reading of a weekly rule failed.
alter function weekly_iqamah security definer;
select pin_search_paths();

-- Sources are left out: a rule may name one of another masjid.
do $$
begin
  execute format('comment on view pc_prayer_times is %L', regexp_replace(obj_description('pc_prayer_times'::regclass, 'pg_class'), '^',
    E'@of_masjid masjid_id pc_calculated_times, up_masjids, pc_iqamah_schedules, pc_timetable_days, pc_timetables\n'));
end
$$;
