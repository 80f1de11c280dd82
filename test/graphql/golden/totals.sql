select to_json("root")::text as "data"
from (select (select to_json("r1")
from (select (select to_json("r2")
from (select count(*) as "count", json_build_object('capacity', sum("t2"."capacity")) as "sum", json_build_object('starts_local', max("t2"."starts_local")) as "max"
from "public"."up_events" "t2"
where "t2"."deleted_at" is null and ("t2"."status" = $1::"public"."up_event_status")) "r2") as "aggregate", (select coalesce(json_agg("r3"), '[]')
from (select "t3"."id" as "id"
from "public"."up_events" "t3"
where "t3"."deleted_at" is null and ("t3"."status" = $1::"public"."up_event_status") limit 100) "r3") as "nodes", (select coalesce(json_agg("r4"), '[]')
from (select json_build_object('category', "t4"."category") as "keys", json_build_object('count', count(*), 'avg', json_build_object('capacity', avg("t4"."capacity"))) as "aggregate"
from "public"."up_events" "t4"
where "t4"."deleted_at" is null and ("t4"."status" = $1::"public"."up_event_status")
group by "t4"."category", "t4"."mode"
order by count(*) desc, "t4"."category", "t4"."mode" limit 10) "r4") as "groups") "r1") as "up_events_aggregate") "root"
