with "old" as (select "t0"."id"
  from "public"."up_lib_books" "t0"
  where "t0"."deleted_at" is null and ("t0"."pages" > $3::"pg_catalog"."int4") limit 11 for update of "t0"), "new" as (update "public"."up_lib_books" as "t0" set "title" = $1, "pages" = "t0"."pages" + $2::"pg_catalog"."int4"
  from "old"
  where "t0"."id" = "old"."id"
  returning "t0"."id")
  select count(*)::text, set_config($4::"pg_catalog"."text", (coalesce(nullif(current_setting($4::"pg_catalog"."text", true), ''), '0')::bigint + count(*))::text, true), set_config($5::"pg_catalog"."text", concat_ws(',', nullif(current_setting($5::"pg_catalog"."text", true), ''), string_agg(json_build_array("id")::text, ',')), true), case when (select count(*)
  from "old") > 10 then "public"."refuse_writing"('MN001', '10') end
  from "new";
select case when set_config($3::"pg_catalog"."text", (coalesce(nullif(current_setting($3::"pg_catalog"."text", true), ''), '0')::bigint + octet_length("data"))::text, true)::bigint > 15728640 then "public"."refuse_writing"('MN006', '') else "data" end
  from (select ('{"affected_rows":' || coalesce(nullif(current_setting($1::"pg_catalog"."text", true), ''), '0') || ',"returning":' || (select coalesce('[' || string_agg(concat('{"id":"', "r1"."c0", '"}'), E',\n') || ']', '[]')
  from (select "t1"."id" as "c0"
  from jsonb_array_elements(concat('[', current_setting($2::"pg_catalog"."text", true), ']')::jsonb) with ordinality "kt1" ("key", "place") join "public"."up_lib_books" "t1" on "t1"."id" = ("kt1"."key" ->> 0)::"pg_catalog"."uuid"
  where "t1"."deleted_at" is null order by "kt1"."place" limit 10) "r1") || '}') as "data" offset 0) "answer"
