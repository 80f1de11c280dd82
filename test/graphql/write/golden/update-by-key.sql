select case when "t0"."version" is distinct
  from $1::"pg_catalog"."int8" then "public"."refuse_writing"('MN002', '') end
  from "public"."up_lib_books" "t0"
  where "t0"."deleted_at" is null and (("t0"."id" = $2::"pg_catalog"."uuid")) for update of "t0";
with "new" as (update "public"."up_lib_books" as "t0" set "title" = $1
  where "t0"."deleted_at" is null and (("t0"."id" = $2::"pg_catalog"."uuid"))
  returning "t0"."id")
  select count(*)::text, set_config($3::"pg_catalog"."text", concat_ws(',', nullif(current_setting($3::"pg_catalog"."text", true), ''), string_agg(json_build_array("id")::text, ',')), true)
  from "new";
select case when set_config($2::"pg_catalog"."text", (coalesce(nullif(current_setting($2::"pg_catalog"."text", true), ''), '0')::bigint + octet_length("data"))::text, true)::bigint > 15728640 then "public"."refuse_writing"('MN006', '') else "data" end
  from (select coalesce((select concat('{"id":"', "t1"."id", '","version":', coalesce(json_scalar("t1"."version"), 'null'), '}')
  from "public"."up_lib_books" "t1"
  where "t1"."id" = (nullif(current_setting($1::"pg_catalog"."text", true), '')::jsonb ->> 0)::"pg_catalog"."uuid" and "t1"."deleted_at" is null limit 1), 'null') as "data" offset 0) "answer"
