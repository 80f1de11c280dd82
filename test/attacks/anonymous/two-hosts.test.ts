// Two Host headers: a proxy may use one of them, and the service the other.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { useMinaret } from '../../support/minaret.ts'

const minaret = useMinaret()

/** Everything that is sent back for these bytes, or all up to what is waited for: an open connection closes after a minute. */
const exchange = (url: string, bytes: string, until?: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    socket.on('data', chunk => {
      text += chunk
      if (until?.test(text)) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.write(bytes)
  })

const body = '{"query":"{ __typename }"}'
const post = (hosts: string, more = ''): string =>
  `POST /v1/graphql HTTP/1.1\r\n${hosts}content-type: application/json\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`

const requests: Readonly<Record<string, string>> = {
  'a plain POST': post('host: a.example\r\nhost: b.example\r\n'),
  'a POST that Node reads': post('Host: a.example\r\nHOST: b.example\r\n', 'connection: close\r\n'),
  'the same host twice': post('host: a.example\r\nhost: a.example\r\n'),
  'a GET of the endpoint': 'GET /v1/graphql?query=%7B__typename%7D HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  'a page': 'GET / HTTP/1.1\r\nhost: a\r\naccept: text/html\r\nhost: b\r\n\r\n',
  'the health check': 'GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
}

for (const listener of ['baseUrl', 'sandboxUrl'] as const)
  describe(`two Host headers at ${listener}`, () => {
    for (const [name, bytes] of Object.entries(requests))
      test(`are refused with 400: ${name}`, async () => {
        const text = await exchange(minaret()[listener], bytes)
        assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/)
        assert.match(text, /more than one Host header/)
      })

    test('also after a valid request on the same connection', async () => {
      const text = await exchange(minaret()[listener], post('host: a\r\n') + post('host: a\r\nhost: b\r\n'))
      assert.match(text, /HTTP\/1\.1 400 Bad Request\r\n[\s\S]*more than one Host header/)
    })

    test('a WebSocket where there are no subscriptions is told what to use instead', async () => {
      const url = minaret()[listener]
      const head = 'GET /v1/relay HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\n'
      const expected = /WebSockets are spoken at \/v1\/graphql.*POST/
      const text = await exchange(
        url,
        `${head}sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\nGET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
        expected,
      )
      assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/)
      assert.match(text, expected)
    })
  })
