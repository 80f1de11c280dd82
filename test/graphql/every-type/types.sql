-- A table for each type of a plain PostgreSQL and for some of its extensions: a plain column, lists, domains, ranges, and
-- lists and domains of those. What PostgreSQL itself refuses (a range over json, say) is left out.
create schema kinds;
set search_path = public, kinds;
create extension hstore schema kinds;
create extension citext schema kinds;
create extension ltree schema kinds;
create extension isn schema kinds;
create extension seg schema kinds;
create type kinds.mood as enum ('glad', 'sad');
create type kinds.odd as enum ('very glad', '0');
create type kinds.pair as (first int, second kinds.mood);
create domain kinds.spirit as kinds.mood;
create table kinds.wanted (name text primary key, type text not null);

insert into kinds.wanted
select 'own_' || typname, format('pg_catalog.%I', typname) from pg_type
where typnamespace = 'pg_catalog'::regnamespace and typtype in ('b', 'r', 'm') and typcategory <> 'A' and typname !~ '^_';
insert into kinds.wanted
select 'added_' || typname, format('kinds.%I', typname) from pg_type
where typnamespace = 'kinds'::regnamespace and typtype in ('b', 'e', 'c', 'd') and typcategory <> 'A' and typname <> 'wanted';

create function kinds.attempt(statement text) returns boolean language plpgsql as $$
begin
  execute statement;
  return true;
exception when others then
  return false;
end $$;

/* The first of some literals that a type takes. */
create function kinds.literal(type text) returns text language sql as $$
  select literal from unnest(array[
    '1', 'a', 'true', 'glad', 'very glad', '2026-01-01', '{}', '(1,2)', '((1,2),(3,4))', '<(1,2),3>', '{1,2,3}', '10.0.0.0/8',
    '08:00:2b:01:02:03', '08:00:2b:01:02:03:04:05', '00000000-0000-4000-8000-000000000001', '<a/>', '$.a', '0/1', '1:2:',
    '12:00', '1 day', 'english', 'pg_class', 'sum(int4)', '=(int4,int4)', 'lower(text)', 'a=>1', '(1,glad)', '0-306-40615-2',
    '9780306406157', '9771144875007', '{a}', '{"1 day"}', '{"(1,2)"}', '{"a=>1"}', '[1,2)', '{[1,2)}', '[a,b)', '{[a,b)}',
    '[2026-01-01,2026-02-01)', '{[2026-01-01,2026-02-01)}', '[glad,sad]', '{[glad,sad]}', '{"[1,2)"}', '{"[2026-01-01,2026-02-01)"}',
    '{glad}', '{"very glad"}', '{2026-01-01}', '{true}', '{12:00}', '{10.0.0.0/8}', '[10.0.0.0/8,10.0.0.0/8]', '[12:00,13:00]',
    '[1 day,2 day]', '{08:00:2b:01:02:03}', '{00000000-0000-4000-8000-000000000001}', '{0/1}', '[0/1,0/2]', '{"(1,glad)"}', '{1:2:}'])
    with ordinality literals (literal, place)
  where pg_input_is_valid(literal, type) order by place limit 1 $$;

do $$
declare
  one record;
  tab text;
  range text;
  col text;
  type text;
begin
  for one in select * from kinds.wanted order by name loop
    tab := format('up_%s', one.name);
    execute format('create table %I (id int primary key, parent_id int references %I)', tab, tab);
    execute format('insert into %I values (1, null), (2, 1), (3, 1)', tab);
    range := format('kinds.%I', one.name || '_range');
    perform kinds.attempt(format('create domain kinds.%I as %s', one.name || '_d', one.type));
    perform kinds.attempt(format('create type %s as range (subtype = %s)', range, one.type));
    perform kinds.attempt(format('create domain kinds.%I as %s[]', one.name || '_ld', one.type));
    foreach col in array array[
      'plain ' || one.type, 'many ' || one.type || '[]',
      format('domain kinds.%I', one.name || '_d'), format('domains kinds.%I[]', one.name || '_d'),
      format('lists kinds.%I', one.name || '_ld'), 'span ' || range, format('several kinds.%I', one.name || '_multirange')]
    loop
      if kinds.attempt(format('alter table %I add column %s', tab, col)) then
        type := substr(col, strpos(col, ' ') + 1);
        perform kinds.attempt(
          format('update %I set %I = kinds.literal(%L)::%s where id < 3', tab, split_part(col, ' ', 1), type, type));
        perform kinds.attempt(format('create unique index on %I (%I, id)', tab, split_part(col, ' ', 1)));
      end if;
    end loop;
    perform kinds.attempt(format(
      'create function %I(one %I) returns %s language sql stable return (one).plain', tab || '_made', tab, one.type));
  end loop;
end $$;

-- rows that are related by a domain over an enum, which PostgreSQL itself takes for no foreign key
create table up_moods (mood kinds.mood primary key, spirit kinds.spirit not null);
create table up_spirited_rows (id int primary key, spirit kinds.spirit);
create view up_spirited as select * from up_spirited_rows;
comment on view up_spirited is '@key id
@foreign_key (spirit) references up_moods (spirit)';
insert into up_moods values ('glad', 'glad'), ('sad', 'sad');
insert into up_spirited_rows values (1, 'glad'), (2, 'sad'), (3, 'sad');
