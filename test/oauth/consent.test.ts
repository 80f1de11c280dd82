import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'
import {
  assertPage,
  authorizeParameters,
  decide,
  get,
  getAuthorize,
  locationOf,
  makeFlow,
  makePerson,
  makePkce,
  moveApp,
  postForm,
  readConsentForm,
  signIn,
  within,
} from '../support/oauth.ts'

const minaret = useMinaret()

test('consent: asked once, remembered, asked again when scopes grow, forced by prompt=consent', async () => {
  const own = await makeFlow(minaret())
  const path = async (scope: string, prompt?: string) => {
    const parameters = authorizeParameters(own.app, makePkce(), { scope, parameters: { prompt } })
    return locationOf(await getAuthorize(minaret(), parameters, own.cookie))
  }
  const first = await path('openid masjid:read')
  assert.equal(first.pathname, '/consent')
  assert.equal((await path('openid masjid:read', 'none')).searchParams.get('error'), 'consent_required')
  await decide(minaret(), first, own.cookie)
  assert.ok((await path('openid masjid:read')).searchParams.get('code'))
  assert.ok((await path('openid', 'none')).searchParams.get('code'))
  const wider = await path('openid masjid:read events:read')
  assert.equal(wider.pathname, '/consent')
  assert.match(await (await get(wider.href, own.cookie)).text(), /Read community events/)
  assert.equal((await path('openid', 'consent')).pathname, '/consent')
})

test('consent to reading is not consent to changing: the person is asked again, and sees it apart', async () => {
  const own = await makeFlow(minaret(), { scopes: 'openid events:read events:write' })
  const path = async (scope: string, prompt?: string) => {
    const parameters = authorizeParameters(own.app, makePkce(), { scope, parameters: { prompt } })
    return locationOf(await getAuthorize(minaret(), parameters, own.cookie))
  }
  await decide(minaret(), await path('openid events:read'), own.cookie)
  assert.equal((await path('openid events:write', 'none')).searchParams.get('error'), 'consent_required')
  const wider = await path('openid events:read events:write')
  assert.equal(wider.pathname, '/consent')
  const page = await (await get(wider.href, own.cookie)).text()
  assert.match(page, /<section class="may-change".*Change community events<span class="badge warn">new/s)
  await decide(minaret(), wider, own.cookie)
  assert.ok((await path('openid events:write', 'none')).searchParams.get('code'))
  const apps = await (await get(`${minaret().baseUrl}/account/apps`, own.cookie)).text()
  assert.match(apps, /Change community events <span class="badge warn">changes data/)
})

test('the consent page names the app, its owner, the host it returns to and each scope', async () => {
  const { database } = minaret().service
  const owner = await makePerson(database, 'Yusuf <b>Owner</b>')
  const own = await makeFlow(minaret(), { name: 'Salah Friends', ownerId: owner.id })
  const parameters = authorizeParameters(own.app, makePkce(), { scope: 'masjid:read donations:read' })
  const asked = locationOf(await getAuthorize(minaret(), parameters, own.cookie))
  const page = await (await get(asked.href, own.cookie)).text()
  for (const text of ['Salah Friends', 'Yusuf ', 'app.example.org', 'Read donations', 'Allow', 'Deny'])
    assert.ok(page.includes(text), text)
  assert.ok(!page.includes('<b>Owner'))
})

test('without openid the page names email, name and picture; the consent records them, and is remembered', async () => {
  const own = await makeFlow(minaret())
  const ask = async () => {
    const parameters = authorizeParameters(own.app, makePkce(), { scope: 'masjid:read' })
    return locationOf(await getAuthorize(minaret(), parameters, own.cookie))
  }
  const asked = await ask()
  const page = await (await get(asked.href, own.cookie)).text()
  for (const text of ['Email address', own.user.email, own.user.name, 'Picture', 'User identifier'])
    assert.ok(page.includes(text), text)
  await decide(minaret(), asked, own.cookie)
  const rows = await minaret().service.database.query<{ claims: string[] }>(sql`
    select claims from minaret.consents where user_id = ${own.user.id}
    union all select claims from minaret.grants where user_id = ${own.user.id}`)
  assert.deepEqual(rows, [{ claims: ['email', 'name', 'picture'] }, { claims: ['email', 'name', 'picture'] }])
  assert.ok((await ask()).searchParams.get('code'))
})

test('Deny redirects with access_denied, and nothing is remembered', async () => {
  const own = await makeFlow(minaret())
  const parameters = authorizeParameters(own.app, makePkce())
  const asked = locationOf(await getAuthorize(minaret(), parameters, own.cookie))
  const denied = await decide(minaret(), asked, own.cookie, 'deny')
  assert.equal(denied.searchParams.get('error'), 'access_denied')
  assert.equal(denied.searchParams.get('state'), 'state of the test')
  assert.equal(denied.searchParams.get('iss'), minaret().baseUrl)
  assert.equal(locationOf(await getAuthorize(minaret(), parameters, own.cookie)).pathname, '/consent')
})

test('a decision is refused: with no or a foreign anti-forgery token, in another session, by GET, twice, unknown', async () => {
  const own = await makeFlow(minaret())
  const { database } = minaret().service
  const other = await signIn(database, await makePerson(database))
  const asked = locationOf(await getAuthorize(minaret(), authorizeParameters(own.app, makePkce()), own.cookie))
  const form = { ...(await readConsentForm(await get(asked.href, own.cookie))), decision: 'allow' }
  const foreign = await readConsentForm(await get(asked.href, other))
  await get(asked.href, own.cookie)
  const post = (fields: Record<string, string>, cookie: string, headers = {}) =>
    postForm(`${minaret().baseUrl}/oauth/consent`, fields, { cookie, ...headers })
  assert.equal(
    (await post({ request: asked.searchParams.get('request') ?? '', decision: 'allow' }, own.cookie)).status,
    403,
  )
  assert.equal((await post({ ...form, ...foreign }, own.cookie)).status, 403)
  assert.equal((await post(form, own.cookie, { 'sec-fetch-site': 'cross-site' })).status, 403)
  assert.equal((await post({ ...foreign, decision: 'allow' }, other)).status, 400)
  assert.equal((await post({ ...form, decision: 'perhaps' }, own.cookie)).status, 400)
  assert.equal((await get(`${minaret().baseUrl}/oauth/consent?${new URLSearchParams(form)}`, own.cookie)).status, 404)
  assert.ok(locationOf(await post(form, own.cookie)).searchParams.get('code'))
  assert.equal((await post({ ...form, decision: 'deny' }, own.cookie)).status, 400)
})

test('a double click on Allow still reaches the app; the same form a while later does not', async () => {
  const own = await makeFlow(minaret())
  const asked = locationOf(await getAuthorize(minaret(), authorizeParameters(own.app, makePkce()), own.cookie))
  const form = { ...(await readConsentForm(await get(asked.href, own.cookie))), decision: 'allow' }
  const post = () => postForm(`${minaret().baseUrl}/oauth/consent`, form, { cookie: own.cookie })
  const codes = await Promise.all([post(), post()])
  for (const response of codes) assert.ok(locationOf(response).searchParams.get('code'))
  await minaret().service.database.run(sql`
    update minaret.authorization_requests set used_at = now() - interval '11 seconds' where used_at is not null`)
  assert.equal((await post()).status, 400)
})

test('an app that is suspended while the consent page is open gets nothing', async () => {
  const own = await makeFlow(minaret())
  const asked = locationOf(await getAuthorize(minaret(), authorizeParameters(own.app, makePkce()), own.cookie))
  const form = { ...(await readConsentForm(await get(asked.href, own.cookie))), decision: 'allow' }
  await moveApp(minaret().service.database, own.app, 'suspended')
  await within(1000, 'the app is refused', async () => (await get(asked.href, own.cookie)).status === 400)
  const decided = await postForm(`${minaret().baseUrl}/oauth/consent`, form, { cookie: own.cookie })
  await assertPage(decided, 'suspended')
})

test('an app that loses a scope while a request is in progress gets invalid_scope', async () => {
  const own = await makeFlow(minaret())
  const parameters = authorizeParameters(own.app, makePkce(), { scope: 'openid events:read' })
  const asked = locationOf(await getAuthorize(minaret(), parameters, own.cookie))
  const form = { ...(await readConsentForm(await get(asked.href, own.cookie))), decision: 'allow' }
  await minaret().service.database.run(sql`
    update minaret.apps set scopes = array_remove(scopes, 'events:read') where id = ${own.app.id}`)
  const resume = `${minaret().baseUrl}/oauth/authorize/resume${asked.search}`
  await within(1000, 'the scope is gone', async () => {
    return locationOf(await get(resume, own.cookie)).searchParams.get('error') === 'invalid_scope'
  })
  const decided = await postForm(`${minaret().baseUrl}/oauth/consent`, form, { cookie: own.cookie })
  assert.equal(locationOf(decided).searchParams.get('error'), 'invalid_scope')
})

test('a redirect URI that is removed while a request is in progress gets nothing', async () => {
  const own = await makeFlow(minaret())
  const asked = locationOf(await getAuthorize(minaret(), authorizeParameters(own.app, makePkce()), own.cookie))
  const form = { ...(await readConsentForm(await get(asked.href, own.cookie))), decision: 'allow' }
  await minaret().service.database.run(sql`
    update minaret.apps set redirect_uris = '{https://app.example.org/other}' where id = ${own.app.id}`)
  await within(1000, 'the page is refused', async () => (await get(asked.href, own.cookie)).status === 400)
  const decided = await postForm(`${minaret().baseUrl}/oauth/consent`, form, { cookie: own.cookie })
  await assertPage(decided, 'no longer registered')
})
