select concat('{"up_masjids_by_pk":{"id":"', "t1"."id", '","name":', coalesce(json_scalar("t1"."name"), 'null'), ',"city":', coalesce(json_scalar("t1"."city"), 'null'), '}}') as "data"
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null and (("t1"."id" = $1::"pg_catalog"."uuid")) limit 1
