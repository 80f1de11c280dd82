select to_json("root")::text as "data"
from (select (select to_json("r1")
from (select "t1"."id" as "id", (select to_json("r2")
from (select "t2"."legal_name" as "legal_name"
from "public"."up_entities" "t2"
where "t2"."id" = "t1"."entity_id" and "t2"."deleted_at" is null limit 1) "r2") as "entity"
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null and (("t1"."slug" = $1::"pg_catalog"."text")) limit 1) "r1") as "a", (select coalesce(json_agg("r3"), '[]')
from (select "t3"."id" as "id", (select to_json("r4")
from (select "t4"."id" as "id"
from "public"."up_entities" "t4"
where "t4"."id" = "t3"."parent_id" and "t4"."deleted_at" is null limit 1) "r4") as "parent"
from "public"."up_entities" "t3"
where "t3"."deleted_at" is null limit 1) "r3") as "b", 'query_root'::text as "__typename") "root"
