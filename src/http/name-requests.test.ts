import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import Fastify from 'fastify'
import { createLogger } from '../base/log.ts'
import { noProxies } from '../base/trusted-proxies.ts'
import { underWay } from '../base/under-way.ts'
import type { Entrance } from '../graphql/entrance/transport.ts'
import { createNodeTransport } from './graphql/node-transport.ts'
import type { Handler } from './handler.ts'
import { nameByRoute, named } from './name-requests.ts'
import { createProxies } from './proxies/proxies.ts'

/** Answers with what a watchdog would be told, after waiting for something. */
const describe = async (): Promise<string> => {
  await new Promise(resolve => void setTimeout(resolve, 1))
  const { method, route, id } = underWay.current() ?? { method: 'nobody', route: undefined }
  return `${method} ${route} ${id === undefined ? 'without id' : 'with id'}`
}

const ahead: Entrance = async () => {
  const body = await describe()
  return { status: 200, headers: ['content-length', String(body.length)], body, encoding: 'latin1' }
}

let port: number
let close: () => Promise<void>
before(async () => {
  let handle: Handler = () => undefined
  const listening = createServer((request, response) => handle(request, response))
  const { before } = createNodeTransport({
    path: '/ahead',
    methods: ['GET', 'POST'],
    entrance: ahead,
    proxies: createProxies(noProxies, createLogger('silent')),
    log: createLogger('silent'),
  })
  const fastify = Fastify({
    serverFactory: handler => {
      handle = named(before(handler))
      return listening
    },
  })
  nameByRoute(fastify)
  fastify.get('/m/:slug', describe)
  fastify.post('/m/:slug', describe)
  fastify.setNotFoundHandler(describe)
  await fastify.ready()
  await new Promise<void>(resolve => void listening.listen(0, '127.0.0.1', resolve))
  port = (listening.address() as AddressInfo).port
  close = async () => {
    listening.closeAllConnections()
    await new Promise(resolve => void listening.close(resolve))
    await fastify.close()
  }
})
after(() => close())

const send = async (method: string, path: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  const body = '{"a":1}'
  const head = `${method} ${path}?token=dear HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`
  const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  socket.write(method === 'POST' ? `${head}${type}\r\n${body.slice(0, 3)}` : `${head}\r\n`)
  // The end of the body is another event.
  if (method === 'POST') setTimeout(() => socket.write(body.slice(3)), 20)
  let text = ''
  for await (const chunk of socket) text += chunk
  return text.slice(text.indexOf('\r\n\r\n') + 4)
}

const expected: Readonly<Record<string, readonly [method: string, path: string]>> = {
  'GET /m/:slug with id': ['GET', '/m/dar-al-salam'],
  'POST /m/:slug with id': ['POST', '/m/dar-al-salam'],
  'GET undefined with id': ['GET', '/nowhere'],
  'GET /ahead with id': ['GET', '/ahead'],
  'POST /ahead with id': ['POST', '/ahead'],
}
for (const [described, [method, path]] of Object.entries(expected))
  test(`${method} ${path} is worked on as "${described}"`, async () => {
    assert.equal(await send(method, path), described)
  })

test('requests that are worked on at the same time keep their names', async () => {
  const sent = Object.values(expected).map(([method, path]) => send(method, path))
  assert.deepEqual(await Promise.all(sent), Object.keys(expected))
})
