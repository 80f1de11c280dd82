// Another program on the person's machine uses the client_id of a public app: no code without a click (RFC 8252 section 8.6).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../../support/minaret.ts'
import {
  authorizeInBrowser,
  authorizeParameters,
  type Flow,
  getAuthorize,
  locationOf,
  makeFlow,
  makePkce,
} from '../../support/oauth.ts'

const minaret = useMinaret()

const allowOnce = async (flow: Flow): Promise<void> => {
  const arrived = await authorizeInBrowser(minaret(), authorizeParameters(flow.app, makePkce()), flow.cookie)
  assert.ok(arrived.searchParams.has('code'))
}

const ask = async ({ app, cookie }: Flow, parameters: Record<string, string> = {}): Promise<URL> =>
  locationOf(await getAuthorize(minaret(), authorizeParameters(app, makePkce(), { parameters }), cookie))

const assertAsked = async (flow: Flow, parameters: Record<string, string>): Promise<void> => {
  assert.equal((await ask(flow, parameters)).pathname, '/consent')
  const silent = await ask(flow, { ...parameters, prompt: 'none' })
  assert.equal(silent.searchParams.get('error'), 'consent_required')
}

test('a public app on a loopback address is allowed by a click each time, on the same port too', async () => {
  for (const redirectUri of ['http://127.0.0.1:8123/callback', 'http://[::1]:8123/cb', 'http://localhost:8123/cb']) {
    const flow = await makeFlow(minaret(), { redirectUris: [redirectUri] })
    await allowOnce(flow)
    await assertAsked(flow, {})
    if (!redirectUri.includes('localhost'))
      await assertAsked(flow, { redirect_uri: redirectUri.replace('8123', '9999') })
  }
})

test('so is one with a scheme of its own, which any program can claim', async () => {
  const flow = await makeFlow(minaret(), { redirectUris: ['org.example.salah:/callback'] })
  await allowOnce(flow)
  await assertAsked(flow, {})
})

test('the https address of the same app, and an app with a secret, are remembered', async () => {
  const https = 'https://app.example.org/callback'
  const both = await makeFlow(minaret(), { redirectUris: [https, 'http://127.0.0.1/callback'] })
  await allowOnce(both)
  assert.ok((await ask(both, { prompt: 'none' })).searchParams.has('code'))
  await assertAsked(both, { redirect_uri: 'http://127.0.0.1:4000/callback' })
  const server = await makeFlow(minaret(), { kind: 'confidential', redirectUris: ['http://127.0.0.1:8123/callback'] })
  await allowOnce(server)
  assert.ok((await ask(server)).searchParams.has('code'))
})
