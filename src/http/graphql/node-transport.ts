// Node's own server → an entrance: requests to one path, ahead of Fastify, which would cost as much as the response.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../../base/log.ts'
import { underWay } from '../../base/under-way.ts'
import type { Body, Entrance, IncomingRequest } from '../../graphql/entrance/transport.ts'
import type { Handler } from '../handler.ts'
import { mayWantStream, type StreamOptions, streamDistinct } from '../live/distinct-streams.ts'
import type { Proxies } from '../proxies/proxies.ts'
import { abandonmentOf } from './abandonment-of.ts'
import { readBody } from './read-body.ts'

export interface NodeTransport {
  /** Handles GET, HEAD and POST, whatever the path. */
  readonly handle: Handler
  /** Handles requests to the endpoint, and passes the rest to `next`. */
  before(next: Handler): Handler
}

export interface TransportOptions {
  readonly path: string
  /** Which are handled ahead of Fastify. */
  readonly methods: readonly ('GET' | 'HEAD' | 'POST')[]
  readonly entrance: Entrance
  readonly proxies: Proxies
  readonly log: Logger
  /** For requests that accept a stream of events; undefined where there are no subscriptions. */
  readonly streams?: StreamOptions | undefined
}

export interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Body | undefined
}

export const incomingRequest = ({ request, response, body }: Arrived, proxies: Proxies): IncomingRequest => ({
  id: proxies.requestId(request),
  method: request.method === 'POST' ? 'POST' : 'GET',
  url: request.url ?? '',
  headers: request.headers,
  body,
  clientAddress: () => proxies.clientAddress(request),
  abandoned: abandonmentOf(response),
})

export const createNodeTransport = (options: TransportOptions): NodeTransport => {
  const { path, entrance, proxies, log, streams } = options
  const methods: readonly (string | undefined)[] = options.methods
  const isOurs = ({ method, url }: IncomingMessage): boolean =>
    (url === path || url?.startsWith(`${path}?`) === true) && methods.includes(method)
  const answer = async (request: IncomingRequest, response: ServerResponse): Promise<void> => {
    const { status, headers, body, encoding } = await entrance(request)
    response.writeHead(status, headers).end(body, encoding)
  }
  const respond = async (arrived: Arrived): Promise<void> => {
    const request = incomingRequest(arrived, proxies)
    const { response } = arrived
    underWay.note({ route: path, id: request.id })
    try {
      if (streams !== undefined && mayWantStream(request.headers.accept))
        await streamDistinct(streams, request, response)
      else await answer(request, response)
    } catch (error) {
      log.error({ err: error, requestId: request.id }, 'a response could not be sent')
      response.destroy()
    }
  }
  const handle: Handler = (request, response) => {
    if (request.method !== 'POST') {
      request.resume()
      return void respond({ request, response, body: undefined })
    }
    readBody(request, (error, body) => {
      if (error === null) void respond({ request, response, body })
      else response.destroy()
    })
  }
  return {
    handle,
    before: next => (request, response) => (isOurs(request) ? handle(request, response) : next(request, response)),
  }
}
