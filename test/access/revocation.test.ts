// A revoked token, key, grant, app or user is refused by every process within a second, even by one that lost its connection.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Grant } from '../../src/access/grant.ts'
import { revokeKey } from '../../src/apps/keys.ts'
import { deleteApp, reinstateApp, suspendApp } from '../../src/apps/stop.ts'
import { commandActor as actor } from '../../src/audit/record-audit.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey, makeUser } from '../support/apps.ts'
import { within } from '../support/oauth.ts'
import { useTwoProcesses } from './two-processes.ts'

const processes = useTwoProcesses()
const database = (): Database => processes().first.database
/** The process that is notified, not the one that revokes. */
const authenticate = (credential: string): Promise<Grant> => processes().second.access.authenticate(credential)

const SECOND_MS = 1000

const refusedWithinASecond = (credential: string): Promise<void> =>
  within(SECOND_MS, 'it is refused', () =>
    authenticate(credential).then(
      () => false,
      error => error.code === 'invalid_token',
    ),
  )

interface Made {
  readonly token: string
  readonly key: string
  readonly appId: string
  readonly keyId: string
  readonly userId: string
  readonly grantId: string
  readonly tokenId: string
}

/** Credentials that the second process has already used, and so has cached. */
const make = async (): Promise<Made> => {
  const app = await makeApp(database(), { scopes: ['masjid:read', 'events:read'] })
  const user = await makeUser(database(), { hashed: false })
  const row = await database().first<{ id: string }>(sql`insert into minaret.grants (app_id, user_id, scopes, auth_time)
    values (${app.id}, ${user.id}, '{masjid:read}', now()) returning id`)
  const grantId = String(row?.id)
  const tokenId = randomUUID()
  const token = await processes().sign({ clientId: app.clientId, userId: user.id, grantId, tokenId })
  const { key, id: keyId } = await makeKey(database(), { appId: app.id })
  assert.equal((await authenticate(token)).userId, user.id)
  assert.equal((await authenticate(key)).keyId, keyId)
  return { token, key, keyId, appId: app.id, userId: user.id, grantId, tokenId }
}

const revokeToken = (made: Made): Promise<unknown> =>
  database().run(sql`insert into minaret.revocations (kind, subject, expires_at)
    values ('token', ${made.tokenId}, now() + interval '1 hour')`)

interface Way {
  readonly name: string
  readonly end: (made: Made) => Promise<unknown>
  readonly ends: readonly ('token' | 'key')[]
}

const ways: readonly Way[] = [
  { name: 'a revoked token', end: revokeToken, ends: ['token'] },
  {
    name: 'a revoked grant',
    ends: ['token'],
    end: ({ grantId }) => database().run(sql`update minaret.grants set revoked_at = now() where id = ${grantId}`),
  },
  {
    name: 'a disabled user',
    ends: ['token'],
    end: ({ userId }) => database().run(sql`update minaret.users set disabled_at = now() where id = ${userId}`),
  },
  { name: 'a revoked key', ends: ['key'], end: ({ appId, keyId }) => revokeKey(database(), { appId, actor, keyId }) },
  {
    name: 'a suspended app',
    ends: ['token', 'key'],
    end: ({ appId }) => suspendApp(database(), { appId, actor, reason: 'Test.' }),
  },
  { name: 'a deleted app', ends: ['token', 'key'], end: ({ appId }) => deleteApp(database(), { appId, actor }) },
]

for (const { name, end, ends } of ways)
  test(`${name} is refused by the other process within a second`, async () => {
    const made = await make()
    await end(made)
    for (const kind of ends) await refusedWithinASecond(made[kind])
    for (const kind of ['token', 'key'] as const) if (!ends.includes(kind)) await authenticate(made[kind])
  })

const cutConnection = async (): Promise<void> => {
  await database().query(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'minaret listener' and datname = current_database()`)
}

for (const { name, end, ends } of ways)
  test(`${name} is refused while notifications cannot arrive`, async () => {
    const made = await make()
    await cutConnection()
    await end(made)
    for (const kind of ends) await refusedWithinASecond(made[kind])
  })

test('after the connection is restored, the cache is used again and notifications arrive again', async () => {
  await cutConnection()
  const isInTouch = () => processes().second.access.revocations.inTouch()
  await within(60_000, 'the connection is lost', () => !isInTouch())
  await within(60_000, 'the connection is restored', isInTouch)
  const made = await make()
  await revokeToken(made)
  await refusedWithinASecond(made.token)
})

test('a reinstated app gets new credentials, while the old ones stay revoked', async () => {
  const made = await make()
  await suspendApp(database(), { appId: made.appId, actor, reason: 'Test.' })
  await reinstateApp(database(), { appId: made.appId, actor })
  await refusedWithinASecond(made.token)
  await refusedWithinASecond(made.key)
  const { key } = await makeKey(database(), { appId: made.appId })
  await authenticate(key)
  const row = await database().first<{ client_id: string }>(
    sql`select client_id from minaret.apps where id = ${made.appId}`,
  )
  const later = Math.floor(Date.now() / 1000) + 1
  await authenticate(await processes().sign({ clientId: String(row?.client_id), issuedAt: later }))
})

test('narrower scopes apply to credentials already issued', async () => {
  const app = await makeApp(database(), { scopes: ['masjid:read', 'events:read'] })
  const { key } = await makeKey(database(), { appId: app.id, scopes: ['masjid:read', 'events:read'] })
  const token = await processes().sign({ clientId: app.clientId, scope: 'masjid:read events:read' })
  for (const credential of [key, token])
    assert.equal((await authenticate(credential)).scopeKey, 'masjid:read events:read')
  await database().run(sql`update minaret.apps set scopes = '{events:read}' where id = ${app.id}`)
  for (const credential of [key, token])
    await within(SECOND_MS, 'narrower', async () => (await authenticate(credential)).scopeKey === 'events:read')
})

/** The last test, because it removes the key that all tokens here are signed with. */
test('tokens of a removed signing key are refused, even cached ones', async () => {
  const { token } = await make()
  await authenticate(token)
  await database().run(sql`delete from minaret.signing_keys where kid = 'test-key'`)
  await refusedWithinASecond(token)
})
