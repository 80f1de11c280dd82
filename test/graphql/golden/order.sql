select '{"up_masjids":' || (select coalesce('[' || string_agg(concat('{"slug":', coalesce(json_scalar("r1"."c0"), 'null'), ',"_cursor":', coalesce(json_scalar("r1"."c1"), 'null'), '}'), E',\n') || ']', '[]')
from (select "t1"."slug" as "c0", translate(encode(convert_to(json_build_array('o3ON9AJF', ((select "t6"."legal_name"
from "public"."up_entities" "t6"
where "t6"."id" = "t1"."entity_id" and "t6"."deleted_at" is null limit 1))::text, ((select count(*)
from "public"."up_events" "t7"
where "t7"."masjid_id" = "t1"."id" and "t7"."deleted_at" is null))::text, ("t1"."state")::text, ("t1"."id")::text)::text, 'UTF8'), 'base64'), E'+/=\n', '-_') as "c1"
from (select "t1"."id", "t1"."entity_id", "t1"."slug", "t1"."name", "t1"."name_ar", "t1"."address", "t1"."city", "t1"."state", "t1"."postal_code", "t1"."country", "t1"."latitude", "t1"."longitude", "t1"."timezone", "t1"."calculation_method", "t1"."madhab", "t1"."high_latitude_rule", "t1"."adjustments", "t1"."hijri_adjustment", "t1"."languages", "t1"."facilities", "t1"."capacity", "t1"."phone", "t1"."email", "t1"."website", "t1"."verification", "t1"."verified_at", "t1"."created_at", "t1"."updated_at", "t1"."fajr_angle", "t1"."isha_angle", "t1"."isha_minutes", "t1"."maghrib_angle", "t1"."hijri_authority_id", "t1"."version", "t1"."high_latitude_rule_to_confirm", "t1"."guest_rsvps", ("t1".*)::"public"."up_masjids" as "whole row"
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null and (((select "t2"."legal_name"
from "public"."up_entities" "t2"
where "t2"."id" = "t1"."entity_id" and "t2"."deleted_at" is null limit 1) < $1::"pg_catalog"."text" or ((select "t2"."legal_name"
from "public"."up_entities" "t2"
where "t2"."id" = "t1"."entity_id" and "t2"."deleted_at" is null limit 1) is not null and $1::"pg_catalog"."text" is null)) or ((select "t2"."legal_name"
from "public"."up_entities" "t2"
where "t2"."id" = "t1"."entity_id" and "t2"."deleted_at" is null limit 1) is not distinct
from $1::"pg_catalog"."text" and (((select count(*)
from "public"."up_events" "t3"
where "t3"."masjid_id" = "t1"."id" and "t3"."deleted_at" is null) < $2::"pg_catalog"."int4" or ((select count(*)
from "public"."up_events" "t3"
where "t3"."masjid_id" = "t1"."id" and "t3"."deleted_at" is null) is not null and $2::"pg_catalog"."int4" is null)) or ((select count(*)
from "public"."up_events" "t3"
where "t3"."masjid_id" = "t1"."id" and "t3"."deleted_at" is null) is not distinct
from $2::"pg_catalog"."int4" and (("t1"."state" < $3::"pg_catalog"."text" or ("t1"."state" is null and $3::"pg_catalog"."text" is not null)) or ("t1"."state" is not distinct
from $3::"pg_catalog"."text" and "t1"."id" > $4::"pg_catalog"."uuid"))))))
order by (select "t4"."legal_name"
from "public"."up_entities" "t4"
where "t4"."id" = "t1"."entity_id" and "t4"."deleted_at" is null limit 1) desc, (select count(*)
from "public"."up_events" "t5"
where "t5"."masjid_id" = "t1"."id" and "t5"."deleted_at" is null) desc, "t1"."state" desc nulls last, "t1"."id" asc limit 10 offset $5::"pg_catalog"."int8") "t1") "r1") || '}' as "data"
