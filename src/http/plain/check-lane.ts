// Tests plain connections on a separate server → whether this version of Node does what they rely on: that a connection can be
// taken before Node's parser sees it, and handed over later, with bytes already read. Undefined, or what went wrong.
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Logger } from '../../base/log.ts'
import { noProxies } from '../../base/trusted-proxies.ts'
import type { Entrance } from '../../graphql/entrance/transport.ts'
import { createServer } from '../node-http.ts'
import { createProxies } from '../proxies/proxies.ts'
import type { PlainLane, PlainRoutes } from './plain-lane.ts'

export type OpenLane = (server: Server, routes: PlainRoutes) => PlainLane

/** A busy machine must not look like another version of Node. */
const TRIAL_MS = 15_000

const byLane: Entrance = async () => ({
  status: 200,
  headers: ['content-length', '4'],
  body: 'lane',
  encoding: 'latin1',
})

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

/** Collects everything received until it contains what is expected. */
const receive = (socket: Socket, expected: RegExp): Promise<void> =>
  new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error(`no ${expected} in ${JSON.stringify(text.slice(-200))}`)), TRIAL_MS)
    const settle = (finish: () => void): void => {
      clearTimeout(timer)
      socket.removeAllListeners('data').removeAllListeners('error').removeAllListeners('close')
      finish()
    }
    socket.on('data', chunk => {
      text += chunk
      if (expected.test(text)) settle(resolve)
    })
    socket.on('error', error => settle(() => reject(error)))
    socket.on('close', () => settle(() => reject(new Error('the connection was closed'))))
  })

const ask = (path: string): string => `POST ${path} HTTP/1.1\r\nhost: trial\r\ncontent-length: 4\r\n\r\nbody`

/** A plain request; then one that arrives in two parts, which Node's server has to assemble; then another. */
const converse = async (socket: Socket): Promise<void> => {
  const steps: readonly (readonly [parts: readonly string[], expected: RegExp])[] = [
    [[ask('/trial')], /\r\n\r\nlane$/],
    [[ask('/other').slice(0, 30), ask('/other').slice(30)], /node POST \/other trial body/],
    [[ask('/last')], /node POST \/last trial body/],
  ]
  for (const [parts, expected] of steps) {
    const received = receive(socket, expected)
    for (const part of parts) {
      socket.write(part)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    await received
  }
}

/** Node's server must know of a connection that was handed over, or its timeouts would not apply to it. */
const checkTracked = async (server: Server, socket: Socket): Promise<void> => {
  const closed = new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('an idle connection that was handed over is not closed')), TRIAL_MS).unref()
    socket.once('close', () => resolve()).on('error', () => undefined)
    socket.resume()
  })
  server.closeIdleConnections()
  await closed
}

export const checkLane = async (open: OpenLane, log: Logger): Promise<Error | undefined> => {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => (body += chunk))
    request.on('end', () => response.end(`node ${request.method} ${request.url} ${request.headers.host} ${body}`))
  })
  let lane: PlainLane | undefined
  let socket: Socket | undefined
  try {
    const port = await listen(server)
    lane = open(server, {
      paths: [{ path: '/trial', entrance: byLane, streams: false }],
      proxies: createProxies(noProxies, log),
      log,
    })
    socket = connect(port, '127.0.0.1').setNoDelay(true)
    await converse(socket)
    await checkTracked(server, socket)
    return undefined
  } catch (error) {
    return error as Error
  } finally {
    socket?.destroy()
    lane?.close()
    lane?.end()
    server.close()
    server.closeAllConnections()
  }
}
