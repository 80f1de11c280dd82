select '{"up_masjids":' || (select coalesce('[' || string_agg(concat('{"slug":', coalesce(json_scalar("r1"."c0"), 'null'), '}'), E',\n') || ']', '[]')
from (select "t1"."slug" as "c0"
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null and ((("t1"."name" = any ($1::"pg_catalog"."text"[])) or not ("t1"."state" is null)) and exists (select
from "public"."up_entities" "t2"
where "t2"."id" = "t1"."entity_id" and "t2"."deleted_at" is null and ("t2"."kind" = $2::"public"."up_entity_kind")) and exists (select
from "public"."up_events" "t3"
where "t3"."masjid_id" = "t1"."id" and "t3"."deleted_at" is null and (("t3"."title" ilike $3::"pg_catalog"."text") and (("t3"."capacity" >= $4::"pg_catalog"."int4")))) and ("t1"."languages" && $5::"pg_catalog"."_text") and ("t1"."adjustments" @> $6::"pg_catalog"."jsonb") and ((select count(*)
from "public"."up_events" "t4"
where "t4"."masjid_id" = "t1"."id" and "t4"."deleted_at" is null and ("t4"."mode" = $8::"public"."up_event_mode")) > $7::"pg_catalog"."int4")) limit 100) "r1") || '}' as "data"
