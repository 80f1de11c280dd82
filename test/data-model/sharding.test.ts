// docs/scaling.md lists what becomes of each table when the data are distributed by masjid, and which keys stand in the way. Neither
// list can drift from the database, and no key that stands in the way can be added unnoticed.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { withClient } from '../../src/db/with-client.ts'
import { useDatabase } from './use-database.ts'

const database = useDatabase()

const document = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')

/** The first two cells of each row of the table after this comment. */
const rowsAfter = (mark: string): (readonly [string, string])[] => {
  const [, rest = ''] = document.split(`<!-- ${mark} -->\n`)
  const [table = ''] = rest.split('\n\n')
  return [...table.matchAll(/^\| `([\w.]+)` \| ([^|]*?) \|/gm)].map(
    ([, name = '', second = '']) => [name, second] as const,
  )
}

const listed = new Map(rowsAfter('sharding tables'))
const distributed = [...listed].filter(([, kind]) => kind === 'distributed').map(([name]) => name)

const query = async (text: string, parameters: unknown[] = []): Promise<string[]> => {
  const { rows } = await withClient(database().owner.connection, client =>
    client.query<{ name: string }>(text, parameters),
  )
  return rows.map(({ name }) => name)
}

/** $1: the distributed tables. */
const standingInTheWay = `
with shards as (select oid, relname from pg_class where relnamespace = 'public'::regnamespace and relname = any ($1)),
  columns as (select attrelid, attnum, attnotnull from pg_attribute where attname = 'masjid_id' and not attisdropped)
select format('%s.masjid_id', relname) as name from shards s
where not exists (select from columns c where c.attrelid = s.oid and c.attnotnull)
union all
select i.indexrelid::regclass::text from shards s join pg_index i on i.indrelid = s.oid and i.indisunique
where not exists (select from columns c where c.attrelid = s.oid and c.attnum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1]))
union all
select k.conname from pg_constraint k join shards s on s.oid = k.conrelid
where k.contype = 'f' and k.confrelid in (select oid from shards)
  and not exists (select from columns c where c.attrelid = k.conrelid and c.attnum = any (k.conkey))
union all
select k.conname from pg_constraint k join shards s on s.oid = k.conrelid
where k.contype = 'x' and not exists (select from columns c where c.attrelid = k.conrelid and c.attnum = any (k.conkey))
union all
select k.conname from pg_constraint k join shards s on s.oid = k.confrelid
where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conrelid not in (select oid from shards)
order by 1`

test('every table of the data is listed, as distributed, reference or local', async () => {
  const tables = await query(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`)
  assert.deepEqual([...listed.keys()].sort(), tables.sort())
  for (const [name, kind] of listed) assert.match(kind, /^(distributed|reference|local)$/, name)
})

test('every unique and foreign key of a distributed table contains masjid_id, but for those that are listed', async () => {
  const found = await query(standingInTheWay, [distributed])
  const exceptions = rowsAfter('sharding exceptions').map(([name]) => name)
  assert.deepEqual(
    {
      unlisted: found.filter(name => !exceptions.includes(name)),
      gone: exceptions.filter(name => !found.includes(name)),
    },
    { unlisted: [], gone: [] },
  )
})
