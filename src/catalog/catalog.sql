-- One schema (the first parameter) as one JSON: its tables, views, types and functions, and the rights of the reader (the second)
-- and the writer (the third).
with recursive
relation as (
  select class.oid, class.relname, class.relkind, class.relrowsecurity, class.reltype, class.reltuples
  from pg_class class
  where class.relnamespace = $1::regnamespace and class.relkind in ('r', 'p', 'v', 'm', 'f') and not class.relispartition
),
-- The policies that decide what the reader sees.
policy as materialized (
  select policy.polrelid as relation, policy.polpermissive as permissive, policy.polqual::text as tree,
    pg_get_expr(policy.polqual, policy.polrelid) as text
  from pg_policy policy
  where policy.polcmd in ('r', '*') and exists (
    select from unnest(policy.polroles) role (oid) where role.oid = 0 or pg_has_role($2, role.oid, 'usage'))
),
-- Tables of which not every row is shown. A policy `using (true)` shows every row, whatever other permissive ones say.
filtered (oid, same) as (
  select class.oid, coalesce((
    -- nothing but columns, constants and IMMUTABLE functions: whoever asks, and whenever, the same rows are shown
    select bool_and(tree !~ '[{](SUBLINK|PARAM|SQLVALUEFUNCTION|NEXTVALUEEXPR|COERCEVIAIO|CURRENTOFEXPR)' and not exists (
      select from regexp_matches(tree, ':(?:funcid|opfuncid) (\d+)', 'g') called (oid)
      join pg_proc proc on proc.oid = called.oid[1]::oid and proc.provolatile <> 'i'))
    from policy where policy.relation = class.oid), false)
  from pg_class class
  where class.relrowsecurity and not exists (
    select from policy where policy.relation = class.oid having bool_or(permissive and text = 'true') and bool_and(permissive))
),
-- Tables whose visible rows depend on the reader, and the views on them.
secured (oid) as (
  select oid from filtered where not same
  union
  select rule.ev_class from secured
  join pg_depend depend on depend.refclassid = 'pg_class'::regclass and depend.refobjid = secured.oid
  join pg_rewrite rule on depend.classid = 'pg_rewrite'::regclass and rule.oid = depend.objid
),
-- What the views of the schema are made of, through other views too.
viewed (view, relation) as (
  select oid, oid from relation where relkind = 'v'
  union
  select viewed.view, depend.refobjid from viewed
  join pg_rewrite rule on rule.ev_class = viewed.relation and rule.ev_type = '1'
  join pg_depend depend on depend.classid = 'pg_rewrite'::regclass and depend.objid = rule.oid
    and depend.refclassid = 'pg_class'::regclass
),
-- Their definitions as PostgreSQL keeps them: pg_depend does not have its own functions, such as now(). Concatenated, so that they
-- are decompressed once.
definition as materialized (
  select rule.ev_class as relation, rule.ev_action::text || '' as tree
  from pg_rewrite rule join pg_class class on class.oid = rule.ev_class and class.relkind = 'v'
  where rule.ev_type = '1' and rule.ev_class in (select relation from viewed)
),
-- The functions that they call. Splitting is much faster than a regular expression.
called as materialized (
  select distinct definition.relation, substring(left(piece, 12) from '^\d+')::oid as oid
  from definition cross join lateral (
    select string_to_table(definition.tree, mark)
    from unnest(array[':funcid ', ':opfuncid ', ':aggfnoid ', ':winfnoid ']) mark) split (piece)
  where ascii(piece) between 48 and 57
),
-- What it shows depends on the current date or user, on a sequence or a sample, or on text cast to a time, which may be 'now'.
timely as materialized (
  select definition.relation from definition
  where position('{SQLVALUEFUNCTION' in tree) > 0 or position('{NEXTVALUEEXPR' in tree) > 0
    or position('{TABLESAMPLECLAUSE' in tree) > 0
    or (position('{COERCEVIAIO' in tree) > 0 and exists (
      select from unnest(array[1082, 1083, 1114, 1184, 1266]) type (oid)
      where position(format(':resulttype %s ', type.oid) in tree) > 0))
),
attribute as materialized (
  select attribute.attrelid as relation, attribute.attnum, attribute.atttypid as type
  from relation join pg_attribute attribute on attribute.attrelid = relation.oid
  where attribute.attnum > 0 and not attribute.attisdropped
),
own_function as materialized (
  select proc.*, (
    select description from pg_description
    where objoid = proc.oid and classoid = 'pg_proc'::regclass and objsubid = 0) as comment
  from pg_proc proc where proc.pronamespace = $1::regnamespace
),
routine as materialized (
  select proc.* from own_function proc
  where proc.prokind = 'f' and proc.prorettype <> 'trigger'::regtype
    and (proc.provolatile in ('s', 'i') or proc.comment ~ '(^|\n)\s*@mutation\M')
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = proc.oid and deptype = 'e')
),
-- Defaults take their next value with the rights of whoever inserts.
used_sequence as materialized (
  select value.adrelid as relation, sequence.oid, format('%I.%I', home.nspname, sequence.relname) as name
  from pg_attrdef value
  join pg_depend depend on depend.classid = 'pg_attrdef'::regclass and depend.objid = value.oid
    and depend.refclassid = 'pg_class'::regclass
  join pg_class sequence on sequence.oid = depend.refobjid and sequence.relkind = 'S'
  join pg_namespace home on home.oid = sequence.relnamespace
),
-- What a violation may name besides foreign keys and unique indexes; a domain's rules hold for the columns of its type.
checked as materialized (
  select rule.conrelid as relation, rule.oid, rule.conname, rule.contype, rule.conkey
  from relation join pg_constraint rule on rule.conrelid = relation.oid where rule.contype in ('c', 'x')
  union all
  select attribute.relation, rule.oid, rule.conname, rule.contype, array[attribute.attnum]
  from pg_constraint rule join attribute on attribute.type = rule.contypid
  where rule.contype = 'c' and rule.conrelid = 0
),
-- Since PostgreSQL 18, a not null constraint may be unvalidated for existing rows.
unvalidated as materialized (
  select rule.conrelid as relation, rule.conkey[1] as attnum
  from pg_constraint rule where rule.contype = 'n' and not rule.convalidated
),
statistic as materialized (
  select tablename, attname, n_distinct from pg_stats where schemaname = $1 and not inherited
),
nondeterministic as materialized (
  select oid from pg_collation where not collisdeterministic
),
-- domains lead to their base, arrays to their elements; PostgreSQL's own types are listed even if unused, as their names are reserved
used_type (oid) as (
  select oid from pg_type where typnamespace = 'pg_catalog'::regnamespace and typtype in ('b', 'r', 'm') and typcategory <> 'A'
  union select attribute.type from attribute
  union select prorettype from routine
  union select unnest(proargtypes) from routine
  union select follow.next from used_type
  join pg_type type on type.oid = used_type.oid
  cross join lateral (values (nullif(type.typbasetype, 0)), (nullif(type.typelem, 0))) follow (next)
  where follow.next is not null
),
-- Types with an order: the schema of their operators for equality and for order, and the latter's names.
comparable as materialized (
  select opclass.opcintype as type, home.nspname as schema, (sorting.signs)[1] as below, (sorting.signs)[3] as above
  from pg_opclass opclass join pg_am method on method.oid = opclass.opcmethod
  cross join lateral (
    select array_agg(operator.oprname order by member.amopstrategy) as signs,
      min(operator.oprnamespace) filter (where member.amopstrategy = 3) as home
    from pg_amop member join pg_operator operator on operator.oid = member.amopopr
    where member.amopfamily = opclass.opcfamily and member.amopstrategy in (1, 3, 5)
      and member.amoplefttype = opclass.opcintype and member.amoprighttype = opclass.opcintype) sorting
  join pg_namespace home on home.oid = sorting.home
  where method.amname = 'btree' and opclass.opcdefault
),
unique_key as (
  select class.oid, index.indrelid, class.relname as name, index.indisprimary,
    (select json_agg(attribute.attname order by position.ordinality)
     from unnest(index.indkey[:index.indnkeyatts - 1]) with ordinality position (attnum, ordinality)
     join pg_attribute attribute on attribute.attrelid = index.indrelid and attribute.attnum = position.attnum) as columns
  from pg_index index
  join pg_class class on class.oid = index.indexrelid
  where index.indisunique and index.indisvalid and index.indpred is null and index.indexprs is null
)
select json_build_object(
  'server', current_setting('server_version_num')::int / 10000,
  'readable', has_schema_privilege($2, $1, 'usage') and has_schema_privilege($2, 'extensions', 'usage'),
  'relations', (
    select coalesce(json_agg(json_build_object(
      'oid', relation.oid::int8,
      'name', relation.relname,
      'kind', relation.relkind,
      'rowType', relation.reltype::int8,
      'rowSecurity', relation.oid in (select oid from secured),
      'filtered', relation.oid in (select oid from filtered),
      'policies', relation.relrowsecurity,
      'made', case when relation.relkind = 'v' then json_build_object(
        'relations', (
          select coalesce(json_agg(distinct class.oid::int8), '[]')
          from viewed join pg_class class on class.oid = viewed.relation
          where viewed.view = relation.oid and class.relkind <> 'v'),
        'functions', (
          select coalesce(json_agg(distinct jsonb_build_object(
            'name', proc.proname,
            'system', proc.pronamespace = 'pg_catalog'::regnamespace,
            'immutable', proc.provolatile = 'i',
            'comment', (
              select description from pg_description
              where objoid = proc.oid and classoid = 'pg_proc'::regclass and objsubid = 0))), '[]')
          from (
            select distinct called.oid from viewed join called on called.relation = viewed.relation
            where viewed.view = relation.oid) called
          left join pg_proc proc on proc.oid = called.oid),
        'timely', exists (
          select from viewed join timely on timely.relation = viewed.relation where viewed.view = relation.oid)) end,
      'comment', (
        select description from pg_description
        where objoid = relation.oid and classoid = 'pg_class'::regclass and objsubid = 0),
      'readable', has_table_privilege($2, relation.oid, 'select'),
      'writtenByReader', has_any_column_privilege($2, relation.oid, 'insert, update')
        or has_table_privilege($2, relation.oid, 'delete, truncate, trigger'),
      'deletable', has_table_privilege($3, relation.oid, 'delete'),
      'emptiable', has_table_privilege($3, relation.oid, 'truncate, trigger'),
      -- Approximate, in powers of four: a slightly larger table is no change of structure. Unknown where rows depend on the reader.
      'rows', case when relation.relkind in ('r', 'm', 'p') and relation.oid not in (select oid from secured) then (
        select power(4, ceil(log(4, greatest(counted.rows, 1)::numeric)))::int8
        from (select case
          when relation.reltuples >= 0 then relation.reltuples
          -- asking for its size here would wait for whoever alters it
          else minaret.rows_of_small_table(relation.oid)
          end as rows) counted) end,
      'columns', (
        select coalesce(json_agg(json_build_object(
          'name', attribute.attname,
          'type', attribute.atttypid::int8,
          'dimensions', attribute.attndims,
          'notNull', attribute.attnotnull
            and (relation.oid, attribute.attnum) not in (select relation, attnum from unvalidated),
          'distinct', case when relation.reltuples > 0 and relation.oid not in (select oid from secured) then (
            select power(4, floor(log(4, greatest(
              case when statistic.n_distinct < 0 then -statistic.n_distinct * relation.reltuples else statistic.n_distinct end,
              1)::numeric)))::int8
            from statistic where statistic.tablename = relation.relname and statistic.attname = attribute.attname) end,
          'hasDefault', attribute.attidentity <> '' or (attribute.atthasdef and attribute.attgenerated = ''),
          'generated', attribute.attgenerated <> '' or attribute.attidentity = 'a',
          'comment', note.description,
          -- a nondeterministic collation supports no patterns before PostgreSQL 18, and only like since then
          'patterns', case
            when attribute.attcollation not in (select oid from nondeterministic) then 'all'
            when current_setting('server_version_num')::int >= 180000 then 'like'
            else 'none' end,
          'readable', has_column_privilege($2, relation.oid, attribute.attnum, 'select'),
          'insertable', has_column_privilege($3, relation.oid, attribute.attnum, 'insert'),
          'updatable', has_column_privilege($3, relation.oid, attribute.attnum, 'update')
        ) order by attribute.attnum), '[]')
        from pg_attribute attribute
        left join pg_description note
          on note.objoid = relation.oid and note.classoid = 'pg_class'::regclass and note.objsubid = attribute.attnum
        where attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped),
      'sequences', (
        select coalesce(json_agg(json_build_object(
          'name', used_sequence.name,
          'advanceable', has_sequence_privilege($3, used_sequence.oid, 'usage')
        ) order by used_sequence.name), '[]')
        from used_sequence where used_sequence.relation = relation.oid),
      'uniqueKeys', (
        select coalesce(json_agg(json_build_object(
          'oid', unique_key.oid::int8,
          'name', unique_key.name,
          'primary', unique_key.indisprimary,
          'columns', unique_key.columns
        ) order by unique_key.indisprimary desc, unique_key.name), '[]')
        from unique_key where unique_key.indrelid = relation.oid),
      'uniqueIndexes', (
        select coalesce(json_agg(json_build_object(
          'name', class.relname,
          'constraint', rule.conname,
          'comment', coalesce(
            (select description from pg_description
             where objoid = rule.oid and classoid = 'pg_constraint'::regclass and objsubid = 0),
            (select description from pg_description
             where objoid = class.oid and classoid = 'pg_class'::regclass and objsubid = 0)),
          'keys', (
            select json_agg(
              case when index.indkey[number - 1] = 0 then pg_get_indexdef(class.oid, number, false)
                else quote_ident(attribute.attname) end order by number)
            from generate_series(1, index.indnkeyatts) number
            left join pg_attribute attribute
              on attribute.attrelid = relation.oid and attribute.attnum = index.indkey[number - 1]),
          'predicate', pg_get_expr(index.indpred, index.indrelid),
          'columns', (
            select coalesce(json_agg(attribute.attname order by position.ordinality), '[]')
            from unnest(index.indkey[:index.indnkeyatts - 1]) with ordinality position (attnum, ordinality)
            join pg_attribute attribute on attribute.attrelid = relation.oid and attribute.attnum = position.attnum
            where attribute.attnum > 0),
          -- those in expressions and in the predicate too
          'depends', (
            select coalesce(json_agg(distinct attribute.attname), '[]')
            from pg_depend depend
            join pg_attribute attribute on attribute.attrelid = relation.oid and attribute.attnum = depend.refobjsubid
              and attribute.attnum > 0
            where depend.classid = 'pg_class'::regclass and depend.objid = class.oid
              and depend.refclassid = 'pg_class'::regclass and depend.refobjid = relation.oid),
          -- `on conflict` accepts neither deferrable nor overlapping rules
          'arbiter', index.indisvalid and index.indimmediate and not index.indisexclusion
        ) order by class.relname), '[]')
        from pg_index index
        join pg_class class on class.oid = index.indexrelid
        left join pg_constraint rule on rule.conindid = class.oid and rule.conrelid = relation.oid and rule.contype in ('p', 'u')
        where index.indrelid = relation.oid and index.indisunique),
      'checks', (
        select coalesce(json_agg(json_build_object(
          'name', checked.conname,
          'exclusion', checked.contype = 'x',
          'comment', (
            select description from pg_description
            where objoid = checked.oid and classoid = 'pg_constraint'::regclass and objsubid = 0),
          'columns', (
            select coalesce(json_agg(attribute.attname order by position.ordinality), '[]')
            from unnest(checked.conkey) with ordinality position (attnum, ordinality)
            join pg_attribute attribute on attribute.attrelid = relation.oid and attribute.attnum = position.attnum
            where attribute.attnum > 0)
        ) order by checked.conname, checked.oid, checked.conkey), '[]')
        from checked where checked.relation = relation.oid),
      'foreignKeys', (
        select coalesce(json_agg(json_build_object(
          'oid', foreign_key.oid::int8,
          'name', foreign_key.conname,
          'comment', (
            select description from pg_description
            where objoid = foreign_key.oid and classoid = 'pg_constraint'::regclass and objsubid = 0),
          'target', foreign_key.confrelid::int8,
          'validated', foreign_key.convalidated,
          'columns', (
            select json_agg(attribute.attname order by position.ordinality)
            from unnest(foreign_key.conkey) with ordinality position (attnum, ordinality)
            join pg_attribute attribute
              on attribute.attrelid = foreign_key.conrelid and attribute.attnum = position.attnum),
          'targetColumns', (
            select json_agg(attribute.attname order by position.ordinality)
            from unnest(foreign_key.confkey) with ordinality position (attnum, ordinality)
            join pg_attribute attribute
              on attribute.attrelid = foreign_key.confrelid and attribute.attnum = position.attnum)
        ) order by foreign_key.conname), '[]')
        from pg_constraint foreign_key
        where foreign_key.contype = 'f' and foreign_key.conrelid = relation.oid and foreign_key.conparentid = 0)
    ) order by relation.relname), '[]')
    from relation),
  'types', (
    select coalesce(json_agg(json_build_object(
      'oid', type.oid::int8,
      'schema', namespace.nspname,
      'name', type.typname,
      'kind', type.typtype,
      'category', type.typcategory,
      'base', nullif(type.typbasetype, 0)::int8,
      'element', case when type.typcategory = 'A' then nullif(type.typelem, 0)::int8 end,
      'comment', (
        select description from pg_description where objoid = type.oid and classoid = 'pg_type'::regclass and objsubid = 0),
      'ordered', type.typtype in ('e', 'r', 'm') or comparison.schema is not null,
      'operators', nullif(comparison.schema, 'pg_catalog'),
      'below', comparison.below,
      'above', comparison.above,
      'readable', has_schema_privilege($2, namespace.oid, 'usage'),
      'usable', has_schema_privilege($2, namespace.oid, 'usage')
        or (namespace.nspname <> 'minaret' and has_schema_privilege(namespace.oid, 'usage with grant option')),
      'labels', (
        select json_agg(enum.enumlabel order by enum.enumsortorder) from pg_enum enum where enum.enumtypid = type.oid)
    ) order by namespace.nspname, type.typname), '[]')
    from (select distinct oid from used_type) used
    join pg_type type on type.oid = used.oid
    join pg_namespace namespace on namespace.oid = type.typnamespace
    left join lateral (
      select comparable.schema, comparable.below, comparable.above
      from (
        select type.oid as compared
        union all
        -- as inet's does for cidr; but not as oid's does for regclass, as a name that nothing has would be an error of ours
        select coercion.casttarget from pg_cast coercion
        where coercion.castsource = type.oid and coercion.castmethod = 'b' and coercion.castcontext = 'i'
          and coercion.casttarget <> 'oid'::regtype and type.typcategory <> 'Z') candidate
      join comparable on comparable.type = candidate.compared
      order by comparable.type = type.oid desc limit 1
    ) comparison on true),
  'functions', (
    select coalesce(json_agg(json_build_object(
      'oid', routine.oid::int8,
      'name', routine.proname,
      'signature', format('%I.%I(%s)', $1, routine.proname, pg_get_function_identity_arguments(routine.oid)),
      'returnsSet', routine.proretset,
      'returnType', routine.prorettype::int8,
      'comment', routine.comment,
      'executable', has_function_privilege($2, routine.oid, 'execute'),
      'callable', has_function_privilege($3, routine.oid, 'execute'),
      'arguments', (
        select coalesce(json_agg(json_build_object(
          'name', coalesce(routine.proargnames[position.ordinality], ''),
          'type', position.type::int8,
          'hasDefault', position.ordinality > routine.pronargs - routine.pronargdefaults,
          'variadic', routine.provariadic <> 0 and position.ordinality = routine.pronargs
        ) order by position.ordinality), '[]')
        from unnest(routine.proargtypes) with ordinality position (type, ordinality)),
      'volatile', routine.provolatile = 'v',
      'immutable', routine.provolatile = 'i',
      'constantDefaults', coalesce(
        routine.proargdefaults::text !~ '[{](SQLVALUEFUNCTION|NEXTVALUEEXPR|COERCEVIAIO|SUBLINK)' and not exists (
          select from regexp_matches(routine.proargdefaults::text, ':(?:funcid|opfuncid) (\d+)', 'g') called (oid)
          join pg_proc proc on proc.oid = called.oid[1]::oid and proc.provolatile <> 'i'), true),
      'strict', routine.proisstrict,
      'definer', routine.prosecdef,
      'onlyInputs', coalesce(routine.proargmodes <@ array['i', 'v']::"char"[], true)
    ) order by routine.proname, routine.oid), '[]')
    from routine),
  -- Rights, so they stand last: what the writer may call by name, other than our own hidden functions.
  'granted', (
    select coalesce(json_agg(
      format('%I.%I(%s)', $1, proc.proname, pg_get_function_identity_arguments(proc.oid)) order by proc.oid), '[]')
    from own_function proc
    where proc.proacl is not null and exists (select from aclexplode(proc.proacl) entry where entry.grantee = $3::regrole)
      and coalesce(proc.comment, '') !~ '(^|\n)\s*@hidden\M')
)::text as catalog
