// Members and strangers who want more of a key than its limit, and keys that want more than their app.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setKeyLimit } from '../../../src/apps/key-limit.ts'
import { commandActor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { ANTI_FORGERY_FIELD } from '../../../src/site/pieces/form.ts'
import { visitAs } from '../../staff/use-staff.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { openClient } from '../../support/graphql.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makePerson } from '../../support/oauth.ts'
import type { Person } from '../../support/person.ts'

const minaret = useMinaret({ ROWS_PER_MINUTE: '100' })
const database = () => minaret().service.database

const makeKeyed = async () => {
  const owner = await makePerson(database())
  const { id } = await makeApp(database(), { ownerId: owner.id, kind: 'confidential', scopes: ['masjid:read'] })
  const key = await makeKey(database(), { appId: id, requestsPerMinute: 5 })
  return { owner, appId: id, ...key, keyId: key.id, path: `/console/apps/${id}/keys/${key.id}/limit` }
}

const limitOf = async (keyId: string): Promise<number | null | undefined> =>
  (
    await database().first<{ limit: number | null }>(
      sql`select requests_per_minute as "limit" from minaret.api_keys where id = ${keyId}`,
    )
  )?.limit

/** Posts past the page, which offers no such form. */
const post = async (person: Person, path: string, key_limit: string): Promise<number> => {
  const { text } = await person.get('/console/apps/new')
  const token = new RegExp(`name="${ANTI_FORGERY_FIELD}" value="([^"]*)"`).exec(text)?.[1] ?? ''
  return (await person.post(path, { [ANTI_FORGERY_FIELD]: token, key_limit })).status
}

test('the limit of a key is out of reach for viewers, strangers, and through another app', async () => {
  const victim = await makeKeyed()
  const attacker = await makeKeyed()
  const viewer = await makePerson(database())
  await database().run(
    sql`insert into minaret.app_members (app_id, user_id, role) values (${victim.appId}, ${viewer.id}, 'viewer')`,
  )
  const watching = await visitAs(minaret(), viewer)
  assert.equal((await watching.get(victim.path)).status, 403)
  assert.equal(await post(watching, victim.path, '60000'), 403)
  const { text } = await watching.get(`/console/apps/${victim.appId}/credentials`)
  assert.doesNotMatch(text, /\/limit"/, 'a viewer is offered no form')
  const stranger = await visitAs(minaret(), attacker.owner)
  assert.equal((await stranger.get(victim.path)).status, 404)
  assert.equal(await post(stranger, victim.path, '60000'), 404)
  const throughOwn = `/console/apps/${attacker.appId}/keys/${victim.keyId}/limit`
  assert.equal((await stranger.get(throughOwn)).status, 404)
  assert.equal(await post(stranger, throughOwn, '60000'), 404)
  await assert.rejects(
    setKeyLimit(database(), {
      appId: attacker.appId,
      actor: commandActor,
      keyId: victim.keyId,
      requestsPerMinute: 60_000,
    }),
    { code: 'credential_refused' },
  )
  assert.equal(await limitOf(victim.keyId), 5)
})

test('a high limit of a key lifts no limit of its app', async () => {
  const { appId, key, keyId, owner, path } = await makeKeyed()
  const person = await visitAs(minaret(), owner)
  assert.equal(await post(person, path, '60001'), 422, 'more than any key may have')
  assert.equal(await post(person, path, '60000'), 303)
  assert.equal(await limitOf(keyId), 60_000)
  const client = openClient(minaret(), key)
  try {
    const question = { query: '{ up_masjids(limit: 60) { id } }' }
    const first = await client.query(question)
    assert.equal(first.status, 200)
    assert.match(String(first.headers['ratelimit-policy']), /"rows";q=100;w=60, "key";q=60000;w=60/)
    const refused = await client.query(question)
    assert.equal(refused.status, 429)
    assert.match(String(refused.body.errors?.[0]?.message), /of the 100 allowed this minute/)
  } finally {
    client.close()
  }
  for (const limit of [0, -1, 60_001])
    await assert.rejects(
      database().run(sql`update minaret.api_keys set requests_per_minute = ${limit} where app_id = ${appId}`),
      { constraint: 'api_keys_requests_per_minute' },
    )
})

test('a revoked key has no limit to change, and a refused request costs the key nothing beyond it', async () => {
  const { appId, key, keyId, owner, path } = await makeKeyed()
  const client = openClient(minaret(), key)
  try {
    for (let asked = 0; asked < 5; asked += 1)
      assert.notEqual((await client.query({ query: '{ __typename }' })).headers['ratelimit-policy'], undefined)
    const waits = []
    for (let asked = 0; asked < 20; asked += 1)
      waits.push(Number((await client.query({ query: '{ __typename }' })).headers['retry-after']))
    assert.ok(
      waits.every(seconds => seconds >= 1 && seconds <= 60),
      'knocking does not prolong the wait',
    )
  } finally {
    client.close()
  }
  await database().run(sql`update minaret.api_keys set revoked_at = now() where id = ${keyId}`)
  const person = await visitAs(minaret(), owner)
  assert.equal((await person.get(path)).status, 404)
  assert.equal(await post(person, path, '1'), 404)
  assert.equal((await person.get(`/console/apps/${appId}/credentials`)).status, 200)
})
