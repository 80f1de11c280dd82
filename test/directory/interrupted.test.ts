// An import that is killed, or loses its database, goes on from there when it is run again; two at once are refused.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from '../../src/db/sql.ts'
import { inThisDatabase } from '../support/locks.ts'
import { useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { csv, happened, useImports } from './use-imports.ts'

const minaret = useMinaret()
const { importFile, environment, pathOf } = useImports(minaret)
const database = () => minaret().service.database
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

const ROWS = 6600
const SOURCE = 'Interrupted'
const file = csv(
  ...Array.from({ length: ROWS }, (_, index) => {
    const [latitude, longitude] = [20 + Math.floor(index / 100) * 0.02, 76 + (index % 100) * 0.02]
    return `${index},Masjid ${index},1 Road,Town,IN,${latitude.toFixed(2)},${longitude.toFixed(2)}`
  }),
)

const countRows = async (): Promise<number> => {
  const row = await database().first<{ count: number }>(sql`
    select count(*)::int as count from public.up_masjid_origins origin
    join public.up_masjids masjid on masjid.id = origin.masjid_id where source = ${SOURCE}`)
  return row?.count ?? 0
}

const untilMoreThan = (count: number): Promise<void> =>
  within(120_000, `more than ${count} rows are stored`, async () => (await countRows()) > count)

const isOurs = sql`locktype = 'advisory' and objid = 6206252
  and ${inThisDatabase}`

test('killed, then cut off from the database, then run again: every row is there once', async () => {
  const path = pathOf('large.csv')
  writeFileSync(path, file)
  const words = ['masjids', 'import', path, '--source', SOURCE, '--licence', 'None']
  const child = spawn(process.execPath, [main, ...words], {
    env: { ...process.env, ...environment() },
    stdio: 'ignore',
  })
  const ended = new Promise(resolve => child.once('exit', resolve))
  await untilMoreThan(0)
  const other = await importFile(path, 'Another')
  assert.equal(other.status, 1)
  assert.match(other.stderr, /Another import is running/)
  child.kill('SIGKILL')
  await ended

  const afterKill = await countRows()
  assert.ok(afterKill < ROWS, 'it was killed in the middle')
  await within(60_000, 'the lock of the killed one is free', async () => {
    const row = await database().first<{ held: number }>(sql`
      select count(*)::int as held from pg_locks where ${isOurs}`)
    return row?.held === 0
  })
  const running = importFile(path, SOURCE)
  await untilMoreThan(afterKill)
  await database().query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and (pid in (select pid from pg_locks where ${isOurs}) or query like '%imported_rows%')`)
  const cutOff = await running
  assert.equal(cutOff.status, 1)
  assert.match(cutOff.stderr, /Stopped after [\d,]+ rows\. What was stored stays; run the same command again/)

  const last = await importFile(path, SOURCE)
  assert.equal(last.status, 0, last.stderr)
  assert.deepEqual([last.counts.read, (last.counts.added ?? 0) + (last.counts.unchanged ?? 0)], [ROWS, ROWS])
  assert.equal(await countRows(), ROWS)
  assert.deepEqual(happened(await importFile(path, SOURCE)), { read: ROWS, unchanged: ROWS })
  const waiting = await database().query(sql`
    select from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = 'public.up_masjids'::regclass and 'fastupdate=on' = any (reloptions)`)
  assert.equal(waiting.length, 0, 'indexes are as they were')
  const lines = await database().first<{ count: number }>(sql`
    select count(*)::int as count from changes.log where table_name = 'public.up_masjids'`)
  assert.ok((lines?.count ?? 0) < 20, 'a line of the change log for each statement, not for each masjid')
})
