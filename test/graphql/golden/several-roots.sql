select '{"a":' || coalesce((select concat('{"id":"', "t1"."id", '","entity":') || coalesce((select concat('{"legal_name":', coalesce(json_scalar("t2"."legal_name"), 'null'), '}')
from "public"."up_entities" "t2"
where "t2"."id" = "t1"."entity_id" and "t2"."deleted_at" is null limit 1), 'null') || '}'
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null and (("t1"."slug" = $1::"pg_catalog"."text")) limit 1), 'null') || ',"b":' || (select coalesce('[' || string_agg(concat('{"id":"', "r3"."c0", '","parent":') || "r3"."c1" || '}', E',\n') || ']', '[]')
from (select "t3"."id" as "c0", coalesce((select concat('{"id":"', "t4"."id", '"}')
from "public"."up_entities" "t4"
where "t4"."id" = "t3"."parent_id" and "t4"."deleted_at" is null limit 1), 'null') as "c1"
from "public"."up_entities" "t3"
where "t3"."deleted_at" is null limit 1) "r3") || ',"__typename":"query_root"}' as "data"
