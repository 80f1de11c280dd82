select to_json("root")::text as "data"
from (select (select to_json("r1")
from (select (select to_json("r2")
from (select count(*) as "count", json_build_object('amount_minor', sum("t2"."amount_minor")) as "sum"
from "public"."ua_donations" "t2"
where "t2"."deleted_at" is null
having count(distinct coalesce("t2"."member_id"::text, "t2"."donor_email"::text)) >= 5) "r2") as "aggregate") "r1") as "ua_donations_aggregate", (select coalesce(json_agg("r3"), '[]')
from (select "t3"."given_name" as "given_name", (select coalesce(json_agg("r4"), '[]')
from (select "t4"."amount_minor" as "amount_minor"
from "public"."ua_donations" "t4"
where "t4"."member_id" = "t3"."id" and "t4"."masjid_id" = "t3"."masjid_id" and "t4"."deleted_at" is null limit 2) "r4") as "donations"
from "public"."ua_members" "t3"
where "t3"."deleted_at" is null limit 5) "r3") as "ua_members") "root"
