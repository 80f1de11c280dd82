// A misconfigured service does not start; an unconfigured one fills itself with demo data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { startTestMinaret } from '../support/minaret.ts'
import { runMinaret, temporaryFolder } from '../support/process.ts'

test('an error in the configuration prevents the start, and every error is listed with its fix', async () => {
  const { status, stdout, stderr } = await runMinaret(['serve'], {
    NODE_ENV: 'production',
    BASE_URL: 'http://id.example.org',
    PORT: 'three thousand',
  })
  assert.notEqual(status, 0)
  assert.equal(stdout, '')
  for (const name of ['BASE_URL', 'PORT', 'DATABASE_URL', 'MINARET_SECRET'])
    assert.match(stderr, new RegExp(`- ${name} is .+\\. .*(use|set) `, 'i'), name)
})

test('the first start of a development installation fills empty tables; DEMO_DATA=off leaves them empty', async () => {
  const folder = temporaryFolder()
  try {
    for (const [DEMO_DATA, filled] of [
      ['on', true],
      ['off', false],
    ] as const) {
      const minaret = await startTestMinaret({ DEMO_DATA, DATA_DIR: folder.path })
      try {
        const row = await minaret.service.database.first<{ masjids: number; members: number }>(sql`select
          (select count(*)::int from public.up_masjids) as masjids, (select count(*)::int from public.ua_members) as members`)
        assert.equal((row?.masjids ?? 0) > 0, filled)
        assert.equal((row?.members ?? 0) > 0, filled)
      } finally {
        await minaret.stop()
      }
    }
  } finally {
    folder.remove()
  }
})

test('in production no demo data are loaded, even when they are requested', async () => {
  const minaret = await startTestMinaret({
    NODE_ENV: 'production',
    BASE_URL: 'https://id.example.org',
    DEMO_DATA: 'on',
  })
  try {
    const [row] = await minaret.service.database.query(sql`select count(*)::int as masjids from public.up_masjids`)
    assert.deepEqual(row, { masjids: 0 })
  } finally {
    await minaret.stop()
  }
})
