// Upgrade requests to /v1/graphql → WebSockets that speak one of our protocols. Pages of any origin may connect, as they may send requests:
// nothing but the credential in `connection_init` counts, neither cookies nor anything in the URL.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { AddressBudget } from '../../base/address-budget.ts'
import { Fault } from '../../base/fault.ts'
import { networkOf } from '../../base/ip-address.ts'
import { limits } from '../../graphql/limits/limits.ts'
import { limitOpen } from '../../graphql/live/limit-open.ts'
import { PATH } from '../graphql/paths.ts'
import { STATUS_CODES } from '../node-http.ts'
import type { Proxies } from '../proxies/proxies.ts'
import { repeatedHeader } from '../single-headers.ts'
import type { Dialect } from './dialects/dialect.ts'
import { graphqlTransportWs } from './dialects/graphql-transport-ws.ts'
import { graphqlWs } from './dialects/graphql-ws.ts'
import type { StreamOptions } from './distinct-streams.ts'
import { type OpenSocket, serveSocket } from './socket.ts'

/** What handles requests to upgrade a connection. */
export interface Upgrades {
  accepts(request: IncomingMessage): boolean
  handle(request: IncomingMessage, socket: Socket, head: Buffer): void
}

const OPENING_POINTS = 1
/** The first that a client speaks too. */
const dialects: readonly Dialect[] = [graphqlTransportWs, graphqlWs]
const UNACCEPTABLE_PROTOCOL = 4406
/** Of a message that is not complete. Each costs more memory than its bytes; clients send none, or a few. */
const MOST_FRAGMENTS = 64
const MOST_CHUNKS = 4096

/** The connection has no response object any more. */
const refuse = (socket: Socket, id: string, { status, message, headers }: Fault): void => {
  const own = { 'content-type': 'text/plain; charset=utf-8', 'x-request-id': id, connection: 'close' }
  const lines = Object.entries({ ...headers, ...own })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${message}\n`)
}

const bad = (message: string): Fault => new Fault({ code: 'bad_request', status: 400, message })

export interface SocketOptions extends StreamOptions {
  readonly proxies: Proxies
  /** A connection is opened before it shows a credential. */
  readonly budget: AddressBudget
}

/** A connection that was admitted. */
type Opening = Pick<OpenSocket, 'transport' | 'id' | 'address'>

export const createSockets = (options: SocketOptions): Upgrades => {
  const { endpoint, live, proxies, budget } = options
  const perAddress = limitOpen(
    live.rules.perAddress,
    most => `${most} connections are open from your address, which is the maximum. Close some first.`,
  )
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.bodyBytes,
    maxFragments: MOST_FRAGMENTS,
    maxBufferedChunks: MOST_CHUNKS,
    handleProtocols: offered => dialects.find(({ protocol }) => offered.has(protocol))?.protocol ?? false,
  })

  server.on('headers', (headers, request) => headers.push(`X-Request-Id: ${proxies.requestId(request)}`))

  const serve = (socket: WebSocket, { transport, id, address }: Opening): void => {
    const onClose = (): void => perAddress.release(address)
    const dialect = dialects.find(({ protocol }) => protocol === socket.protocol)
    if (dialect !== undefined) return void serveSocket(options, { socket, dialect, transport, id, address, onClose })
    socket.once('close', onClose)
    socket.close(UNACCEPTABLE_PROTOCOL, 'Subprotocol not acceptable')
  }

  /** @returns the address that was counted. @throws {Fault} */
  const admit = (request: IncomingMessage): string => {
    const repeated = repeatedHeader(request)
    if (repeated !== undefined) throw bad(repeated)
    const client = proxies.clientAddress(request)
    budget.charge(client, OPENING_POINTS)
    const abandoned = { add: () => undefined, delete: () => undefined }
    endpoint.admission.admit?.({
      id: proxies.requestId(request),
      method: 'GET',
      url: PATH,
      headers: request.headers,
      body: undefined,
      clientAddress: () => client,
      abandoned,
    })
    const address = networkOf(client)
    perAddress.take(address)
    return address
  }

  return {
    accepts: ({ url, headers }) =>
      headers.upgrade?.toLowerCase() === 'websocket' && (url === PATH || url?.startsWith(`${PATH}?`) === true),
    handle: (request, transport, head) => {
      transport.on('error', () => undefined)
      const id = proxies.requestId(request)
      let address: string
      try {
        address = admit(request)
      } catch (error) {
        return void refuse(transport, id, error instanceof Fault ? error : bad('The request cannot be read.'))
      }
      let isServed = false
      // A handshake that is refused, or that its client gave up.
      transport.once('close', () => isServed || perAddress.release(address))
      server.handleUpgrade(request, transport, head, socket => {
        isServed = true
        serve(socket, { transport, id, address })
      })
    },
  }
}
