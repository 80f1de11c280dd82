-- Up Migration
-- More rules for places far north and south, and no rule at all.

-- What each stands for: src/prayer/calculation/. An earlier version that finds one of them calculates nothing and says so in its log.
alter type pc_high_latitude_rule add value if not exists 'nearest_latitude_45';
alter type pc_high_latitude_rule add value if not exists 'nearest_latitude_48_5';
alter type pc_high_latitude_rule add value if not exists 'nearest_day';
alter type pc_high_latitude_rule add value if not exists 'none';
comment on type pc_high_latitude_rule is
  'What stands for Fajr and Isha far north and south, where the sun does not get as low as the method says. middle_of_the_night, seventh_of_the_night, twilight_angle: a half, a seventh, or a sixtieth for each degree of the angle is the most of the night that each takes, all year, on days too when the sun reaches the angle. The others leave the angle wherever it is reached. nearest_latitude_45, nearest_latitude_48_5: otherwise the time at the same longitude at this latitude. nearest_day: otherwise the time of the nearest day that has one. none: otherwise nothing. Where the sun does not rise or set, only the nearest latitudes and the nearest day give sunrise, Asr and Maghrib. The method MoonsightingCommittee has its own rule.';
comment on column up_masjids.high_latitude_rule is
  'What stands for Fajr and Isha where the sun does not get as low as the method says. Null: the angle on every day on which it is reached, otherwise a seventh of the night (up to 48 degrees of latitude, its middle).';
