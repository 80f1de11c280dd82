// Which grant a credential gives, and which credentials are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { createApiKey } from '../../src/access/api-key-format.ts'
import type { Access } from '../../src/access/create-access.ts'
import { approveApp } from '../../src/apps/decide.ts'
import { changeMasjids } from '../../src/apps/masjids.ts'
import { commandActor as actor } from '../../src/audit/record-audit.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey, makePendingApp } from '../support/apps.ts'
import { within } from '../support/oauth.ts'
import { useTwoProcesses } from './two-processes.ts'

const processes = useTwoProcesses()
const database = (): Database => processes().first.database
const access = (): Access => processes().first.access
const refused = (credential: string, environment?: 'live' | 'test') =>
  assert.rejects(access().authenticate(credential, environment), { code: 'invalid_token', status: 401 })

const insertMasjid = async (slug: string): Promise<string> => {
  const row = await database().first<{ id: string }>(sql`
    insert into public.up_masjids (slug, name, address, city, state, country, latitude, longitude, timezone)
    values (${slug}, ${slug}, 'Street 1', 'Dearborn', 'MI', 'US', 42.3, -83.2, 'America/Detroit') returning id`)
  return String(row?.id)
}

test('a key gives the grant of its app, with its scopes and masjids', async () => {
  const [narrow, own] = [await insertMasjid('narrow'), await insertMasjid('own')]
  const appId = await makePendingApp(database(), { scopes: ['masjid:read', 'members:read'] })
  await approveApp(database(), { appId, actor, masjids: { only: [narrow], own: [own] } })
  const { key, id } = await makeKey(database(), { appId, scopes: ['members:read'] })
  const grant = await access().authenticate(key)
  assert.equal(grant.kind, 'app')
  assert.equal(grant.credential, 'api_key')
  assert.equal(grant.keyId, id)
  assert.equal(grant.appId, appId)
  assert.deepEqual([...grant.scopes], ['members:read'])
  assert.deepEqual(new Set(grant.masjids), new Set([narrow, own]))
  assert.deepEqual(grant.ownMasjids, [own])
})

test('an app that belongs to every masjid has all of them as its own, until it is narrowed, in every process', async () => {
  const { id: appId, clientId } = await makeApp(database(), { masjids: { only: '*', own: '*' } })
  const { key } = await makeKey(database(), { appId })
  const token = await processes().sign({ clientId })
  const { second } = processes()
  for (const credential of [key, token]) assert.equal((await second.access.authenticate(credential)).ownMasjids, '*')
  const own = [await insertMasjid('only-own')]
  await changeMasjids(database(), { appId, actor, choice: { only: '*', own } })
  for (const credential of [key, token])
    await within(1000, 'the other process knows', async () =>
      isDeepStrictEqual((await second.access.authenticate(credential)).ownMasjids, own),
    )
})

test('an unrestricted app has access to every masjid; a user has none through the app', async () => {
  const app = await makeApp(database())
  assert.equal((await access().authenticate(await processes().sign({ clientId: app.clientId }))).masjids, '*')
  const userId = '7f3c1f0e-0000-4000-8000-000000000001'
  const grant = await access().authenticate(await processes().sign({ clientId: app.clientId, userId, grantId: userId }))
  assert.equal(grant.kind, 'user')
  assert.deepEqual(grant.masjids, [])
})

test('unknown, mistyped and expired keys are refused', async () => {
  const { id: appId } = await makeApp(database())
  await refused(createApiKey('live'))
  const { key } = await makeKey(database(), { appId })
  await refused(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)
  const soon = await makeKey(database(), { appId, expiresAt: new Date(Date.now() + 3_600_000) })
  await access().authenticate(soon.key)
  const brief = await makeKey(database(), { appId, expiresAt: new Date(Date.now() + 50) })
  await database().run(sql`update minaret.api_keys set expires_at = now() - interval '1 second' where id = ${brief.id}`)
  await refused(brief.key)
})

test('a test key works only in the sandbox, a live one only in the service', async () => {
  const { id: appId } = await makeApp(database())
  const live = await makeKey(database(), { appId })
  const test = await makeKey(database(), { appId, test: true, scopes: ['members:read'] })
  await refused(test.key)
  await refused(live.key, 'test')
  const grant = await access().authenticate(test.key, 'test')
  assert.equal(grant.environment, 'test')
  assert.deepEqual([...grant.scopes], ['members:read'])
})

test('a token of an app that is unknown or not approved is refused', async () => {
  await refused(await processes().sign({ clientId: 'app_unknown' }))
})

test('a last use is recorded, at most once a minute', async () => {
  const { id: appId } = await makeApp(database())
  const { key, id } = await makeKey(database(), { appId })
  const lastUse = async (): Promise<Date | null | undefined> =>
    (
      await database().first<{ last_used_at: Date | null }>(
        sql`select last_used_at from minaret.api_keys where id = ${id}`,
      )
    )?.last_used_at
  assert.equal(await lastUse(), null)
  await access().authenticate(key)
  await access().lastUsed.flush()
  const first = await lastUse()
  assert.ok(first instanceof Date)
  await access().authenticate(key)
  await access().lastUsed.flush()
  assert.deepEqual(await lastUse(), first)
  await processes().second.access.authenticate(key)
  await processes().second.access.lastUsed.flush()
  assert.deepEqual(await lastUse(), first, 'another process within the minute writes nothing either')
})
