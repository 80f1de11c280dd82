select '{"up_masjids":' || (select coalesce('[' || string_agg(concat('{"id":"', "r1"."c0", '","_cursor":', coalesce(json_scalar("r1"."c1"), 'null'), '}'), E',\n') || ']', '[]')
from (select "t1"."id" as "c0", translate(encode(convert_to(json_build_array('nJnp0FyJ', ("t1"."name")::text, ("t1"."id")::text)::text, 'UTF8'), 'base64'), E'+/=\n', '-_') as "c1"
from "public"."up_masjids" "t1"
where "t1"."deleted_at" is null and ("t1"."name", "t1"."id") > ($1::"pg_catalog"."text", $2::"pg_catalog"."uuid")
order by "t1"."name" asc, "t1"."id" asc limit 25) "r1") || '}' as "data"
