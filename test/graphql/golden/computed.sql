select '{"up_masjids":' || (select coalesce('[' || string_agg(concat('{"adjustments":', coalesce(json_scalar("r1"."c0"), 'null'), ',"distance_km":', coalesce(json_scalar("r1"."c1"), 'null'), '}'), E',\n') || ']', '[]')
from (select ("t1"."adjustments" #> $5::"pg_catalog"."text"[]) as "c0", "public"."up_masjids_distance_km"("t1".*, "latitude" => $2::"pg_catalog"."float8", "longitude" => $3::"pg_catalog"."float8") as "c1"
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null and (("public"."up_masjids_distance_km"("t1".*, "latitude" => $2::"pg_catalog"."float8", "longitude" => $3::"pg_catalog"."float8") < $1::"pg_catalog"."float8") and (("t1"."adjustments")::"pg_catalog"."text" like $4::"pg_catalog"."text"))
order by "public"."up_masjids_distance_km"("t1".*, "latitude" => $2::"pg_catalog"."float8", "longitude" => $3::"pg_catalog"."float8") asc limit 100) "r1") || '}' as "data"
