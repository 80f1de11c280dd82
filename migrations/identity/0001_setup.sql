-- Up Migration

-- Where extensions live, so that the schema of the data holds nothing but data.
create schema if not exists extensions;
create schema if not exists sandbox;

create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;
create extension if not exists btree_gist with schema extensions;
create extension if not exists cube with schema extensions;

-- Groups that hold the grants. The processes sign in as members of them, made at start (src/db/roles.ts).
-- Roles belong to the whole cluster: two databases may create them at once.
do $$
begin
  create role minaret_reader nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$
begin
  create role minaret_sandbox nologin;
exception when duplicate_object or unique_violation then null;
end $$;

revoke all on schema public from public;
revoke all on schema minaret from public;
grant usage on schema public, extensions to minaret_reader;
grant usage on schema sandbox, extensions to minaret_sandbox;
