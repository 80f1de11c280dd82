select set_config($1::"pg_catalog"."text", coalesce(json_agg("t0".*), '[]')::text, true)
  from "public"."up_lib_add_copy"("book" => $2::"pg_catalog"."uuid", "copies" => $3::"pg_catalog"."int4") "t0";
select case when set_config($2::"pg_catalog"."text", (coalesce(nullif(current_setting($2::"pg_catalog"."text", true), ''), '0')::bigint + octet_length("data"))::text, true)::bigint > 15728640 then "public"."refuse_writing"('MN006', '') else "data" end
  from (select (select coalesce('[' || string_agg(concat('{"id":', coalesce(json_scalar("r1"."c0"), 'null'), ',"author":') || "r1"."c1" || '}', E',\n') || ']', '[]')
  from (select "t1"."id" as "c0", coalesce((select concat('{"name":', coalesce(json_scalar("t2"."name"), 'null'), '}')
  from "public"."up_lib_authors" "t2"
  where "t2"."id" = "t1"."author_id" limit 1), 'null') as "c1"
  from json_populate_recordset(null::"public"."up_lib_books", current_setting($1::"pg_catalog"."text")::json) "t1"
  where "t1"."deleted_at" is null limit 100) "r1") as "data" offset 0) "answer"
