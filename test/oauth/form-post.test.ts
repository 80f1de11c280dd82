// OAuth 2.0 Form Post Response Mode: the response goes to the app in a form instead of a query.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../support/minaret.ts'
import {
  authorizeParameters,
  type FlowWishes,
  get,
  getAuthorize,
  locationOf,
  makeFlow,
  makePkce,
  postForm,
  postToken,
  readConsentForm,
  readTokens,
} from '../support/oauth.ts'
import { decodeHtml } from '../support/person.ts'

const minaret = useMinaret()

const asking = (more: FlowWishes['parameters'] = {}): FlowWishes => ({
  parameters: { response_mode: 'form_post', ...more },
})

/** The form that the page sends to the app. */
const formOn = (text: string): { readonly action: string; readonly fields: Record<string, string> } => {
  const [form = ''] = /<form method="post" action="[^"]*" data-form-post>[\s\S]*?<\/form>/.exec(text) ?? []
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)]
  return {
    action: decodeHtml(/action="([^"]*)"/.exec(form)?.[1] ?? ''),
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, decodeHtml(value)])),
  }
}

test('discovery names query and form_post', async () => {
  const response = await get(`${minaret().baseUrl}/.well-known/openid-configuration`)
  const metadata = (await response.json()) as Record<string, unknown>
  assert.deepEqual(metadata.response_modes_supported, ['query', 'form_post'])
})

test('after consent the code is posted to the redirect URI, with state and iss, and is redeemed as usual', async () => {
  const { app, cookie } = await makeFlow(minaret())
  const pkce = makePkce()
  const consent = locationOf(await getAuthorize(minaret(), authorizeParameters(app, pkce, asking()), cookie))
  const decision = { ...(await readConsentForm(await get(consent.href, cookie))), decision: 'allow' }
  const answer = await postForm(`${minaret().baseUrl}/oauth/consent`, decision, { cookie })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const policy = answer.headers.get('content-security-policy') ?? ''
  assert.match(policy, /script-src 'self'/)
  assert.match(policy, /form-action 'self' https:;/)
  const text = await answer.text()
  const { action, fields } = formOn(text)
  assert.equal(action, app.redirectUri)
  assert.deepEqual(Object.keys(fields).sort(), ['code', 'iss', 'state'], 'and nothing of ours')
  assert.equal(fields.state, 'state of the test')
  assert.equal(fields.iss, minaret().baseUrl)
  assert.match(text, /<script src="\/assets\/form-post\.[\da-f]+\.js" defer>/)
  assert.match(text, /<button/, 'without script, by a button')
  const form = {
    grant_type: 'authorization_code',
    code: fields.code ?? '',
    redirect_uri: app.redirectUri,
    client_id: app.clientId,
    code_verifier: pkce.verifier,
  }
  assert.ok((await readTokens(await postToken(minaret(), form))).id_token)

  const again = await getAuthorize(minaret(), authorizeParameters(app, makePkce(), asking()), cookie)
  assert.ok(formOn(await again.text()).fields.code, 'allowed before: at once')
})

test('errors go the same way', async () => {
  const { app, cookie } = await makeFlow(minaret())
  const silent = authorizeParameters(app, makePkce(), asking({ prompt: 'none' }))
  const answer = formOn(await (await getAuthorize(minaret(), silent)).text())
  assert.equal(answer.action, app.redirectUri)
  assert.equal(answer.fields.error, 'login_required')
  assert.equal(answer.fields.state, 'state of the test')
  const wrong = authorizeParameters(app, makePkce(), asking({ scope: 'no-such-scope' }))
  assert.equal(formOn(await (await getAuthorize(minaret(), wrong, cookie)).text()).fields.error, 'invalid_scope')
})

test('a state with markup in it stays text', async () => {
  const { app } = await makeFlow(minaret())
  const state = '"><script>alert(1)</script>'
  const parameters = authorizeParameters(app, makePkce(), asking({ prompt: 'none', state }))
  const text = await (await getAuthorize(minaret(), parameters)).text()
  assert.doesNotMatch(text, /<script>alert/)
  assert.equal(formOn(text).fields.state, state)
})

test('refused: other modes, a mode that is given twice, and a form for an address that is not on the web', async () => {
  const { app, cookie } = await makeFlow(minaret(), { redirectUris: ['org.example.app:/callback'] })
  for (const mode of ['fragment', 'form_post.jwt', '']) {
    const parameters = authorizeParameters(app, makePkce(), asking({ response_mode: mode }))
    const location = locationOf(await getAuthorize(minaret(), parameters, cookie))
    if (mode !== '') assert.equal(location.searchParams.get('error'), 'invalid_request', mode)
  }
  const custom = locationOf(await getAuthorize(minaret(), authorizeParameters(app, makePkce(), asking()), cookie))
  assert.equal(custom.searchParams.get('error'), 'invalid_request')
  const twice = authorizeParameters(app, makePkce(), asking())
  twice.append('response_mode', 'query')
  const repeated = locationOf(await getAuthorize(minaret(), twice, cookie))
  assert.equal(repeated.searchParams.get('error'), 'invalid_request')
})
