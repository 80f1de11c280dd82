select '{"up_masjids":' || (select coalesce('[' || string_agg(concat('{"id":"', "r1"."c0", '","name":', coalesce(json_scalar("r1"."c1"), 'null'), ',"events":') || "r1"."c2" || '}', E',\n') || ']', '[]')
from (select "t1"."id" as "c0", "t1"."name" as "c1", (select coalesce('[' || string_agg(concat('{"id":"', "r2"."c0", '","title":', coalesce(json_scalar("r2"."c1"), 'null'), '}'), E',\n') || ']', '[]')
from (select "t2"."id" as "c0", "t2"."title" as "c1"
from "public"."up_events" "t2"
where "t2"."masjid_id" = "t1"."id" and "t2"."deleted_at" is null
order by "t2"."starts_local" asc limit 3) "r2") as "c2"
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null and ("t1"."city" = $1::"pg_catalog"."text")
order by "t1"."name" asc limit 25) "r1") || '}' as "data"
