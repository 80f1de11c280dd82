// A service in production, asked by a stranger for what only development has, and for what only https protects.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { DEMO_PASSWORD, demoUsers } from '../../../src/accounts/demo-users.ts'
import { startSession } from '../../../src/accounts/sessions.ts'
import { sql } from '../../../src/db/sql.ts'
import { ANTI_FORGERY_FIELD } from '../../../src/site/pieces/form.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { authorizeParameters, getAuthorize, makeClient, makePkce } from '../../support/oauth.ts'
import { createPerson, type Person } from '../../support/person.ts'

const PUBLIC = 'https://id.example.org'
let minaret: TestMinaret
let base = ''
let sandbox = ''
before(async () => {
  minaret = await startTestMinaret({
    NODE_ENV: 'production',
    BASE_URL: PUBLIC,
    HOST: '127.0.0.1',
    RATE_LIMITS: 'on',
  })
  base = `http://127.0.0.1:${minaret.service.port}`
  sandbox = minaret.sandboxUrl
})
after(() => minaret.stop())
const database = () => minaret.service.database

const developer = async (): Promise<{ person: Person; id: string; email: string }> => {
  const { id, email } = await makeUser(database())
  const person = createPerson(base)
  assert.equal((await person.signIn(email, PASSWORD)).status, 303)
  return { person, id, email }
}
const tokenOf = async (person: Person): Promise<string> =>
  new RegExp(`name="${ANTI_FORGERY_FIELD}" value="([^"]*)"`).exec((await person.get('/console/apps/new')).text)?.[1] ??
  ''

/** As typed: fetch would normalise the path, and write its own Host. */
const raw = (
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  at = base,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(at)
    const asked = request({ hostname, port, path, method, headers, agent: false }, response => {
      let text = JSON.stringify(response.headers)
      response.on('data', piece => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    asked.on('error', reject)
    asked.end()
  })

describe('what only development has', () => {
  test('is not there: the outbox, demo accounts, sources, files of the project, and what watches the service', async () => {
    const hidden = [
      '/outbox',
      '/metrics',
      '/debug',
      '/.env',
      '/.git/config',
      '/package.json',
      '/package-lock.json',
      '/src/main.ts',
      '/node_modules/fastify/package.json',
      '/.minaret/secret',
      '/assets/../../package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/%2e%2e/etc/passwd',
      '/assets//etc/passwd',
      '/docs/../../etc/passwd',
      '/docs/..%2f..%2fSECURITY.md',
      '/assets/minaret.css.map',
    ]
    for (const path of hidden)
      for (const at of [base, sandbox]) {
        const { status, text } = await raw(path, {}, 'GET', at)
        assert.ok([301, 303, 308, 400, 404].includes(status), `${path}: ${status}`)
        assert.doesNotMatch(text, /root:|"dependencies"|MINARET_SECRET=|repositoryformatversion/, path)
      }
    for (const { email } of demoUsers) assert.equal((await createPerson(base).signIn(email, DEMO_PASSWORD)).status, 422)
  })

  test('is not told: neither statements, stacks nor versions, whatever goes wrong', async () => {
    const json = { 'content-type': 'application/json' }
    const post = async (at: string, path: string, body: string, headers = {}): Promise<string> => {
      const response = await fetch(`${at}${path}`, { method: 'POST', headers: { ...json, ...headers }, body })
      return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`
    }
    const query = JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }', extensions: { explain: true } })
    const texts = await Promise.all([
      ...['x-minaret-explain', 'x-explain', 'x-hasura-admin-secret'].map(name =>
        post(sandbox, '/v1/graphql', query, { [name]: '1' }),
      ),
      post(sandbox, '/v1/graphql?explain=true', query),
      post(sandbox, '/v1/graphql', '{"query": "{ up_masjids(where: {id: {_eq: \\"x\\"}}) { id } }"}'),
      post(sandbox, '/v1/graphql', '{"query": 5'),
      post(base, '/v1/graphql', query, { authorization: 'Bearer x' }),
      post(base, '/api/oauth/token', '{}'),
      post(base, '/mcp', '{"jsonrpc": "2.0"'),
      raw('/%', {}).then(({ text }) => text),
      raw('/console/apps/%00', {}).then(({ text }) => text),
      raw(`/${'a'.repeat(9000)}`, {}).then(({ text }) => text),
    ])
    for (const text of texts) {
      assert.doesNotMatch(
        text,
        /\bselect\b[\s\S]*\bfrom\b|node:internal|\.ts:\d+|at async |fastify|x-powered-by|postgres|node\//i,
      )
      assert.doesNotMatch(text, /^500/)
    }
  })
})

describe('what only https protects', () => {
  test('a session under the name that cookies have in development, as another host could set it, is none', async () => {
    const { id } = await developer()
    const token = await startSession(database(), id, { address: undefined, userAgent: undefined })
    const names = ['minaret_session', '__Secure-minaret_session', '__host-minaret_session', '__Host-minaret_browser']
    for (const name of names) assert.equal((await raw('/account', { cookie: `${name}=${token}` })).status, 303, name)
    assert.equal((await raw('/account', { cookie: `__Host-minaret_session=${token}` })).status, 200)
  })

  test('every cookie is for this host and https alone', async () => {
    const person = createPerson(base)
    const answers = [
      await person.get('/sign-in?ui_locales=ar'),
      await person.get('/console'),
      await person.signIn((await makeUser(database())).email, PASSWORD),
    ]
    const cookies = answers.flatMap(({ headers }) => headers.getSetCookie())
    assert.ok(cookies.length > 0)
    for (const cookie of cookies) {
      assert.match(cookie, /^__Host-minaret_\w+=/)
      assert.match(cookie, /; Secure/)
      assert.match(cookie, /; HttpOnly/)
      assert.doesNotMatch(cookie, /Domain=/i)
    }
  })

  test('a form from a neighbour, from another port or from another site is refused', async () => {
    const { person } = await developer()
    const fields = { [ANTI_FORGERY_FIELD]: await tokenOf(person), name: 'Changed', language: 'en', picture: '' }
    const headers = [
      ...[
        'https://evil.id.example.org',
        'https://id.example.org.evil.test',
        'http://127.0.0.1:1',
        'https://evil.test',
      ].map(origin => ({
        origin,
      })),
      ...['cross-site', 'same-site'].map(site => ({ 'sec-fetch-site': site, origin: base })),
    ]
    for (const sent of headers)
      assert.equal((await person.post('/account/profile', fields, sent)).status, 403, JSON.stringify(sent))
    assert.equal((await person.post('/account/profile', { ...fields, [ANTI_FORGERY_FIELD]: 'x' })).status, 403)
    assert.equal((await person.post('/account/profile', fields, { 'sec-fetch-site': 'same-origin' })).status, 303)
  })

  test('no header of a request changes where links, redirects and tokens point', async () => {
    const { email } = await makeUser(database(), { hashed: false })
    const forged = {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.test;proto=http',
      'x-original-url': '/admin',
      'x-rewrite-url': '/admin',
      'x-http-method-override': 'DELETE',
    }
    for (const path of [
      '/',
      '/sign-in',
      '/account',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-protected-resource/mcp',
      '/sitemap.xml',
      '/docs',
    ]) {
      const { text } = await raw(path, forged)
      assert.doesNotMatch(text, /evil\.test|http:\/\/id\.example/, path)
    }
    await createPerson(base, { 'x-forwarded-host': 'evil.test' }).submit('/forgot-password', '/forgot-password', {
      email,
    })
    const mail = await database().first<{ text: string }>(
      sql`select text from minaret.outbox where recipient = ${email}`,
    )
    assert.match(mail?.text ?? '', /https:\/\/id\.example\.org\/reset-password/)
  })

  test('pages tell browsers to stay with https, also those that strangers see first', async () => {
    for (const path of ['/', '/sign-in', '/docs', '/find']) {
      const response = await fetch(`${base}${path}`, { redirect: 'manual' })
      if (response.status === 303) continue
      assert.match(response.headers.get('strict-transport-security') ?? '', /max-age=\d{7}/, path)
    }
  })
})

describe('addresses of this machine', () => {
  test('are refused for apps: where codes, sign-outs, keys and webhooks go', async () => {
    const { person, id } = await developer()
    const app = await makeClient(database(), { ownerId: id, kind: 'confidential' })
    const page = `/console/apps/${app.id}`
    const token = { [ANTI_FORGERY_FIELD]: await tokenOf(person) }
    const addresses = [
      'http://127.0.0.1:8080/x',
      'http://localhost/x',
      'https://127.0.0.1/x',
      'https://localhost/x',
      'https://[::1]/x',
      'http://id.example.org/x',
      'https://minaret.internal/x',
    ]
    for (const address of addresses) {
      const sent = await Promise.all([
        person.post(`${page}/sign-outs`, { ...token, backchannel_logout_uri: address }),
        person.post(`${page}/signing-keys`, { ...token, jwks_uri: address, source: 'uri' }),
        person.post(`${page}/webhooks/new`, { ...token, url: address, tables: 'up_masjids', environment: 'test' }),
      ])
      for (const { status } of sent) assert.equal(status, 422, address)
    }
    for (const redirect of [
      'http://127.0.0.1/cb',
      'http://localhost:3000/cb',
      'myapp://cb',
      'https://app.example.org/cb#x',
    ]) {
      const form = {
        ...token,
        name: 'An app',
        description: 'An app.',
        kind: 'public',
        redirect_uris: redirect,
        scopes: 'masjid:read',
        id_token_alg: 'RS256',
        client_authentication: 'basic_or_post',
      }
      assert.equal((await person.post('/console/apps', form)).status, 422, redirect)
    }
    const row = await database().first(sql`
      select backchannel_logout_uri, jwks_uri, (select count(*)::int from minaret.webhook_endpoints where app_id = ${app.id}) as webhooks
      from minaret.apps where id = ${app.id}`)
    assert.deepEqual({ ...row }, { backchannel_logout_uri: null, jwks_uri: null, webhooks: 0 })
  })

  test('get no code, even if one was written into the database', async () => {
    const app = await makeClient(database(), { redirectUris: ['http://127.0.0.1/cb'] })
    const asked = await getAuthorize({ ...minaret, baseUrl: base }, authorizeParameters(app, makePkce()))
    assert.equal(asked.status, 400)
    assert.equal(asked.headers.get('location'), null)
  })
})
