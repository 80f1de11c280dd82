// Every response has X-Request-Id, whoever writes it, and the line of the access log has the same. A trusted proxy may give it.
import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import WebSocket from 'ws'
import { createLogger } from '../../src/base/log.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'

const PATIENCE_MS = 30_000
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

let minaret: TestMinaret
let key = ''
const lines: string[] = []

before(async () => {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(...String(chunk).split('\n').filter(Boolean))
      done()
    },
  })
  minaret = await startTestMinaret({ ACCESS_LOG: 'on', TRUST_PROXY: 'on' }, { log: createLogger('info', sink) })
  const { database } = minaret.service
  const { id: appId } = await makeApp(database, { scopes: ['masjid:read'] })
  key = (await makeKey(database, { appId, scopes: ['masjid:read'] })).key
})
after(() => minaret.stop())

interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'OPTIONS'
  readonly path: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string
}

interface Answered {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
}

const ask = ({ method = 'GET', path, headers = {}, body = '' }: Asked, url = minaret.baseUrl): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': String(body.length) }
    const sent = sendRequest(url, { method, path, headers: { ...headers, ...length } }, response => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers }))
    })
    sent.on('error', reject)
    sent.end(body)
  })

const json = { 'content-type': 'application/json' }
const query = JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' })
const asApp = (): Record<string, string> => ({ ...json, authorization: `Bearer ${key}` })

/** By what writes the response; the number is its status. */
const doors: Readonly<Record<string, readonly [status: number, asked: () => Asked]>> = {
  'a page': [200, () => ({ path: '/' })],
  'a health check': [200, () => ({ path: '/healthz' })],
  'nothing there': [404, () => ({ path: '/nowhere' })],
  'a path that cannot be read': [400, () => ({ path: '/%ff' })],
  'a preflight': [
    204,
    () => ({
      method: 'OPTIONS',
      path: '/v1/graphql',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    }),
  ],
  'a header twice': [400, () => ({ path: '/', headers: { authorization: ['Bearer a', 'Bearer b'] } })],
  'a body that is too large': [
    413,
    () => ({ method: 'POST', path: '/sign-in', headers: json, body: 'x'.repeat(300_000) }),
  ],
  'a query on a plain connection': [
    200,
    () => ({ method: 'POST', path: '/v1/graphql', headers: asApp(), body: query }),
  ],
  'a query by Node’s server': [200, () => ({ method: 'POST', path: '/v1/graphql?', headers: asApp(), body: query })],
  'a query without a credential': [
    401,
    () => ({
      method: 'POST',
      path: '/v1/graphql',
      headers: { ...json, accept: 'application/graphql-response+json' },
      body: query,
    }),
  ],
  'a query for Relay': [
    200,
    () => ({ method: 'POST', path: '/v1/relay', headers: asApp(), body: JSON.stringify({ query: '{ __typename }' }) }),
  ],
  'a stream of events': [401, () => ({ method: 'PUT', path: '/v1/graphql/stream', headers: json })],
  'a reserved stream': [201, () => ({ method: 'PUT', path: '/v1/graphql/stream', headers: asApp() })],
  'a token request on a plain connection': [
    401,
    () => ({
      method: 'POST',
      path: '/api/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_id=a&client_secret=b',
    }),
  ],
  'a token request by Node’s server': [
    401,
    () => ({
      method: 'POST',
      path: '/api/oauth/token?',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_id=a&client_secret=b',
    }),
  ],
  'an assistant': [
    401,
    () => ({ method: 'POST', path: '/mcp', headers: json, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }),
  ],
}

const lineOf = async (id: string): Promise<{ readonly status: number }> => {
  let found: { readonly status: number } | undefined
  await within(PATIENCE_MS, `the line of ${id} is written`, async () => {
    found = lines.map(line => JSON.parse(line).access).find(access => access?.requestId === id)
    return found !== undefined
  })
  return found as { readonly status: number }
}

describe('the response and its line in the log have the same id', { concurrency: true }, () => {
  for (const [name, [status, asked]] of Object.entries(doors))
    test(name, async () => {
      const own = await ask(asked())
      assert.equal(own.status, status)
      assert.match(String(own.headers['x-request-id']), UUID)
      assert.equal((await lineOf(String(own.headers['x-request-id']))).status, status)

      const id = `proxy:${name.replaceAll(/\W/g, '-')}#1`
      const given = await ask({ ...asked(), headers: { ...asked().headers, 'x-request-id': id } })
      assert.equal(given.headers['x-request-id'], id)
      assert.equal((await lineOf(id)).status, status)
    })
})

test('every line of the access log has an id', () => {
  const accesses = lines.map(line => JSON.parse(line).access).filter(access => access !== undefined)
  assert.ok(accesses.length > 0)
  assert.deepEqual(
    accesses.filter(({ requestId }) => typeof requestId !== 'string'),
    [],
  )
})

test('an id that is too long, or is given twice, is not taken', async () => {
  const id = async (given: string | string[]): Promise<string> =>
    String((await ask({ path: '/healthz', headers: { 'x-request-id': given } })).headers['x-request-id'])
  assert.match(await id('x'.repeat(129)), UUID)
  assert.match(await id(['one', 'two']), UUID)
})

test('the sandbox says it too', async () => {
  const headers = { ...json, 'x-request-id': 'proxy-of-the-sandbox' }
  const { headers: answered } = await ask(
    { method: 'POST', path: '/v1/graphql', headers, body: query },
    minaret.sandboxUrl,
  )
  assert.equal(answered['x-request-id'], 'proxy-of-the-sandbox')
})

const rawAnswer = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(minaret.service.port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', chunk => (answer += chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

test('what is not HTTP is answered with an id that is no other request’s', async () => {
  const answer = await rawAnswer('NONSENSE\r\n\r\n')
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.match(answer, /\r\nx-request-id: [0-9a-f-]{36}\r\n/i)
  assert.match(
    await rawAnswer(`GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`),
    /^HTTP\/1\.1 431 [\s\S]*\r\nx-request-id: /i,
  )
})

const handshake = (headers: Record<string, string>): Promise<IncomingHttpHeaders> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${minaret.baseUrl.replace('http', 'ws')}/v1/graphql`, 'graphql-transport-ws', {
      headers,
    })
    socket.on('upgrade', response => {
      socket.on('open', () => socket.close())
      resolve(response.headers)
    })
    socket.on('unexpected-response', (_request, response) => {
      response.destroy()
      resolve(response.headers)
    })
    socket.on('error', reject)
  })

test('WebSockets: the response to the handshake, or its refusal', async () => {
  assert.equal((await handshake({ 'x-request-id': 'proxy-socket' }))['x-request-id'], 'proxy-socket')
  assert.match(String((await handshake({}))['x-request-id']), UUID)
  const refused = await rawAnswer(
    'GET /v1/graphql HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: upgrade\r\nupgrade: websocket\r\nx-request-id: proxy-refused\r\n\r\n',
  )
  assert.match(refused, /^HTTP\/1\.1 400 [\s\S]*x-request-id: proxy-refused\r\n/i)
})
