// A database → its structure as lines of text, to compare a database that was upgraded with a new one.
import type pg from 'pg'

/** Partitions come and go with time. */
const question = `
with ours as (select oid, nspname from pg_namespace where nspname in ('minaret', 'public', 'sandbox', 'changes')),
  relations as (
    select c.oid, c.relkind, format('%s.%s', n.nspname, c.relname) as name, c.relrowsecurity, c.relforcerowsecurity
    from pg_class c join ours n on n.oid = c.relnamespace where not c.relispartition)
select line from (
  select format('column %s.%s %s %s %s %s', r.name, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated,
    pg_get_expr(d.adbin, d.adrelid)) as line
  from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where r.relkind in ('r', 'p', 'v', 'm')
  union all
  select format('table %s %s security %s %s', r.name, r.relkind, r.relrowsecurity, r.relforcerowsecurity) from relations r
  where r.relkind in ('r', 'p', 'v', 'm', 'S')
  union all
  select format('constraint %s %s %s %s', r.name, conname, convalidated, pg_get_constraintdef(k.oid)) from relations r
    join pg_constraint k on k.conrelid = r.oid where contype <> 'n'
  union all
  select format('index %s %s', r.name, pg_get_indexdef(i.indexrelid)) from relations r join pg_index i on i.indrelid = r.oid
  union all
  select format('trigger %s %s', r.name, pg_get_triggerdef(t.oid)) from relations r
    join pg_trigger t on t.tgrelid = r.oid where not tgisinternal
  union all
  select format('policy %s %s %s %s %s %s', r.name, p.polname, p.polcmd, p.polpermissive, pg_get_expr(p.polqual, p.polrelid),
    pg_get_expr(p.polwithcheck, p.polrelid)) from relations r join pg_policy p on p.polrelid = r.oid
  union all
  select format('view %s %s', r.name, pg_get_viewdef(r.oid)) from relations r where r.relkind in ('v', 'm')
  union all
  select format('function %s', pg_get_functiondef(p.oid)) from pg_proc p join ours n on n.oid = p.pronamespace where p.prokind <> 'a'
  union all
  select format('enum %s.%s %s', n.nspname, t.typname, e.enumlabel) from pg_type t join ours n on n.oid = t.typnamespace
    join pg_enum e on e.enumtypid = t.oid
  union all
  select format('comment %s.%s %s', r.name, a.attname, c.description) from relations r
    join pg_description c on c.objoid = r.oid and c.classoid = 'pg_class'::regclass
    left join pg_attribute a on a.attrelid = r.oid and a.attnum = c.objsubid and c.objsubid > 0
) as lines order by line`

/** A dump writes `a or b or c` without the parentheses that the parser added. */
const withoutParentheses = (line: string): string =>
  /^(constraint|trigger)/.test(line) ? line.replaceAll(/[()]/g, '') : line

export const readStructure = async (client: pg.Client): Promise<string[]> =>
  (await client.query<{ line: string }>(question)).rows.map(({ line }) => withoutParentheses(line))
