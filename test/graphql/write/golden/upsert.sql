with "new" as (insert into "public"."up_lib_authors" as "t0" ("name", "pen_name")
  values ($1, $2)
  on conflict on constraint "up_lib_authors_pen_name_key" do update set "name" = excluded."name"
  where ("t0"."rating" < $3::"pg_catalog"."int4")
  returning "t0"."id")
  select count(*)::text, set_config($4::"pg_catalog"."text", concat_ws(',', nullif(current_setting($4::"pg_catalog"."text", true), ''), string_agg(json_build_array("id")::text, ',')), true)
  from "new";
select case when set_config($2::"pg_catalog"."text", (coalesce(nullif(current_setting($2::"pg_catalog"."text", true), ''), '0')::bigint + octet_length("data"))::text, true)::bigint > 15728640 then "public"."refuse_writing"('MN006', '') else "data" end
  from (select coalesce((select concat('{"id":"', "t1"."id", '"}')
  from "public"."up_lib_authors" "t1"
  where "t1"."id" = (nullif(current_setting($1::"pg_catalog"."text", true), '')::jsonb ->> 0)::"pg_catalog"."uuid" limit 1), 'null') as "data" offset 0) "answer"
