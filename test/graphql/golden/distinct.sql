select '{"up_masjids":' || (select coalesce('[' || string_agg(concat('{"city":', coalesce(json_scalar("r1"."c0"), 'null'), ',"distance_km":', coalesce(json_scalar("r1"."c1"), 'null'), '}'), E',\n') || ']', '[]')
from (select "t1"."city" as "c0", "public"."up_masjids_distance_km"("t1"."whole row", "latitude" => $1::"pg_catalog"."float8", "longitude" => $2::"pg_catalog"."float8") as "c1"
from (select distinct on ("t1"."city") "t1"."id", "t1"."entity_id", "t1"."slug", "t1"."name", "t1"."name_ar", "t1"."address", "t1"."city", "t1"."state", "t1"."postal_code", "t1"."country", "t1"."latitude", "t1"."longitude", "t1"."timezone", "t1"."calculation_method", "t1"."madhab", "t1"."high_latitude_rule", "t1"."adjustments", "t1"."hijri_adjustment", "t1"."languages", "t1"."facilities", "t1"."capacity", "t1"."phone", "t1"."email", "t1"."website", "t1"."verification", "t1"."verified_at", "t1"."created_at", "t1"."updated_at", ("t1".*)::"public"."up_masjids" as "whole row"
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null
order by "t1"."city" asc, "t1"."capacity" desc, "t1"."id" asc limit 5) "t1") "r1") || '}' as "data"
