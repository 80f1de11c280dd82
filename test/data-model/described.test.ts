import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../src/db/sql.ts'
import { useDatabase } from './use-database.ts'

const model = useDatabase()
const ours = sql`n.nspname in ('public', 'sandbox')`
/** Tables without a prefix hold job state and are not part of the API. */
const shown = sql`c.relname ~ '^(up|ua|pc)_'`

const names = async (statement: Sql): Promise<string[]> =>
  (await model().owner.query<{ name: string }>(statement)).map(row => row.name)

test('every table, column, enum and function has a readable description', async () => {
  assert.deepEqual(
    await names(sql`
      with described (name, comment) as (
        select c.oid::regclass::text, obj_description(c.oid, 'pg_class') from pg_class c
        join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v') and not c.relispartition and ${ours}
        union all
        select c.oid::regclass || '.' || a.attname, col_description(c.oid, a.attnum) from pg_class c
        join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
        where c.relkind in ('r', 'p', 'v') and not c.relispartition and a.attnum > 0 and not a.attisdropped and ${ours}
        union all
        select t.oid::regtype::text, obj_description(t.oid, 'pg_type') from pg_type t
        join pg_namespace n on n.oid = t.typnamespace where t.typtype = 'e' and ${ours}
        union all
        select p.oid::regprocedure::text, obj_description(p.oid, 'pg_proc') from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace where ${ours}
      )
      select name from described
      where trim(regexp_replace(coalesce(comment, ''), '^(@[^\n]*(\n|$))*', '')) = '' order by name`),
    [],
  )
})

test('every table names the scopes it needs', async () => {
  const rows = await model().owner.query<{ table: string; scope: string | null }>(sql`
    select c.relname as table, (regexp_match(obj_description(c.oid, 'pg_class'), '@scope ([^\n]+)'))[1] as scope
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and ${shown} order by 1`)
  const scopes = Object.fromEntries(rows.map(row => [row.table, row.scope]))
  assert.partialDeepStrictEqual(scopes, {
    up_entities: 'masjid:read',
    up_masjids: 'masjid:read',
    up_events: 'events:read',
    up_event_occurrences: 'events:read',
    up_event_rsvps: 'events:read members:read',
    ua_campaigns: 'donations:read',
    ua_donations: 'donations:read',
    ua_recurring_donations: 'donations:read',
    ua_households: 'members:read',
    ua_members: 'members:read',
    pc_prayer_sources: 'prayer-times:read',
    pc_iqamah_schedules: 'prayer-times:read',
    pc_calculated_times: 'prayer-times:read',
  })
  assert.deepEqual(
    Object.keys(scopes).filter(table => scopes[table] === null),
    [],
  )
})

test('every table with personal data has row-level security', async () => {
  assert.deepEqual(
    await names(sql`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and ${ours} and not c.relrowsecurity
        and (c.relname like 'ua\_%' or obj_description(c.oid, 'pg_class') ~ '(^|\n)@personal(\n|$)')`),
    [],
  )
})

test('every foreign key has an index for reverse lookups, and every table has its change index', async () => {
  assert.deepEqual(
    await names(sql`
      select k.conname as name from pg_constraint k join pg_namespace n on n.oid = k.connamespace
      where k.contype = 'f' and ${ours} and not exists (
        select from pg_index i where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1])
      union all
      select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and ${ours} and ${shown} and not exists (
        select from pg_indexes i where i.schemaname = n.nspname and i.tablename = c.relname
          and i.indexdef like '%(updated_at, id)')`),
    [],
  )
})

test('the sandbox has the same structure as the data', async () => {
  const columns = (schema: string) =>
    names(sql`
      select table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable as name
      from information_schema.columns where table_schema = ${schema} order by 1`)
  assert.deepEqual(await columns('sandbox'), await columns('public'))
})
