// The tables of our schemas with their columns, comments, keys and references, as rows.
import { type Sql, sql } from '../db/sql.ts'

export interface RawOwnColumn {
  readonly name: string
  readonly type: string
  readonly notNull: boolean
  readonly comment: string | null
}

export interface RawOwnTable {
  readonly schema: string
  readonly name: string
  readonly comment: string | null
  readonly columns: readonly RawOwnColumn[]
  readonly key: readonly string[]
  /** The tables that it refers to, as `schema.name`. */
  readonly references: readonly string[]
  /** The columns that refer to an account or a member. */
  readonly pointing: readonly string[]
  /** The columns of any foreign key. */
  readonly foreign: readonly string[]
  /** Those of them with `on delete cascade`: the foreign key itself says what becomes of the row. */
  readonly cascading: readonly { readonly name: string; readonly to: 'account' | 'member' }[]
}

const PEOPLE = ['minaret.users', 'public.ua_members']

export const rawTables: Sql = sql`
  select home.nspname as schema, class.relname as name, obj_description(class.oid, 'pg_class') as comment,
    (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod), 'notNull', attnotnull,
        'comment', col_description(class.oid, attnum)) order by attnum)
      from pg_attribute where attrelid = class.oid and attnum > 0 and not attisdropped) as columns,
    array(select attname::text from pg_index, unnest(indkey) with ordinality part (number, place)
      join pg_attribute on attrelid = class.oid and attnum = part.number
      where indrelid = class.oid and indisprimary order by place) as key,
    array(select distinct other_home.nspname || '.' || other.relname from pg_constraint
      join pg_class other on other.oid = confrelid join pg_namespace other_home on other_home.oid = other.relnamespace
      where conrelid = class.oid and contype = 'f' and confrelid <> class.oid) as references,
    array(select attname::text from pg_constraint join pg_attribute on attrelid = class.oid and attnum = conkey[1]
      where conrelid = class.oid and contype = 'f' and confrelid = any (array(
        select to_regclass(name) from unnest(${PEOPLE}::text[]) name))) as pointing,
    array(select attname::text from pg_constraint join pg_attribute on attrelid = class.oid and attnum = any (conkey)
      where conrelid = class.oid and contype = 'f') as foreign,
    coalesce((select json_agg(json_build_object('name', attname,
        'to', case confrelid when to_regclass('minaret.users') then 'account' else 'member' end))
      from pg_constraint join pg_attribute on attrelid = class.oid and attnum = conkey[1]
      where conrelid = class.oid and contype = 'f' and confdeltype = 'c' and confrelid = any (array(
        select to_regclass(name) from unnest(${PEOPLE}::text[]) name))), '[]') as cascading
  from pg_class class join pg_namespace home on home.oid = class.relnamespace
  where home.nspname in ('minaret', 'public') and class.relkind in ('r', 'p') and not class.relispartition
    and class.relname not like 'migrations\_%'
  order by 1, 2`
