import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { findCluster } from '../../src/db/embedded/cluster.ts'
import { findHome } from '../../src/db/embedded/home.ts'
import { within } from '../support/oauth.ts'
import { startMinaretProcess } from '../support/process.ts'
import { rounds } from '../support/rounds.ts'
import { temporaryUsedFolder } from '../support/used-folder.ts'

const ROUNDS = rounds(2, 40)

interface Writing {
  /** The last number that the database acknowledged. */
  acknowledged: number
  stopped: boolean
}

/** Inserts rows one by one until told to stop or cut off. */
const writeUntilCut = async (folder: string, writing: Writing): Promise<void> => {
  const client = new pg.Client(findCluster(findHome(folder)))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('create table if not exists public.kill_test (n integer primary key)')
    while (!writing.stopped) {
      await client.query('insert into public.kill_test values ($1)', [writing.acknowledged + 1])
      writing.acknowledged += 1
    }
  } catch {
    // The server went away: what it acknowledged must still be there.
  }
  await client.end().catch(() => undefined)
}

const written = async (folder: string): Promise<{ rows: number; last: number }> => {
  const client = new pg.Client(findCluster(findHome(folder)))
  await client.connect()
  const { rows } = await client.query('select count(*)::int as rows, coalesce(max(n), 0) as last from public.kill_test')
  await client.end()
  return rows[0]
}

test('killed repeatedly during writes, with and without its database, it loses nothing acknowledged and needs no manual recovery', async () => {
  const folder = await temporaryUsedFolder()
  const environment = { DATA_DIR: folder.path, DEMO_DATA: 'off' }
  let acknowledged = 0
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const minaret = await startMinaretProcess(environment)
      if (round > 1) {
        const found = await written(folder.path)
        assert.ok(found.last >= acknowledged, `round ${round}: ${acknowledged} acknowledged, ${found.last} found`)
        assert.equal(found.rows, found.last, 'no gap')
        acknowledged = found.last
      }
      const writing: Writing = { acknowledged, stopped: false }
      const cut = writeUntilCut(folder.path, writing)
      const least = acknowledged + 1 + (round % 20) * 5
      await within(60_000, 'rows are written', () => writing.acknowledged > least)
      // In every other round the database is killed too and must recover from its log.
      if (round % 2 === 0)
        process.kill(
          Number(readFileSync(join(folder.path, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]),
          'SIGKILL',
        )
      await minaret.stop('SIGKILL')
      writing.stopped = true
      await cut
      acknowledged = writing.acknowledged
    }
    const last = await startMinaretProcess(environment)
    assert.ok((await written(folder.path)).last >= acknowledged)
    assert.equal(await last.stop(), 0)
  } finally {
    folder.remove()
  }
})
