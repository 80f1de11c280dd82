select '{"week":' || (select coalesce('[' || string_agg(concat('{"date":', coalesce(json_scalar("r1"."c0"), 'null'), ',"isha":', coalesce(json_scalar("r1"."c1"), 'null'), '}'), E',\n') || ']', '[]')
from (select "t1"."date" as "c0", "t1"."isha" as "c1"
from "pg_catalog"."json_populate_recordset"(null::"public"."pc_place_times", $1::"pg_catalog"."json") "t1"
where "t1"."isha" is not null
order by "t1"."fajr_local" asc limit 3) "r1") || ',"pc_times_at_aggregate":' || ('{"aggregate":' || coalesce((select concat('{"count":', coalesce(json_scalar(count(*)), 'null'), '}')
from "pg_catalog"."json_populate_recordset"(null::"public"."pc_place_times", $2::"pg_catalog"."json") "t2"), 'null') || '}') || '}' as "data"
