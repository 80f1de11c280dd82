select to_json("root")::text as "data"
from (select (select to_json("r1")
from (select "t1"."id" as "id", "t1"."name" as "name", "t1"."city" as "city"
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null and (("t1"."id" = $1::"pg_catalog"."uuid")) limit 1) "r1") as "up_masjids_by_pk") "root"
