// An app tries redirect URIs that are not registered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestMinaret, useMinaret } from '../../support/minaret.ts'
import {
  assertPage,
  authorizeParameters,
  decide,
  type Flow,
  get,
  getAuthorize,
  locationOf,
  makeClient,
  makeFlow,
  makePerson,
  makePkce,
  signIn,
} from '../../support/oauth.ts'
import { decodeHtml } from '../../support/person.ts'

const minaret = useMinaret()

test('an invalid loopback port gets no code', async () => {
  const flow = await makeFlow(minaret(), { redirectUris: ['http://127.0.0.1/callback'] })
  const ask = (redirectUri: string) => {
    const wishes = { parameters: { redirect_uri: redirectUri } }
    return getAuthorize(minaret(), authorizeParameters(flow.app, makePkce(), wishes), flow.cookie)
  }
  for (const port of ['99999', '65536', '0', '00080', '655350', '-1', '8080a'])
    await assertPage(await ask(`http://127.0.0.1:${port}/callback`), port)
  assert.equal(locationOf(await ask('http://127.0.0.1:65535/callback')).pathname, '/consent')
})

const asking = (flow: Flow, redirectUri: string, cookie = flow.cookie) =>
  getAuthorize(
    minaret(),
    authorizeParameters(flow.app, makePkce(), { parameters: { redirect_uri: redirectUri } }),
    cookie,
  )

test('the page for a wrong redirect_uri shows the received address; the registered ones only to the signed-in owner', async () => {
  const { database } = minaret().service
  const owner = await makePerson(database)
  const flow = await makeFlow(minaret(), { ownerId: owner.id, redirectUris: ['https://secret-place.example/cb'] })
  const wrong = 'https://app.example.org/wrong?a=b'
  const shown = async (cookie?: string) => {
    const response = await asking(flow, wrong, cookie)
    assert.equal(response.status, 400)
    return decodeHtml(await response.text())
  }
  const [stranger, nobody, own] = [await shown(), await shown(''), await shown(await signIn(database, owner))]
  for (const page of [stranger, nobody, own]) assert.ok(page.includes(`Received: ${wrong}`))
  for (const page of [stranger, nobody]) assert.ok(!page.includes('secret-place'))
  assert.ok(own.includes('https://secret-place.example/cb'))
  assert.ok(own.includes(`/console/apps/${flow.app.id}/edit`))
})

test('text and markup in a redirect_uri do not appear on the page', async () => {
  const flow = await makeFlow(minaret())
  for (const text of ['Your gift failed, pay again', 'https://a.example/<script>alert(1)</script>', 'دفع جديد']) {
    const page = await (await asking(flow, text)).text()
    assert.ok(!page.includes('Received'), text)
    assert.ok(!page.includes('<script>alert'))
  }
  const long = await (await asking(flow, `https://a.example/${'a'.repeat(5000)}`)).text()
  assert.ok((/Received: ([^<]*)/.exec(long)?.[1] ?? '').length < 310)
})

test('a native app is reached by its own scheme, which the consent page names, and by no other', async () => {
  const flow = await makeFlow(minaret(), { redirectUris: ['com.example.app:/callback'] })
  const asked = locationOf(await asking(flow, 'com.example.app:/callback'))
  const page = await get(asked.href, flow.cookie)
  assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self' https: com\.example\.app:;/)
  assert.match(await page.text(), /<strong dir="ltr">com\.example\.app<\/strong>/)
  const arrived = await decide(minaret(), asked, flow.cookie)
  assert.equal(arrived.protocol + arrived.pathname, 'com.example.app:/callback')
  assert.ok(arrived.searchParams.get('code'))
  for (const other of ['com.example.app:/other', 'com.example.app://callback', 'com.example.other:/callback'])
    await assertPage(await asking(flow, other), other)
})

test('in production a custom scheme gets no code, even if it was registered in development', async context => {
  const production = await startTestMinaret({
    NODE_ENV: 'production',
    BASE_URL: 'https://id.example.org',
    HOST: '127.0.0.1',
  })
  context.after(() => production.stop())
  const app = await makeClient(production.service.database, { redirectUris: ['com.example.app:/callback'] })
  const parameters = authorizeParameters(app, makePkce())
  const response = await get(`http://127.0.0.1:${production.service.port}/oauth/authorize?${parameters}`)
  assert.equal(response.status, 400)
  assert.match(await response.text(), /claimed https links/)
})
