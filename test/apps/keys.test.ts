// What the database stores of an API key, and what an app's history shows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveApp } from '../../src/apps/decide.ts'
import { listMoves } from '../../src/apps/history.ts'
import { suspendApp } from '../../src/apps/stop.ts'
import type { Actor } from '../../src/audit/record-audit.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey, makePendingApp, makeUser } from '../support/apps.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()

test('a key, live or test, is stored only as its SHA-256', async () => {
  const { id: appId } = await makeApp(database())
  for (const test of [false, true]) {
    const { id, key } = await makeKey(database(), { appId, test })
    assert.match(key, test ? /^mk_test_[0-9A-Za-z]{38}$/ : /^mk_live_[0-9A-Za-z]{38}$/)
    const row = await database().first(sql`select key_hash = sha256(convert_to(${key}, 'utf8')) as digest,
      position(${key.slice(8, 40)} in k::text) as found from minaret.api_keys k where id = ${id}`)
    assert.deepEqual(row, { digest: true, found: 0 })
  }
})

test('a test key needs no approval and, without named scopes, reads every table', async () => {
  const appId = await makePendingApp(database())
  const { id } = await makeKey(database(), { appId, test: true, scopes: [] })
  const row = await database().first(sql`select scopes from minaret.api_keys where id = ${id}`)
  const areas = ['masjid', 'events', 'prayer-times', 'donations', 'members']
  // What it writes is never kept: the sandbox only tries it.
  assert.deepEqual(row, { scopes: [...areas.map(area => `${area}:read`), ...areas.map(area => `${area}:write`)] })
})

test('each transition of an app records who made it, when and why', async () => {
  const reviewer = await makeUser(database(), { hashed: false, name: 'Reviewer Maryam', isReviewer: true })
  const actor: Actor = { kind: 'user', userId: reviewer.id, address: undefined }
  const appId = await makePendingApp(database())
  await approveApp(database(), { appId, actor })
  await suspendApp(database(), { appId, actor, reason: 'Its key was found in public.' })
  const [, approved, suspended] = await listMoves(database(), appId)
  assert.deepEqual([approved?.toState, approved?.movedBy], ['approved', 'Reviewer Maryam'])
  assert.deepEqual(
    [suspended?.toState, suspended?.movedBy, suspended?.reason],
    ['suspended', 'Reviewer Maryam', 'Its key was found in public.'],
  )
  assert.ok(Math.abs(Number(suspended?.movedAt) - Date.now()) < 60_000)
})
