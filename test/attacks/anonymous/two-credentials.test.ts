// Two Authorization headers: a proxy may check one of them, and the service the other.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { useMinaret } from '../../support/minaret.ts'

const minaret = useMinaret()

const exchange = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.write(bytes)
  })

const two = 'authorization: Bearer a\r\nAuthorization: Bearer b\r\n'
const post = (path: string, type: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\n${two}content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n${two}${more}\r\n`

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const upgrade =
  'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n'

const requests: Readonly<Record<string, string>> = {
  'GraphQL, as plain connections read it': post('/v1/graphql', JSON_TYPE, '{"query":"{ __typename }"}'),
  'GraphQL by GET': get('/v1/graphql?query=%7B__typename%7D'),
  'a subscription': get('/v1/graphql?query=subscription%7Bup_masjids%7Bid%7D%7D', 'accept: text/event-stream\r\n'),
  'a WebSocket': get('/v1/graphql', upgrade),
  'the endpoint for assistants': post('/mcp', JSON_TYPE, '{}'),
  'the token endpoint': post('/api/oauth/token', FORM, 'grant_type=client_credentials'),
  revocation: post('/oauth/revoke', FORM, 'token=x'),
  userinfo: get('/api/oauth/userinfo'),
  'a page': get('/', 'accept: text/html\r\n'),
}

for (const listener of ['baseUrl', 'sandboxUrl'] as const)
  for (const [name, bytes] of Object.entries(requests))
    test(`two Authorization headers are refused with 400 at ${listener}: ${name}`, async () => {
      const text = await exchange(minaret()[listener], bytes)
      assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/)
      assert.match(text, /more than one Authorization header/)
    })
