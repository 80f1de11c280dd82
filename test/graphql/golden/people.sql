select '{"ua_donations_aggregate":' || ('{"aggregate":' || coalesce((select concat('{"count":', coalesce(json_scalar(count(*)), 'null'), ',"sum":') || (concat('{"amount_minor":', coalesce(json_scalar(sum("t1"."amount_minor")), 'null'), '}')) || '}'
from "public"."ua_donations" "t1"
where "t1"."deleted_at" is null
having count(distinct coalesce("t1"."member_id"::text, "t1"."donor_email"::text)) >= 5), 'null') || '}') || ',"ua_members":' || (select coalesce('[' || string_agg(concat('{"given_name":', coalesce(json_scalar("r2"."c0"), 'null'), ',"donations":') || "r2"."c1" || '}', E',\n') || ']', '[]')
from (select "t2"."given_name" as "c0", (select coalesce('[' || string_agg(concat('{"amount_minor":', coalesce(json_scalar("r3"."c0"), 'null'), '}'), E',\n') || ']', '[]')
from (select "t3"."amount_minor" as "c0"
from "public"."ua_donations" "t3"
where "t3"."member_id" = "t2"."id" and "t3"."masjid_id" = "t2"."masjid_id" and "t3"."deleted_at" is null limit 2) "r3") as "c1"
from "public"."ua_members" "t2"
where "t2"."deleted_at" is null limit 5) "r2") || '}' as "data"
