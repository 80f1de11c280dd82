// Whatever is sent, no endpoint responds with an internal error, and no browser is redirected to an unregistered address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../support/holds.ts'
import { useMinaret } from '../support/minaret.ts'
import { authorizeParameters, type Flow, getCode, makeFlow, makePkce } from '../support/oauth.ts'

let flow: Flow
const minaret = useMinaret({}, async running => {
  flow = await makeFlow(running, { deviceFlow: 'on' })
})

const odd = [
  '',
  '\0',
  '%00',
  '%ED%A0%80',
  '\u{1f54c}'.repeat(200),
  '"\\<>',
  '\r\nSet-Cookie: a=b',
  '[object Object]',
  'a'.repeat(5000),
]
/** Percent-encoded by hand, so that invalid UTF-8 gets through as well. */
const value = fc.oneof(
  fc.constantFrom(...odd).map(encodeURIComponent),
  fc.constantFrom('%ED%A0%80', '%FF', '%', '%zz', '%00', '+'),
  fc.string({ unit: 'binary' }).map(text => encodeURIComponent(text.toWellFormed())),
)
const changes = (names: readonly string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...names), value), { minLength: 1, maxLength: 3 })

const apply = (good: URLSearchParams, changed: readonly (readonly [string, string])[]): string => {
  const names = new Set(changed.map(([name]) => name))
  const kept = [...good].filter(([name]) => !names.has(name))
  return [String(new URLSearchParams(kept)), ...changed.map(([name, text]) => `${name}=${text}`)].join('&')
}

const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(minaret().baseUrl + path, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

const authorizeNames = [
  ...['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'nonce', 'prompt', 'max_age', 'login_hint'],
  ...['ui_locales', 'id_token_hint', 'resource', 'request_uri', 'response_mode', '__proto__', 'constructor'],
]

test('authorize, by GET and POST, and pushed requests', async () => {
  const good = authorizeParameters(flow.app, makePkce())
  const isOurs = (location: string): boolean => location.startsWith('/') || location.startsWith(flow.app.redirectUri)
  await holds(
    fc.asyncProperty(changes(authorizeNames), async changed => {
      const text = apply(good, changed)
      const cookie = { cookie: flow.cookie }
      const answers = [
        await fetch(`${minaret().baseUrl}/oauth/authorize?${text}`, { redirect: 'manual', headers: cookie }),
        await post('/oauth/authorize', text),
        await post('/oauth/par', text),
      ]
      for (const answer of answers) {
        assert.ok(answer.status < 500, `${answer.status} ${text}`)
        const location = answer.headers.get('location')
        assert.ok(location === null || isOurs(location), String(location))
        await answer.arrayBuffer()
      }
    }),
    { runs: 120 },
  )
})

test('token, revoke, introspect, consent, logout, device codes', async () => {
  const { form } = await getCode(minaret(), flow)
  const good = new URLSearchParams({
    ...form,
    refresh_token: 'rt_x',
    token: 'x',
    request: 'x',
    decision: 'allow',
    device_code: 'x',
  })
  const names = [
    'grant_type',
    'code',
    'redirect_uri',
    'client_id',
    'code_verifier',
    'scope',
    'refresh_token',
    'token',
    'request',
    'device_code',
    'user_code',
  ]
  const pairs = fc.tuple(
    changes(names),
    fc.option(fc.string({ unit: 'binary' })),
    fc.constantFrom('refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code', ''),
  )
  await holds(
    fc.asyncProperty(pairs, async ([changed, pair, grantType]) => {
      const chosen = new URLSearchParams(good)
      if (grantType !== '') chosen.set('grant_type', grantType)
      const text = apply(chosen, changed)
      const headers = pair === null ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
      for (const path of [
        '/api/oauth/token',
        '/oauth/revoke',
        '/oauth/introspect',
        '/oauth/consent',
        '/oauth/logout',
        '/oauth/device_authorization',
        '/device',
        '/device/decide',
      ]) {
        const answer = await post(path, text, headers as Record<string, string>)
        assert.ok(answer.status < 500, `${path} ${answer.status} ${text}`)
        await answer.arrayBuffer()
      }
      const page = await fetch(`${minaret().baseUrl}/oauth/logout?${text}`, { redirect: 'manual' })
      assert.ok(page.status < 500)
      await page.arrayBuffer()
    }),
    { runs: 80 },
  )
})
