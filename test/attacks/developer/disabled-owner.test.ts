// A person whose account is disabled continues through their apps: keys, the app's own tokens, tokens for its users.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { approveApp } from '../../../src/apps/decide.ts'
import { suspendApp } from '../../../src/apps/stop.ts'
import { commandActor as actor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { makeApp, makeKey, makePendingApp, makeUser, PASSWORD, REDIRECT_URI } from '../../support/apps.ts'
import { startTestMinaret, useMinaret } from '../../support/minaret.ts'
import { basic, postToken, within } from '../../support/oauth.ts'
import { createPerson } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const SECOND_MS = 1000

const ask = async (baseUrl: string, credential: string): Promise<number> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${credential}` }
  const body = '{"query":"{ up_masjids(limit: 1) { id } }"}'
  const response = await fetch(`${baseUrl}/v1/graphql`, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

const becomes = (status: number, work: () => Promise<number>): Promise<void> =>
  within(SECOND_MS, `it becomes ${status}`, async () => (await work()) === status)

const disable = (id: string) => database().run(sql`update minaret.users set disabled_at = now() where id = ${id}`)
const enable = (id: string) => database().run(sql`update minaret.users set disabled_at = null where id = ${id}`)

const make = async () => {
  const owner = await makeUser(database(), { hashed: false })
  const app = await makeApp(database(), { ownerId: owner.id, kind: 'confidential' })
  const { key } = await makeKey(database(), { appId: app.id })
  const client = { ...app, secret: app.clientSecret, redirectUri: REDIRECT_URI }
  const answer = await postToken(minaret(), { grant_type: 'client_credentials' }, basic(client))
  assert.equal(answer.status, 200)
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return { owner, app, client, credentials: [key, token] }
}

test('keys and tokens of their apps are refused within a second in every process, whoever disabled them, and work again when enabled', async () => {
  const { owner, client, credentials } = await make()
  const { baseUrl } = minaret()
  const other = await startTestMinaret({ DATABASE_URL: minaret().databaseUrl, BASE_URL: baseUrl })
  const everywhere = [baseUrl, `http://127.0.0.1:${other.service.port}`]
  try {
    for (const process of everywhere)
      for (const credential of credentials) assert.equal(await ask(process, credential), 200)
    await disable(owner.id)
    for (const process of everywhere)
      for (const credential of credentials) await becomes(401, () => ask(process, credential))
    const refused = await postToken(minaret(), { grant_type: 'client_credentials' }, basic(client))
    assert.equal(refused.status, 401)
    await enable(owner.id)
    for (const process of everywhere)
      for (const credential of credentials) await becomes(200, () => ask(process, credential))
    await becomes(200, async () => {
      const again = await postToken(minaret(), { grant_type: 'client_credentials' }, basic(client))
      return again.status
    })
  } finally {
    await other.stop()
  }
})

test('test keys stop in the sandbox as well', async () => {
  const owner = await makeUser(database(), { hashed: false })
  const appId = await makePendingApp(database(), { ownerId: owner.id })
  const { key } = await makeKey(database(), { appId, test: true })
  const inSandbox = () => ask(minaret().sandboxUrl, key)
  assert.equal(await inSandbox(), 200)
  await disable(owner.id)
  await becomes(401, inSandbox)
})

test('what a reviewer suspended in the meantime stays suspended when the person is enabled', async () => {
  const { owner, app, credentials } = await make()
  await disable(owner.id)
  await suspendApp(database(), { appId: app.id, actor, reason: 'Leaked.' })
  await enable(owner.id)
  await delay(50)
  for (const credential of credentials) assert.equal(await ask(minaret().baseUrl, credential), 401)
})

test('an app that is approved while its owner is disabled is paused too', async () => {
  for (let round = 0; round < 5; round += 1) {
    const owner = await makeUser(database(), { hashed: false })
    const appId = await makePendingApp(database(), { ownerId: owner.id })
    await Promise.all([approveApp(database(), { appId, actor }), disable(owner.id)])
    const { key } = await makeKey(database(), { appId })
    assert.equal(await ask(minaret().baseUrl, key), 401)
    await enable(owner.id)
    await becomes(200, () => ask(minaret().baseUrl, key))
  }
})

test('the administrator is told about it before and afterwards', async () => {
  const { owner, app } = await make()
  const admin = createPerson(minaret().baseUrl)
  const { email } = await makeUser(database(), { isAdmin: true })
  await admin.signIn(email, PASSWORD)
  const path = `/admin/users/${owner.id}`
  assert.match((await admin.get(`${path}/disable`)).text, /Their own apps, with all keys and tokens, are paused/)
  const disabled = await admin.submit(`${path}/disable`, `${path}/disable`, {})
  assert.match((await admin.get(disabled.location ?? '')).text, /Its apps, keys and tokens are paused/)
  assert.match((await admin.get(`/review/apps/${app.id}`)).text, /The account of its owner is disabled/)
  const enabled = await admin.submit(path, `${path}/enable`, {})
  assert.match((await admin.get(enabled.location ?? '')).text, /work again, unless a reviewer suspended the app/)
})
