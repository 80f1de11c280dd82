with "old" as (select "t0"."id"
  from "public"."up_lib_authors" "t0"
  where ("t0"."name" = $3::"pg_catalog"."text") limit 101 for update of "t0")
  select count(*)::text, set_config($1::"pg_catalog"."text", coalesce(string_agg(json_build_array("id")::text, ','), ''), true), set_config($2::"pg_catalog"."text", count(*)::text, true), case when (select count(*)
  from "old") > 100 then "public"."refuse_writing"('MN001', '100') end
  from "old";
select case when set_config($3::"pg_catalog"."text", (coalesce(nullif(current_setting($3::"pg_catalog"."text", true), ''), '0')::bigint + octet_length("data"))::text, true)::bigint > 15728640 then "public"."refuse_writing"('MN006', '') else "data" end
  from (select ('{"affected_rows":' || coalesce(nullif(current_setting($1::"pg_catalog"."text", true), ''), '0') || ',"returning":' || (select coalesce('[' || string_agg(concat('{"name":', coalesce(json_scalar("r1"."c0"), 'null'), '}'), E',\n') || ']', '[]')
  from (select "t1"."name" as "c0"
  from jsonb_array_elements(concat('[', current_setting($2::"pg_catalog"."text", true), ']')::jsonb) with ordinality "kt1" ("key", "place") join "public"."up_lib_authors" "t1" on "t1"."id" = ("kt1"."key" ->> 0)::"pg_catalog"."uuid" order by "kt1"."place" limit 100) "r1") || '}') as "data" offset 0) "answer";
with "gone" as (delete
  from "public"."up_lib_authors" as "t0"
  where ("t0"."id") in (select "t1"."id"
  from jsonb_array_elements(concat('[', current_setting($1::"pg_catalog"."text", true), ']')::jsonb) with ordinality "kt1" ("key", "place") join "public"."up_lib_authors" "t1" on "t1"."id" = ("kt1"."key" ->> 0)::"pg_catalog"."uuid")
  returning 1)
  select case when count(*) <> current_setting($2::"pg_catalog"."text")::bigint then "public"."refuse_writing"('MN003', 'Some of these rows are not yours to delete.') end
  from "gone";
with "new" as (update "public"."up_lib_books" as "t0" set "deleted_at" = null
  where (("t0"."id" = $1::"pg_catalog"."uuid")) and "t0"."deleted_at" is not null
  returning "t0"."id")
  select count(*)::text, set_config($2::"pg_catalog"."text", concat_ws(',', nullif(current_setting($2::"pg_catalog"."text", true), ''), string_agg(json_build_array("id")::text, ',')), true)
  from "new";
select case when set_config($2::"pg_catalog"."text", (coalesce(nullif(current_setting($2::"pg_catalog"."text", true), ''), '0')::bigint + octet_length("data"))::text, true)::bigint > 15728640 then "public"."refuse_writing"('MN006', '') else "data" end
  from (select coalesce((select concat('{"id":"', "t1"."id", '"}')
  from "public"."up_lib_books" "t1"
  where "t1"."id" = (nullif(current_setting($1::"pg_catalog"."text", true), '')::jsonb ->> 0)::"pg_catalog"."uuid" and "t1"."deleted_at" is null limit 1), 'null') as "data" offset 0) "answer"
