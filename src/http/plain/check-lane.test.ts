import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, test } from 'node:test'
import type { Logger } from '../../base/log.ts'
import { createLogger } from '../../base/log.ts'
import { noProxies } from '../../base/trusted-proxies.ts'
import { createProxies } from '../proxies/proxies.ts'
import { checkLane, type OpenLane } from './check-lane.ts'
import { openCheckedLane } from './open-checked-lane.ts'
import { noLane, openPlainLane } from './plain-lane.ts'

const log = createLogger('silent')

test('plain connections work on this version of Node', async () => {
  assert.equal(await checkLane(openPlainLane, log), undefined)
})

/** As in a future Node in which our way of taking over connections or handing them back no longer works. */
const broken: Readonly<Record<string, OpenLane>> = {
  'connections are never offered': (server, route) => {
    const lane = openPlainLane(server, route)
    server.removeAllListeners('connection')
    return lane
  },
  'a connection that is handed over reaches nobody': (server, route) => {
    server.removeAllListeners('connection')
    return openPlainLane(server, route)
  },
  'the server cannot be opened so': () => {
    throw new Error('no such listener')
  },
  'Node takes every connection itself': () => noLane,
}

// Side by side, as each takes as long as a start waits for an answer.
describe('what no longer works', { concurrency: true }, () => {
  for (const [name, open] of Object.entries(broken))
    test(`found out at the start: ${name}`, async () => assert.ok((await checkLane(open, log)) instanceof Error))
})

test("where they do not work, Node's server takes over, and the log says so", async () => {
  const said: string[] = []
  const saying = { ...log, warn: (_details: object, message: string) => said.push(message) } as unknown as Logger
  const server = createServer((_request, response) => response.end('node'))
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const route = {
    paths: [{ path: '/ask', entrance: () => Promise.reject(new Error('not here')), streams: false }],
    proxies: createProxies(noProxies, log),
    log: saying,
  }
  const lane = await openCheckedLane(server, route, broken['the server cannot be opened so'])
  try {
    assert.match(said.join(), /plain connections are off.*Node's own server/)
    const text = await new Promise<string>(resolve => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      let received = ''
      socket.on('data', chunk => (received += chunk)).on('close', () => resolve(received))
      socket.end('POST /ask HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    })
    assert.match(text, /^HTTP\/1\.1 200 OK[\s\S]*node/)
  } finally {
    lane.close()
    server.close()
    server.closeAllConnections()
  }
})
