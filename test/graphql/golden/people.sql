select '{"ua_donations_aggregate":' || ('{"aggregate":' || coalesce((select concat('{"count":', coalesce(json_scalar(count(*)), 'null'), ',"sum":') || (concat('{"amount_minor":', coalesce(json_scalar(sum("t1"."amount_minor")), 'null'), '}')) || '}'
from "public"."ua_donations" "t1"
where "t1"."deleted_at" is null and (("t1"."masjid_id" = any ((select "public"."giving_masjids"())::uuid[]) or "t1"."masjid_id" between (select "public"."all_in_full"()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff') or ("t1"."masjid_id", "t1"."fund", "t1"."currency") in (select "t2"."masjid_id", "t2"."fund", "t2"."currency"
from "public"."ua_donations" "t2"
where "t2"."deleted_at" is null
group by "t2"."masjid_id", "t2"."fund", "t2"."currency"
having count(distinct coalesce("t2"."member_id"::text, "t2"."donor_email"::text)) >= 5))
having count(distinct coalesce("t1"."member_id"::text, "t1"."donor_email"::text)) >= 5), 'null') || '}') || ',"ua_members":' || (select coalesce('[' || string_agg(concat('{"given_name":', coalesce(json_scalar("r3"."c0"), 'null'), ',"donations":') || "r3"."c1" || '}', E',\n') || ']', '[]')
from (select "t3"."given_name" as "c0", (select coalesce('[' || string_agg(concat('{"amount_minor":', coalesce(json_scalar("r4"."c0"), 'null'), '}'), E',\n') || ']', '[]')
from (select "t4"."amount_minor" as "c0"
from "public"."ua_donations" "t4"
where "t4"."member_id" = "t3"."id" and "t4"."masjid_id" = "t3"."masjid_id" and "t4"."deleted_at" is null limit 2) "r4") as "c1"
from "public"."ua_members" "t3"
where "t3"."deleted_at" is null limit 5) "r3") || '}' as "data"
