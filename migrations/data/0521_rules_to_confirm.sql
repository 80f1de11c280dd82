-- Up Migration
-- Without a rule, Fajr and Isha were bounded by a seventh of the night all year beyond 48 degrees. Now that is a rule of its own name, and
-- no rule means the angle wherever it is reached. Nobody's times move unasked: the masjids there are get the rule they had, and their
-- staff are asked. MoonsightingCommittee has its own rule, so that there is nothing to ask.

select add_filled_column('up_masjids', 'high_latitude_rule_to_confirm', 'boolean', 'false');
comment on column up_masjids.high_latitude_rule_to_confirm is
  'Whether an upgrade wrote high_latitude_rule down and the masjid''s staff have not said yet whether it stays. False or another rule is their answer; it never becomes true again.';

create or replace function split_masjid(masjid up_masjids, out times jsonb, out identity jsonb, out details jsonb, out place jsonb)
language sql stable
begin atomic;
  select jsonb_build_array((masjid).timezone, (masjid).calculation_method, (masjid).madhab, (masjid).high_latitude_rule,
      (masjid).adjustments, (masjid).hijri_adjustment, (masjid).hijri_authority_id, (masjid).fajr_angle, (masjid).isha_angle,
      (masjid).isha_minutes, (masjid).maghrib_angle, (masjid).high_latitude_rule_to_confirm),
    jsonb_build_array((masjid).slug, (masjid).entity_id, (masjid).deleted_at),
    jsonb_build_array((masjid).name, (masjid).name_ar, (masjid).address, (masjid).city, (masjid).state, (masjid).postal_code,
      (masjid).country, (masjid).latitude, (masjid).longitude, (masjid).languages, (masjid).facilities, (masjid).capacity,
      (masjid).phone, (masjid).email, (masjid).website),
    jsonb_build_array((masjid).name, (masjid).address, (masjid).city, (masjid).country, (masjid).latitude, (masjid).longitude);
end;

-- Its body names the columns of up_masjids, so it is read anew.
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

update up_masjids
set high_latitude_rule = 'seventh_of_the_night',
  high_latitude_rule_to_confirm = calculation_method <> 'MoonsightingCommittee' and deleted_at is null
where high_latitude_rule is null and abs(latitude) > 48;

-- Made after the question was asked. Whoever writes the rule has answered, with an earlier version too.
create function answer_rule_question() returns trigger
language plpgsql set search_path from current as $$
begin
  new.high_latitude_rule_to_confirm := tg_op = 'UPDATE' and new.high_latitude_rule_to_confirm
    and old.high_latitude_rule_to_confirm and old.high_latitude_rule is not distinct from new.high_latitude_rule;
  return new;
end
$$;
comment on function answer_rule_question is 'Ends the question whether a masjid''s rule for high latitudes stays, once there is an answer.';
create trigger answer_rule_question before insert or update on up_masjids for each row
  execute function answer_rule_question();

select pin_search_paths();
