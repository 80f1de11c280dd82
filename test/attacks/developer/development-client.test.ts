// A developer, or whoever finds a development client's id or token, tries to reach people or live data with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import { findApp } from '../../../src/apps/app.ts'
import { rejectApp } from '../../../src/apps/decide.ts'
import { handOverApp } from '../../../src/apps/hand-over.ts'
import { createSecret } from '../../../src/apps/secrets.ts'
import { deleteApp, suspendApp } from '../../../src/apps/stop.ts'
import { commandActor as actor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { makeApp, makePendingApp } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import {
  assertPage,
  authorizeParameters,
  basic,
  type Flow,
  getAuthorize,
  getTokens,
  makePerson,
  makePkce,
  postToken,
  readError,
  readTokens,
  refresh,
  signIn,
  userinfo,
  within,
} from '../../support/oauth.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const database = () => minaret().service.database

interface Developed extends Flow {
  readonly appId: string
}

const develop = async (kind: 'public' | 'confidential' = 'public', ownerId?: string): Promise<Developed> => {
  const user = await makePerson(database())
  const scopes = ['openid', 'email', 'masjid:read', 'members:read'] as const
  const appId = await makePendingApp(database(), { ownerId: ownerId ?? user.id, kind, scopes })
  const app = await findApp(database(), appId)
  assert.ok(app)
  const secret = kind === 'public' ? '' : await createSecret(database(), { appId: app.developmentId, actor })
  const redirectUri = 'http://127.0.0.1:51000/callback'
  const client = { id: app.developmentId, clientId: app.developmentClientId, secret, redirectUri }
  return { appId, app: client, user, cookie: await signIn(database(), user) }
}

const query = (url: string, token: string): Promise<Response> =>
  fetch(`${url}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' }),
  })

const scope = 'openid masjid:read members:read'

test('its tokens open no live data, and live tokens no sandbox', async () => {
  const own = await develop()
  const { access_token: token } = await getTokens(minaret(), own, { scope })
  assert.equal((await query(minaret().sandboxUrl, token)).status, 200)
  const refused = await query(minaret().baseUrl, token)
  assert.equal(refused.status, 401)
  assert.match(await refused.text(), /development client work in the sandbox/)
  const feed = `${minaret().baseUrl}/v1/masjids/${own.appId}/prayer-times.ics`
  assert.equal((await fetch(feed, { headers: { authorization: `Bearer ${token}` } })).status, 401)
  const { id, clientId } = await makeApp(database(), { scopes: ['openid', 'masjid:read'] })
  const live = { ...own, app: { id, clientId, secret: '', redirectUri: 'https://app.example.org/callback' } }
  const tokens = await getTokens(minaret(), live, { scope: 'openid masjid:read' })
  assert.equal((await query(minaret().baseUrl, tokens.access_token)).status, 200)
  assert.equal((await query(minaret().sandboxUrl, tokens.access_token)).status, 401)
  assert.equal((await userinfo(minaret(), token)).status, 200, 'userinfo is about the developer, who agreed')
})

test('codes go to the loopback interface and nowhere else', async () => {
  const { app, cookie } = await develop()
  const elsewhere = [
    'https://app.example.org/callback',
    'http://app.example.org/callback',
    'https://127.0.0.1/callback',
    'http://127.0.0.1.example.org/',
    'http://127.0.0.1@example.org/',
    'http://127.0.0.1:51000@example.org/',
    'http://localhost.example.org/',
    'http://localhost:99999/',
    'http://127.0.0.1/#fragment',
    'http://127.0.0.1\\@example.org/',
    'http://2130706433/',
    'http://10.0.0.1/callback',
    'com.example.app:/callback',
    `http://127.0.0.1/${'a'.repeat(2000)}`,
  ]
  for (const redirectUri of elsewhere) {
    const parameters = authorizeParameters(app, makePkce(), { scope, parameters: { redirect_uri: redirectUri } })
    await assertPage(await getAuthorize(minaret(), parameters, cookie), redirectUri)
  }
})

test('its secret and refresh tokens are worth nothing to the app, nor the other way round', async () => {
  const own = await develop('confidential')
  const tokens = await getTokens(minaret(), own, { scope })
  const { id, clientId, clientSecret } = await makeApp(database(), { kind: 'confidential', ownerId: own.user.id })
  const live = { id, clientId, secret: clientSecret, redirectUri: 'https://app.example.org/callback' }
  const ask = (app: typeof live) => postToken(minaret(), { grant_type: 'client_credentials' }, basic(app))
  assert.equal((await ask({ ...live, secret: own.app.secret })).status, 401)
  assert.equal((await ask({ ...own.app, secret: live.secret })).status, 401)
  assert.equal((await readError(await refresh(minaret(), live, tokens.refresh_token))).error, 'invalid_grant')
  const alone = await readTokens(await ask(own.app))
  assert.equal((await query(minaret().baseUrl, alone.access_token)).status, 401)
  assert.equal((await query(minaret().sandboxUrl, alone.access_token)).status, 200)
})

test('the database issues no grant to anybody outside the team', async () => {
  const { app } = await develop()
  const stranger = await makePerson(database())
  await assert.rejects(
    database().run(sql`
      insert into minaret.grants (app_id, user_id, scopes, auth_time)
      values (${app.id}, ${stranger.id}, '{masjid:read}', now())`),
    { code: 'MN007' },
  )
})

const refusedInSandbox = (token: string): Promise<void> =>
  within(1000, 'the sandbox refuses it', async () => (await query(minaret().sandboxUrl, token)).status === 401)

test('a rejected app may go on trying; a suspended, deleted or handed over one may not', async () => {
  const own = await develop()
  await rejectApp(database(), { appId: own.appId, actor, reason: 'not yet' })
  const first = await getTokens(minaret(), own, { scope })
  const heir: User = await makePerson(database())
  await handOverApp(database(), { appId: own.appId, to: heir, actor })
  await refusedInSandbox(first.access_token)
  assert.equal((await readError(await refresh(minaret(), own.app, first.refresh_token))).error, 'invalid_grant')
  const theirs = { ...own, user: heir, cookie: await signIn(database(), heir) }
  const second = await getTokens(minaret(), theirs, { scope })
  await deleteApp(database(), { appId: own.appId, actor })
  await refusedInSandbox(second.access_token)

  const approved = await develop()
  const { access_token: token } = await getTokens(minaret(), approved, { scope })
  await database().run(sql`
    update minaret.apps set state = 'approved', client_id = ${`app_${approved.appId}`}, scopes = requested_scopes
    where id = ${approved.appId}`)
  await suspendApp(database(), { appId: approved.appId, actor, reason: 'stop' })
  await refusedInSandbox(token)
  const parameters = authorizeParameters(approved.app, makePkce(), { scope })
  await within(
    1000,
    'nobody is asked any more',
    async () => (await getAuthorize(minaret(), parameters, approved.cookie)).status === 400,
  )
})

test('a consent page that a team member opened cannot be decided by a stranger', async () => {
  const { app } = await develop()
  const stranger = await makePerson(database())
  const asked = await getAuthorize(minaret(), authorizeParameters(app, makePkce(), { scope }))
  const reference = new URL(asked.headers.get('location') ?? '', minaret().baseUrl).searchParams.get('request') ?? ''
  const cookie = await signIn(database(), stranger)
  for (const path of ['/consent', '/oauth/authorize/resume']) {
    const page = await fetch(`${minaret().baseUrl}${path}?request=${reference}`, {
      headers: { cookie },
      redirect: 'manual',
    })
    assert.equal(page.status, 403, path)
  }
})
