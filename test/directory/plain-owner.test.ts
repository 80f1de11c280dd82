// The owner of docs/production.md, who is no superuser: an import of theirs adds, updates and removes like any other.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { withClient } from '../../src/db/with-client.ts'
import { type OwnCluster, runCluster } from '../faults/own-cluster.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { createPlainOwner, type PlainOwner } from '../support/plain-owner.ts'
import { runCommand, temporaryFolder } from '../support/process.ts'
import { csv, happened, useImports } from './use-imports.ts'

let cluster: OwnCluster
let owner: PlainOwner
before(async () => {
  cluster = await runCluster(temporaryFolder(), { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB' })
  owner = await createPlainOwner(cluster)
  const { status, stderr } = await runCommand(['migrate'], { DATABASE_URL: owner.url, MINARET_SECRET: TEST_SECRET })
  assert.equal(status, 0, stderr)
})
after(() => cluster?.remove())

const { importText } = useImports(() => ({ databaseUrl: owner.url }))

const ask = async <R>(text: string): Promise<R[]> =>
  (await withClient(owner.connection, client => client.query(text))).rows

/** So many that indexes let words wait, and statistics are read. */
const ROWS = 1200
const row = (name: string) => (_: unknown, index: number) =>
  `${index},${name} ${index},1 Road,Town,IN,${(20 + Math.floor(index / 50) * 0.02).toFixed(2)},${(76 + (index % 50) * 0.02).toFixed(2)}`
const rows = (name: string, many = ROWS): string => csv(...Array.from({ length: many }, row(name)))

test('is no superuser', async () => {
  assert.deepEqual(await ask("select current_setting('is_superuser') as superuser"), [{ superuser: 'off' }])
})

test('adds masjids, and leaves the indexes as they were', async () => {
  const trial = await importText(rows('Masjid'), 'Register', '--dry-run')
  assert.deepEqual([trial.status, happened(trial)], [0, { read: ROWS, added: ROWS }], trial.stderr)
  const ran = await importText(rows('Masjid'), 'Register')
  assert.deepEqual([ran.status, happened(ran)], [0, { read: ROWS, added: ROWS }], ran.stderr)
  const waiting = await ask(`
    select from pg_class join pg_index on indexrelid = oid
    where indrelid = 'public.up_masjids'::regclass and 'fastupdate=on' = any (reloptions)`)
  assert.equal(waiting.length, 0)
  const sizes = await ask<{ name: string; rows: number }>(`
    select relname as name, reltuples::int as rows from pg_class
    where oid in ('public.up_masjids'::regclass, 'public.masjid_words'::regclass) order by 1`)
  assert.deepEqual(
    sizes,
    ['masjid_words', 'up_masjids'].map(name => ({ name, rows: ROWS })),
  )
  await within(30_000, 'they were learnt while it ran, and at its end', async () => {
    const [counted] = await ask<{ times: number }>(`
      select analyze_count::int as times from pg_stat_user_tables where relid = 'public.masjid_terms'::regclass`)
    return counted?.times === 2
  })
})

test('updates them, though none is in the audit trail row by row', async () => {
  const ran = await importText(rows('Mosque'), 'Register')
  assert.deepEqual([ran.status, happened(ran)], [0, { read: ROWS, updated: ROWS }], ran.stderr)
  assert.deepEqual(await ask('select from public.written_rows'), [])
  assert.deepEqual(await ask("select name from public.up_masjids where name = 'Mosque 7'"), [{ name: 'Mosque 7' }])
})

test('removes what the file no longer has', async () => {
  const ran = await importText(rows('Mosque', ROWS - 5), 'Register', '--delete-gone', '5')
  assert.deepEqual([ran.status, ran.counts.deleted], [0, 5], ran.stderr)
  assert.deepEqual(await ask('select count(*)::int as left from public.up_masjids where deleted_at is null'), [
    { left: ROWS - 5 },
  ])
})
