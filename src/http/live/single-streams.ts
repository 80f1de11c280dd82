// /v1/graphql/stream: many operations, one stream of events. GraphQL over SSE, single connection mode.
// https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#single-connection-mode
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../../base/fault.ts'
import { networkOf } from '../../base/ip-address.ts'
import { randomToken } from '../../base/secrets.ts'
import { withinDeadline } from '../../db/within-deadline.ts'
import { crossOriginHeaders } from '../../graphql/entrance/cross-origin.ts'
import { refuse } from '../../graphql/entrance/entrance.ts'
import { readOperations } from '../../graphql/entrance/read-operations.ts'
import type { IncomingRequest } from '../../graphql/entrance/transport.ts'
import { limitOpen } from '../../graphql/live/limit-open.ts'
import type { Session } from '../../graphql/live/sessions.ts'
import { type Arrived, incomingRequest } from '../graphql/node-transport.ts'
import { readBody } from '../graphql/read-body.ts'
import type { Handler } from '../handler.ts'
import type { Proxies } from '../proxies/proxies.ts'
import { mayWantStream, type StreamOptions, send, streamDistinct } from './distinct-streams.ts'
import { openReservation, type Reservation } from './reservation.ts'

export interface SingleStreams {
  readonly handle: Handler
}

export const STREAM_TOKEN_HEADER = 'x-graphql-event-stream-token'

const fault = (status: number, message: string): Fault =>
  new Fault({ code: status === 404 ? 'not_found' : 'bad_request', status, message })

const parametersOf = ({ url }: IncomingRequest): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '')

/** Of the reservation. It opens nothing but a stream that somebody with a credential has asked for. */
const tokenOf = (request: IncomingRequest): string | undefined => {
  const header = request.headers[STREAM_TOKEN_HEADER]
  return typeof header === 'string' ? header : (parametersOf(request).get('token') ?? undefined)
}

const operationIdIn = (request: IncomingRequest): string => {
  const body = request.body?.kind === 'bytes' ? JSON.parse(request.body.bytes.toString()) : undefined
  const id: unknown = body?.extensions?.operationId
  if (typeof id === 'string' && id !== '' && id.length <= 200) return id
  throw fault(400, 'Say which operation it is: "extensions": {"operationId": "…"}.')
}

/** Only this media type has a status of its own for every error. */
const withStatus = (request: IncomingRequest): IncomingRequest => ({
  ...request,
  headers: { ...request.headers, accept: 'application/graphql-response+json' },
})

interface Reply {
  readonly status: number
  readonly body?: string
}

const reply = ({ id }: IncomingRequest, response: ServerResponse, { status, body = '' }: Reply): void => {
  const own = ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-store', 'x-request-id', id]
  response.writeHead(status, [...own, ...crossOriginHeaders]).end(body)
}

export const createSingleStreams = (options: StreamOptions, proxies: Proxies): SingleStreams => {
  const { endpoint, live } = options
  const reservations = new Map<string, Reservation>()
  const perAddress = limitOpen(
    live.rules.perAddress,
    most => `${most} streams are open from your address, which is the maximum. Close some first.`,
  )

  /** Without the URL: operations are answered later, on the stream, where there is no request to prove anything about. */
  const sessionOf = ({ headers: { authorization }, clientAddress }: IncomingRequest): Promise<Session> =>
    withinDeadline(endpoint.engine.deadlineMs, live.sessions.open({ headers: { authorization }, clientAddress }))

  const reserve = async (request: IncomingRequest, response: ServerResponse): Promise<void> => {
    const session = await sessionOf(request)
    const address = networkOf(request.clientAddress())
    perAddress.take(address)
    const token = randomToken(32)
    const onEnd = (): void => {
      reservations.delete(token)
      perAddress.release(address)
    }
    reservations.set(token, openReservation(options, { session, address, onEnd }))
    reply(request, response, { status: 201, body: token })
  }

  const find = (request: IncomingRequest): Reservation => {
    const found = reservations.get(tokenOf(request) ?? '')
    if (found === undefined) throw fault(404, 'There is no stream for this token. Reserve one with PUT.')
    return found
  }

  const operate = async (request: IncomingRequest, response: ServerResponse): Promise<void> => {
    const reservation = find(request)
    const session = await sessionOf(request)
    if (!reservation.isOf(session)) throw fault(403, 'The stream was reserved for another app or person.')
    const { requests, batch } = readOperations(request)
    const [only] = requests
    if (batch || only === undefined) throw fault(400, 'A batch cannot be streamed. Send its operations one by one.')
    const id = operationIdIn(request)
    const { authorization } = request.headers
    reservation.begin({ id, session, authorization, request: endpoint.persisted.resolve(only), raw: request })
    reply(request, response, { status: 202 })
  }

  const stop = (request: IncomingRequest, response: ServerResponse): void => {
    find(request).stop(parametersOf(request).get('operationId') ?? '')
    reply(request, response, { status: 200 })
  }

  const answer = async (
    method: string | undefined,
    request: IncomingRequest,
    response: ServerResponse,
  ): Promise<void> => {
    if (method === 'PUT') endpoint.admission.admit?.(request)
    if (method === 'PUT') await reserve(request, response)
    else if (method === 'DELETE') stop(request, response)
    else if (tokenOf(request) === undefined && mayWantStream(request.headers.accept))
      await streamDistinct(options, request, response)
    else if (method === 'GET') find(request).connect(response, request.id)
    else await operate(request, response)
  }

  const respond = async (arrived: Arrived): Promise<void> => {
    const request = incomingRequest(arrived, proxies)
    const { response } = arrived
    try {
      await answer(arrived.request.method, request, response)
    } catch (error) {
      if (!response.headersSent) send(response, await refuse(error, withStatus(request), endpoint.telling.log))
    }
  }

  return {
    handle: (request: IncomingMessage, response: ServerResponse) =>
      readBody(request, (error, body) => {
        if (error === null) void respond({ request, response, body })
        else response.destroy()
      }),
  }
}
