select '{"up_events_aggregate":' || ('{"aggregate":' || coalesce((select concat('{"count":', coalesce(json_scalar(count(*)), 'null'), ',"sum":') || (concat('{"capacity":', coalesce(json_scalar(sum("t1"."capacity")), 'null'), '}')) || ',"max":' || (concat('{"starts_local":', coalesce(json_scalar(max("t1"."starts_local")), 'null'), '}')) || '}'
from "public"."up_events" "t1"
where "t1"."deleted_at" is null and ("t1"."status" = $1::"public"."up_event_status")), 'null') || ',"nodes":' || (select coalesce('[' || string_agg(concat('{"id":"', "r2"."c0", '"}'), E',\n') || ']', '[]')
from (select "t2"."id" as "c0"
from "public"."up_events" "t2"
where "t2"."deleted_at" is null and ("t2"."status" = $1::"public"."up_event_status") limit 100) "r2") || ',"groups":' || (select coalesce('[' || string_agg('{"keys":' || "r3"."c0" || ',"aggregate":' || "r3"."c1" || '}', E',\n') || ']', '[]')
from (select (concat('{"category":', coalesce(json_scalar("t3"."category"), 'null'), '}')) as "c0", (concat('{"count":', coalesce(json_scalar(count(*)), 'null'), ',"avg":') || (concat('{"capacity":', coalesce(json_scalar(avg("t3"."capacity")), 'null'), '}')) || '}') as "c1"
from "public"."up_events" "t3"
where "t3"."deleted_at" is null and ("t3"."status" = $1::"public"."up_event_status")
group by "t3"."category", "t3"."mode"
order by count(*) desc, "t3"."category", "t3"."mode" limit 10) "r3") || '}') || '}' as "data"
