select to_json("root")::text as "data"
from (select (select coalesce(json_agg("r1"), '[]')
from (select "t1"."id" as "id", "t1"."name" as "name", (select coalesce(json_agg("r2"), '[]')
from (select "t2"."id" as "id", "t2"."title" as "title"
from "public"."up_events" "t2"
where "t2"."masjid_id" = "t1"."id" and "t2"."deleted_at" is null
order by "t2"."starts_local" asc limit 3) "r2") as "events"
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null and ("t1"."city" = $1::"pg_catalog"."text")
order by "t1"."name" asc limit 25) "r1") as "up_masjids") "root"
