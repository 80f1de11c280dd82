select to_json("root")::text as "data"
from (select (select coalesce(json_agg("r1"), '[]')
from (select "t1"."name" as "name", "public"."up_masjids_distance_km"("t1", "latitude" => $1::"pg_catalog"."float8", "longitude" => $2::"pg_catalog"."float8") as "distance_km"
from "public"."up_masjids_nearby"("latitude" => $1::"pg_catalog"."float8", "longitude" => $2::"pg_catalog"."float8") "t1"
where "t1"."deleted_at" is null and ("t1"."capacity" > $3::"pg_catalog"."int4") limit 10) "r1") as "up_masjids_nearby") "root"
