// The database itself enforces the rules of an app's states.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Queryable } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()

const states = ['pending', 'approved', 'rejected', 'suspended'] as const
type State = (typeof states)[number]
const allowed = new Set([
  'pending>approved',
  'pending>rejected',
  'rejected>pending',
  'approved>suspended',
  'suspended>approved',
])
const wayTo: Readonly<Record<State, readonly State[]>> = {
  pending: [],
  approved: ['approved'],
  rejected: ['rejected'],
  suspended: ['approved', 'suspended'],
}

const insertUser = async (): Promise<string> => {
  const name = randomBytes(6).toString('hex')
  const row = await database().first<{ id: string }>(
    sql`insert into minaret.users (email, name) values (${`${name}@example.org`}, ${name}) returning id`,
  )
  return String(row?.id)
}

const insertApp = async (ownerId: string): Promise<string> => {
  const row = await database().first<{ id: string }>(
    sql`insert into minaret.apps (owner_id, name, description, kind, requested_scopes)
        values (${ownerId}, 'App', 'An app', 'confidential', '{masjid:read}') returning id`,
  )
  return String(row?.id)
}

const move = (queryable: Queryable, id: string, to: State): Promise<number> =>
  queryable.run(sql`update minaret.apps set state = ${to}, scopes = '{masjid:read}',
    client_id = coalesce(client_id, ${`client-${id}`}), moved_because = 'test' where id = ${id}`)

for (const from of states)
  for (const to of states) {
    if (from === to) continue
    const right = allowed.has(`${from}>${to}`)
    test(`${from} → ${to} is ${right ? 'recorded' : 'refused'}`, async () => {
      const id = await insertApp(await insertUser())
      for (const step of wayTo[from]) await move(database(), id, step)
      if (!right) return void (await assert.rejects(move(database(), id, to), { code: 'MN001' }))
      await move(database(), id, to)
      const [last] = await database().query(
        sql`select from_state, to_state, reason from minaret.app_moves where app_id = ${id} order by id desc limit 1`,
      )
      assert.deepEqual(last, { from_state: from, to_state: to, reason: 'test' })
    })
  }

test('an app cannot start as approved', async () => {
  const owner = await insertUser()
  await assert.rejects(
    database().run(sql`insert into minaret.apps (owner_id, name, description, kind, requested_scopes, scopes, state, client_id)
      values (${owner}, 'App', 'An app', 'confidential', '{masjid:read}', '{masjid:read}', 'approved', 'client-12345')`),
    { code: 'MN001' },
  )
})

test('a client_id never changes and is never reused', async () => {
  const owner = await insertUser()
  const [first, second] = [await insertApp(owner), await insertApp(owner)]
  await move(database(), first, 'approved')
  await assert.rejects(database().run(sql`update minaret.apps set client_id = 'another-one' where id = ${first}`), {
    code: 'MN001',
  })
  await assert.rejects(
    database().run(sql`update minaret.apps set client_id = ${`client-${first}`} where id = ${second}`),
    { code: '23505' },
  )
})

test('a deleted app changes its state no more', async () => {
  const id = await insertApp(await insertUser())
  await database().run(sql`update minaret.apps set deleted_at = now() where id = ${id}`)
  await assert.rejects(move(database(), id, 'approved'), { code: 'MN001' })
})

test('a public app without a redirect URI is refused', async () => {
  const owner = await insertUser()
  await assert.rejects(
    database().run(sql`insert into minaret.apps (owner_id, name, description, kind, requested_scopes)
      values (${owner}, 'App', 'An app', 'public', '{masjid:read}')`),
    { code: '23514' },
  )
})

test('suspending ends keys and grants, with one notification for all of them', async () => {
  const owner = await insertUser()
  const id = await insertApp(owner)
  await move(database(), id, 'approved')
  await database().run(sql`insert into minaret.api_keys (app_id, name, hint, key_hash, environment, scopes)
    values (${id}, 'key', 'abcd', ${randomBytes(32)}, 'live', '{masjid:read}')`)
  await database().run(sql`insert into minaret.grants (app_id, user_id, scopes, auth_time)
    select ${id}, ${owner}, '{masjid:read}', now() from generate_series(1, 3)`)
  await move(database(), id, 'suspended')
  const row = await database().first(sql`select
    (select count(*)::int from minaret.api_keys where app_id = ${id} and revoked_at is null) as keys,
    (select count(*)::int from minaret.grants where app_id = ${id} and revoked_at is null) as grants,
    (select count(*)::int from minaret.revocations where kind = 'app' and subject = ${id}) as app_news,
    (select count(*)::int from minaret.revocations r join minaret.grants g on g.id::text = r.subject where g.app_id = ${id}) as grant_news`)
  assert.deepEqual(row, { keys: 0, grants: 0, app_news: 1, grant_news: 0 })
})

test('disabling a user ends sessions and grants, with a notification for each grant', async () => {
  const user = await insertUser()
  const id = await insertApp(user)
  await database().run(sql`insert into minaret.sessions (token_hash, user_id, expires_at)
    values (${randomBytes(32)}, ${user}, now() + interval '1 day')`)
  const grant = await database().first<{
    id: string
  }>(sql`insert into minaret.grants (app_id, user_id, scopes, auth_time)
    values (${id}, ${user}, '{masjid:read}', now()) returning id`)
  await database().run(sql`update minaret.users set disabled_at = now() where id = ${user}`)
  const row = await database().first(sql`select
    (select count(*)::int from minaret.sessions where user_id = ${user} and ended_at is null) as sessions,
    (select array_agg(kind order by kind) from minaret.revocations where subject in (${user}, ${grant?.id})) as news`)
  assert.deepEqual(row, { sessions: 0, news: ['grant', 'user'] })
})

test('a live key needs an approved app and stays within its scopes', async () => {
  const id = await insertApp(await insertUser())
  const insertKey = (environment: string, scopes: string): Promise<number> =>
    database().run(sql`insert into minaret.api_keys (app_id, name, hint, key_hash, environment, scopes)
      values (${id}, 'key', 'abcd', ${randomBytes(32)}, ${environment}, ${scopes})`)
  await assert.rejects(insertKey('live', '{masjid:read}'), { code: 'MN002' })
  await insertKey('test', '{members:read}')
  await move(database(), id, 'approved')
  await assert.rejects(insertKey('live', '{members:read}'), { code: 'MN003' })
  await insertKey('live', '{masjid:read}')
})

test('a third active secret is refused by the database', async () => {
  const id = await insertApp(await insertUser())
  await move(database(), id, 'approved')
  const insertSecret = (slot: number): Promise<number> =>
    database().run(sql`insert into minaret.app_secrets (app_id, slot, secret_hash, hint)
      values (${id}, ${slot}, ${randomBytes(32)}, 'abcd')`)
  await insertSecret(1)
  await insertSecret(2)
  for (const slot of [1, 2]) await assert.rejects(insertSecret(slot), { code: '23505' })
  await assert.rejects(insertSecret(3), { code: '23514' })
})
