-- Up Migration
-- The same as in 0173, for databases that ran it before.
-- Newer minor versions of PostgreSQL refuse a column with a default while a function with a body of its own uses the type of the table's
-- rows. The column is added bare then, and filled without telling the triggers: that is no change of the rows.
create or replace function add_filled_column(target regclass, name text, type text, value text) returns void
language plpgsql set search_path from current as $$
begin
  execute format('alter table %s add column %I %s not null default %s', target, name, type, value);
exception when feature_not_supported then
  execute format('alter table %s add column %I %s, disable trigger user', target, name, type);
  execute format('update %s set %I = %s', target, name, value);
  execute format('alter table %s alter column %I set default %s, alter column %I set not null, enable trigger user', target, name, value, name);
end
$$;
comment on function add_filled_column is 'Adds a column that is never null, with a default, to a table that functions may use the row type of.';

create or replace function add_version(target regclass, counts text[] default '{}') returns void
language plpgsql set search_path from current as $$
declare
  unchanged text := (select string_agg(format('old.%I is not distinct from new.%I', name, name), ' and ') from unnest(counts) name);
begin
  perform add_filled_column(target, 'version', 'bigint', '1');
  execute format('comment on column %s.version is %L', target, E'@version\nRises with every change of the row.');
  execute format('create trigger raise_version before update on %s for each row %s execute function raise_version()', target,
    case when unchanged is null then '' else format('when (%s)', unchanged) end);
  execute format('create trigger keep_id before update of id on %s for each row when (old.id <> new.id) execute function keep_id()', target);
end
$$;
comment on function add_version is 'Gives a table a version that rises with every update, except of the counts named.';
select pin_search_paths();
