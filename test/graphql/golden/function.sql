select '{"up_masjids_nearby":' || (select coalesce('[' || string_agg(concat('{"name":', coalesce(json_scalar("r1"."c0"), 'null'), ',"distance_km":', coalesce(json_scalar("r1"."c1"), 'null'), '}'), E',\n') || ']', '[]')
from (select "t1"."name" as "c0", "public"."up_masjids_distance_km"("t1".*, "latitude" => $1::"pg_catalog"."float8", "longitude" => $2::"pg_catalog"."float8") as "c1"
from "public"."up_masjids_nearby"("latitude" => $1::"pg_catalog"."float8", "longitude" => $2::"pg_catalog"."float8") "t1"
where "t1"."deleted_at" is null and ("t1"."capacity" > $3::"pg_catalog"."int4") limit 10) "r1") || '}' as "data"
