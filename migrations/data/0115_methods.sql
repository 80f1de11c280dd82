-- Up Migration
-- More conventions for calculated times, and a masjid's own angles and minutes.

-- Which angles and minutes each stands for: src/prayer/calculation/methods.ts.
alter type pc_calculation_method add value if not exists 'Algeria';
alter type pc_calculation_method add value if not exists 'France12';
alter type pc_calculation_method add value if not exists 'France15';
alter type pc_calculation_method add value if not exists 'France18';
alter type pc_calculation_method add value if not exists 'Gulf';
alter type pc_calculation_method add value if not exists 'Jafari';
alter type pc_calculation_method add value if not exists 'Jakim';
alter type pc_calculation_method add value if not exists 'Jordan';
alter type pc_calculation_method add value if not exists 'Kemenag';
alter type pc_calculation_method add value if not exists 'Lisbon';
alter type pc_calculation_method add value if not exists 'Morocco';
alter type pc_calculation_method add value if not exists 'Russia';
alter type pc_calculation_method add value if not exists 'Tunisia';
alter type pc_calculation_method add value if not exists 'Other';
comment on type pc_calculation_method is
  'The convention (angles of Fajr and Isha) by which times are calculated; Other: the masjid''s own angles and minutes.';

alter table up_masjids
  add column fajr_angle double precision check (fajr_angle between 9 and 22),
  add column isha_angle double precision check (isha_angle between 9 and 22),
  add column isha_minutes smallint check (isha_minutes between 30 and 180),
  add column maghrib_angle double precision check (maghrib_angle between 1 and 8);
-- Compared as text: a value that was just added to an enum may not be used before its transaction ends.
alter table up_masjids add constraint up_masjids_own_angles_check check (
  case calculation_method::text
    when 'Other' then fajr_angle is not null and num_nonnulls(isha_angle, isha_minutes) = 1
    else num_nonnulls(fajr_angle, isha_angle, isha_minutes, maghrib_angle) = 0
  end);
comment on column up_masjids.fajr_angle is 'Degrees of the sun under the horizon at Fajr; only with the method Other, and then always.';
comment on column up_masjids.isha_angle is 'Degrees of the sun under the horizon at Isha; only with the method Other, which needs this or isha_minutes.';
comment on column up_masjids.isha_minutes is 'Minutes from sunset to Isha; only with the method Other, instead of isha_angle.';
comment on column up_masjids.maghrib_angle is 'Degrees of the sun under the horizon at Maghrib; only with the method Other; null: at sunset.';
