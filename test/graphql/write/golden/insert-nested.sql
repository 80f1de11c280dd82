with "new" as (insert into "public"."up_lib_authors" as "t0" ("name")
  values ($1)
  returning "t0"."id")
  select count(*)::text, set_config($2::"pg_catalog"."text", (coalesce(nullif(current_setting($2::"pg_catalog"."text", true), ''), '0')::bigint + count(*))::text, true), set_config($3::"pg_catalog"."text", coalesce(min(json_build_object('id', "id")::text), "public"."refuse_writing"('MN005', 'up_lib_authors')), true)
  from "new";
with "new" as (insert into "public"."up_lib_books" as "t0" ("title", "author_id")
  values ($1, (current_setting($2::"pg_catalog"."text")::jsonb ->> 'id')::"pg_catalog"."uuid")
  returning "t0"."id")
  select count(*)::text, set_config($3::"pg_catalog"."text", (coalesce(nullif(current_setting($3::"pg_catalog"."text", true), ''), '0')::bigint + count(*))::text, true), set_config($4::"pg_catalog"."text", concat_ws(',', nullif(current_setting($4::"pg_catalog"."text", true), ''), string_agg(json_build_array("id")::text, ',')), true), set_config($5::"pg_catalog"."text", coalesce(min(json_build_object('id', "id")::text), "public"."refuse_writing"('MN005', 'up_lib_books')), true)
  from "new";
with "new" as (insert into "public"."up_lib_reviews" as "t0" ("stars", "book_id")
  values ($1, (current_setting($2::"pg_catalog"."text")::jsonb ->> 'id')::"pg_catalog"."uuid")
  returning 1 as "one")
  select count(*)::text, set_config($3::"pg_catalog"."text", (coalesce(nullif(current_setting($3::"pg_catalog"."text", true), ''), '0')::bigint + count(*))::text, true)
  from "new";
select case when set_config($3::"pg_catalog"."text", (coalesce(nullif(current_setting($3::"pg_catalog"."text", true), ''), '0')::bigint + octet_length("data"))::text, true)::bigint > 15728640 then "public"."refuse_writing"('MN006', '') else "data" end
  from (select ('{"affected_rows":' || coalesce(nullif(current_setting($1::"pg_catalog"."text", true), ''), '0') || ',"returning":' || (select coalesce('[' || string_agg(concat('{"title":', coalesce(json_scalar("r1"."c0"), 'null'), ',"author":') || "r1"."c1" || '}', E',\n') || ']', '[]')
  from (select "t1"."title" as "c0", coalesce((select concat('{"name":', coalesce(json_scalar("t2"."name"), 'null'), '}')
  from "public"."up_lib_authors" "t2"
  where "t2"."id" = "t1"."author_id" limit 1), 'null') as "c1"
  from jsonb_array_elements(concat('[', current_setting($2::"pg_catalog"."text", true), ']')::jsonb) with ordinality "kt1" ("key", "place") join "public"."up_lib_books" "t1" on "t1"."id" = ("kt1"."key" ->> 0)::"pg_catalog"."uuid"
  where "t1"."deleted_at" is null order by "kt1"."place" limit 1) "r1") || '}') as "data" offset 0) "answer"
