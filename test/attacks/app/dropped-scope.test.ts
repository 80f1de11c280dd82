// An app with few scopes drops some of them, one way or another, to see more of the person than was agreed to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { useMinaret } from '../../support/minaret.ts'
import {
  authorizeParameters,
  type Flow,
  type FlowWishes,
  getAuthorize,
  getCode,
  getTokens,
  locationOf,
  makeFlow,
  makePkce,
  postToken,
  readTokens,
  refresh,
  type Tokens,
  userinfo,
  within,
} from '../../support/oauth.ts'

const minaret = useMinaret()

const shownTo = async (token: string): Promise<string[]> => {
  const response = await userinfo(minaret(), token)
  assert.equal(response.status, 200)
  return Object.keys((await response.json()) as object).sort()
}

const subAlone = ['sub']
const wholeRecord = ['email', 'email_verified', 'name', 'picture', 'sub']

const silently = async ({ app, cookie }: Flow, scope: string, parameters: FlowWishes['parameters'] = {}) => {
  const asked = authorizeParameters(app, makePkce(), { scope, parameters: { prompt: 'none', ...parameters } })
  return locationOf(await getAuthorize(minaret(), asked, cookie)).searchParams
}

const setScopes = (flow: Flow, scopes: readonly string[]): Promise<number> =>
  minaret().service.database.run(sql`update minaret.apps set scopes = ${scopes} where id = ${flow.app.id}`)

test('a refresh without openid shows no more than openid did', async () => {
  const flow = await makeFlow(minaret())
  const first = await getTokens(minaret(), flow, { scope: 'openid masjid:read' })
  assert.deepEqual(await shownTo(first.access_token), subAlone)
  const narrow = await readTokens(await refresh(minaret(), flow.app, first.refresh_token, 'masjid:read'))
  assert.deepEqual(await shownTo(narrow.access_token), subAlone)
})

test('no subset of the scopes of a refresh shows more than a larger one', async () => {
  const flow = await makeFlow(minaret())
  const whole = ['openid', 'profile', 'email', 'masjid:read']
  let { refresh_token: token } = await getTokens(minaret(), flow, { scope: whole.join(' ') })
  const shown = new Map<number, string[]>()
  for (let subset = 1; subset < 2 ** whole.length; subset += 1) {
    const scope = whole.filter((_, index) => subset & (1 << index)).join(' ')
    const next = await readTokens(await refresh(minaret(), flow.app, token, scope))
    token = next.refresh_token
    shown.set(subset, await shownTo(next.access_token))
  }
  for (const [small, few] of shown)
    for (const [large, many] of shown)
      if ((small & large) === small)
        assert.ok(
          few.every(claim => many.includes(claim)),
          `${small} and ${large}`,
        )
})

test('two concurrent refreshes with different scopes each show their own claims and no more', async () => {
  const flow = await makeFlow(minaret())
  const first = await getTokens(minaret(), flow, { scope: 'openid email masjid:read' })
  const scopes = ['openid', 'masjid:read', 'openid email', 'email masjid:read', undefined]
  const expected = [subAlone, subAlone, ['email', 'email_verified', 'sub'], ['email', 'email_verified', 'sub']]
  const rounds = Array.from({ length: 20 }, (_, index) => index % scopes.length)
  const all = await Promise.all(
    rounds.map(which => refresh(minaret(), flow.app, first.refresh_token, scopes[which]).then(readTokens)),
  )
  assert.equal(new Set(all.map(tokens => tokens.refresh_token)).size, 1)
  for (const [index, which] of rounds.entries()) {
    const token = all[index] as Tokens
    assert.equal(token.scope, scopes[which] ?? 'openid email masjid:read')
    assert.deepEqual(await shownTo(token.access_token), expected[which] ?? ['email', 'email_verified', 'sub'])
  }
})

test('a later request without openid asks the person again: prompt=none is consent_required', async () => {
  const flow = await makeFlow(minaret())
  await getTokens(minaret(), flow, { scope: 'openid masjid:read' })
  assert.equal((await silently(flow, 'masjid:read')).get('error'), 'consent_required')
  assert.ok((await silently(flow, 'openid')).get('code'))
})

test('consent to some claims does not count for the whole record', async () => {
  const flow = await makeFlow(minaret())
  await getTokens(minaret(), flow, { scope: 'openid email masjid:read' })
  assert.equal((await silently(flow, 'masjid:read')).get('error'), 'consent_required')
  assert.equal((await silently(flow, 'email masjid:read')).get('error'), 'consent_required')
})

test('a pushed request without openid asks again too', async () => {
  const flow = await makeFlow(minaret())
  await getTokens(minaret(), flow, { scope: 'openid masjid:read' })
  const form = authorizeParameters(flow.app, makePkce(), { scope: 'masjid:read', parameters: { prompt: 'none' } })
  const pushed = await fetch(`${minaret().baseUrl}/oauth/par`, { method: 'POST', body: form })
  const { request_uri } = (await pushed.json()) as { request_uri: string }
  const query = new URLSearchParams({ client_id: flow.app.clientId, request_uri })
  const answered = locationOf(await getAuthorize(minaret(), query, flow.cookie))
  assert.equal(answered.searchParams.get('error'), 'consent_required')
})

test('an app that loses openid sees no more with the tokens it has, nor with the next ones', async () => {
  const flow = await makeFlow(minaret())
  const first = await getTokens(minaret(), flow, { scope: 'openid masjid:read' })
  await setScopes(flow, ['masjid:read'])
  let { refresh_token: token } = first
  await within(1000, 'openid is no longer issued', async () => {
    const next = await readTokens(await refresh(minaret(), flow.app, token))
    token = next.refresh_token
    assert.deepEqual(await shownTo(next.access_token), subAlone)
    return next.scope === 'masjid:read'
  })
  assert.deepEqual(await shownTo(first.access_token), subAlone)
  assert.equal((await silently(flow, 'masjid:read')).get('error'), 'consent_required')
})

test('an app that loses openid between the code and its exchange sees no more', async () => {
  const flow = await makeFlow(minaret())
  const { form } = await getCode(minaret(), flow, { scope: 'openid masjid:read' })
  await setScopes(flow, ['masjid:read'])
  const tokens = await readTokens(await postToken(minaret(), form))
  assert.deepEqual(await shownTo(tokens.access_token), subAlone)
})

test('an app that loses email or profile loses their claims, and gets them in no other way', async () => {
  const flow = await makeFlow(minaret())
  const first = await getTokens(minaret(), flow, { scope: 'openid profile email' })
  assert.deepEqual(await shownTo(first.access_token), wholeRecord)
  await setScopes(flow, ['openid'])
  await within(1000, 'the claims are gone', async () => (await shownTo(first.access_token)).length === 1)
  const next = await readTokens(await refresh(minaret(), flow.app, first.refresh_token))
  assert.deepEqual(await shownTo(next.access_token), subAlone)
})

test('a grant from before claims were recorded shows only sub until the person agrees again', async () => {
  const flow = await makeFlow(minaret())
  const wishes = { scope: 'openid profile email masjid:read' }
  const first = await getTokens(minaret(), flow, wishes)
  const { database } = minaret().service
  await database.run(sql`update minaret.grants set claims = '{}' where user_id = ${flow.user.id}`)
  await database.run(sql`update minaret.consents set claims = '{}' where user_id = ${flow.user.id}`)
  assert.deepEqual(await shownTo(first.access_token), subAlone)
  const next = await readTokens(await refresh(minaret(), flow.app, first.refresh_token))
  assert.deepEqual(await shownTo(next.access_token), subAlone)
  assert.equal((await silently(flow, wishes.scope)).get('error'), 'consent_required')
  assert.ok((await silently(flow, 'openid masjid:read')).get('code'))
  assert.deepEqual(await shownTo((await getTokens(minaret(), flow, wishes)).access_token), wholeRecord)
  assert.deepEqual(await shownTo(first.access_token), subAlone)
})

test('the database refuses a grant that shows more than the consent, and one that grows', async () => {
  const flow = await makeFlow(minaret())
  await getTokens(minaret(), flow, { scope: 'openid email' })
  const { database } = minaret().service
  const widened = database.run(sql`
    insert into minaret.grants (app_id, user_id, scopes, claims, auth_time)
    select app_id, user_id, scopes, '{email,name}', now() from minaret.consents where user_id = ${flow.user.id}`)
  await assert.rejects(widened, { code: 'MN060' })
  const grown = database.run(sql`
    update minaret.grants set claims = '{email,name}' where user_id = ${flow.user.id}`)
  await assert.rejects(grown, { code: 'MN060' })
  const opened = database.run(sql`
    update minaret.grants set scopes = array_remove(scopes, 'openid') where user_id = ${flow.user.id}`)
  await assert.rejects(opened, { code: 'MN060' })
})

test('neither an ID token nor introspection reveals a claim that userinfo would not', async () => {
  const flow = await makeFlow(minaret(), { kind: 'confidential' })
  const { access_token: token, id_token, refresh_token } = await getTokens(minaret(), flow, { scope: 'openid' })
  const { email, name } = flow.user
  const authorization = `Basic ${Buffer.from(`${flow.app.clientId}:${flow.app.secret}`).toString('base64')}`
  const introspected = [token, refresh_token].map(async asked => {
    const body = new URLSearchParams({ token: asked })
    return (
      await fetch(`${minaret().baseUrl}/oauth/introspect`, { method: 'POST', body, headers: { authorization } })
    ).text()
  })
  const told = [...(await Promise.all(introspected)), Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString()]
  for (const text of told) {
    assert.ok(text.includes(flow.user.id))
    for (const secret of [email, name, 'picture']) assert.ok(!text.includes(secret), text)
  }
})
