// A plain lane on a free port, and clients that write to it byte by byte. Everything is closed after each test.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLogger } from '../../src/base/log.ts'
import { noProxies } from '../../src/base/trusted-proxies.ts'
import type { Entrance, IncomingRequest, OutgoingResponse } from '../../src/graphql/entrance/transport.ts'
import { openPlainLane, type PlainLane } from '../../src/http/plain/plain-lane.ts'
import { createProxies } from '../../src/http/proxies/proxies.ts'

interface Opened {
  readonly server: Server
  readonly lane: PlainLane
  readonly port: number
}

const opened: Opened[] = []
const sockets: Socket[] = []

/** For the top of a test file. */
export const closeAfterEach = (): void =>
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const { server, lane } of opened.splice(0)) {
      lane.close()
      lane.end()
      server.close()
      server.closeAllConnections()
    }
  })

export const respondWith = (body: string): OutgoingResponse => ({
  status: 200,
  headers: ['content-length', String(body.length)],
  body,
  encoding: 'latin1',
})

export const textOf = ({ body }: IncomingRequest): string =>
  body?.kind === 'bytes' ? body.bytes.toString('latin1') : ''

/** Says who answered, and what the request was. */
export const echo: Entrance = async request => respondWith(`lane ${textOf(request)}`)

export interface Held {
  readonly request: IncomingRequest
  respond(body: string): void
}

/** Requests that wait until the test responds to them. */
export const holding =
  (held: Held[]): Entrance =>
  request =>
    new Promise(resolve => void held.push({ request, respond: body => resolve(respondWith(body)) }))

const log = createLogger('silent')

export const open = async (entrance: Entrance, change: (server: Server) => void = () => undefined): Promise<Opened> => {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => (body += chunk))
    request.on('end', () => response.end(`node ${body}`))
  })
  change(server)
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const paths = [{ path: '/ask', entrance, streams: true }]
  const lane = openPlainLane(server, { paths, proxies: createProxies(noProxies, log), log })
  const one = { server, lane, port: (server.address() as AddressInfo).port }
  opened.push(one)
  return one
}

export const ask = (body: string, path = '/ask'): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`

interface Client {
  readonly socket: Socket
  /** Response bodies so far. */
  bodies(): string[]
  text(): string
  ended: boolean
}

export const dial = ({ port }: Opened): Client => {
  let text = ''
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const client: Client = {
    socket,
    text: () => text,
    ended: false,
    bodies: () => {
      const bodies: string[] = []
      let rest = text
      for (;;) {
        const head = /^[\s\S]*?\r\n\r\n/.exec(rest)?.[0]
        if (head === undefined) return bodies
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
        bodies.push(rest.slice(head.length, head.length + length))
        rest = rest.slice(head.length + length)
      }
    },
  }
  socket.setEncoding('latin1').on('data', chunk => (text += chunk))
  socket.on('error', () => undefined)
  socket.on('close', () => (client.ended = true))
  return client
}

export const until = async (what: string, holds: () => boolean, mostMs = 5000): Promise<void> => {
  const end = performance.now() + mostMs
  while (!holds()) {
    if (performance.now() > end) assert.fail(`not within ${mostMs} ms: ${what}`)
    await pause(5)
  }
}

export const answers = (client: Client, count: number): Promise<void> =>
  until(`${count} answers, but ${JSON.stringify(client.text())}`, () => client.bodies().length >= count)
