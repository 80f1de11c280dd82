// A request that accepts events → its own stream: GraphQL over SSE, distinct connections mode.
// https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#distinct-connections-mode
import type { ServerResponse } from 'node:http'
import { networkOf } from '../../base/ip-address.ts'
import { withinDeadline } from '../../db/within-deadline.ts'
import { isSubscription } from '../../graphql/document.ts'
import { type Endpoint, refuse } from '../../graphql/entrance/entrance.ts'
import { readOperations } from '../../graphql/entrance/read-operations.ts'
import type { Entrance, IncomingRequest, OutgoingResponse } from '../../graphql/entrance/transport.ts'
import { refusalOf } from '../../graphql/errors.ts'
import type { Live, Subscription } from '../../graphql/live/live.ts'
import type { GraphqlRequest } from '../../graphql/request.ts'
import { type EventStream, eventOf, openEventStream } from './event-stream.ts'
import type { OpenConnections } from './open-connections.ts'

export interface StreamOptions {
  readonly endpoint: Endpoint
  readonly entrance: Entrance
  readonly live: Live
  readonly connections: OpenConnections
}

/** A single operation, if the body can be read; what is wrong with it is told where queries are answered. */
const subscriptionIn = ({ endpoint }: StreamOptions, request: IncomingRequest): GraphqlRequest | undefined => {
  try {
    const { requests, batch } = readOperations(request)
    const [only] = requests
    if (batch || only === undefined) return undefined
    const resolved = endpoint.persisted.resolve(only)
    return isSubscription(resolved.query, resolved.operationName) ? resolved : undefined
  } catch {
    return undefined
  }
}

/** The answer as JSON, not compressed. */
const asJson = (request: IncomingRequest): IncomingRequest => ({
  ...request,
  headers: { ...request.headers, accept: 'application/json', 'accept-encoding': undefined },
})

const OK = 200

/** A query or a mutation has one result. */
const streamOnce = async (
  { entrance, connections }: StreamOptions,
  request: IncomingRequest,
  response: ServerResponse,
): Promise<void> => {
  const answer = await entrance(asJson(request))
  if (answer.status !== OK) return send(response, answer)
  const none = (): void => undefined
  const stream = openEventStream(response, { connections, requestId: request.id, onDrain: none, onClose: none })
  stream.write(eventOf('next', answer.body.toString().replaceAll('\n', '')) + eventOf('complete', ''))
  stream.end()
}

export const send = (response: ServerResponse, { status, headers, body, encoding }: OutgoingResponse): void =>
  void response.writeHead(status, headers).end(body, encoding)

const subscribe = async (
  { endpoint, live, connections }: StreamOptions,
  request: IncomingRequest,
  response: ServerResponse,
  operation: GraphqlRequest,
): Promise<void> => {
  endpoint.admission.admit?.(request)
  const opened = live.sessions.open(request)
  const session = await withinDeadline(endpoint.engine.deadlineMs, opened)
  if (response.destroyed) return
  // The functions below stay in memory as long as the stream, and with them whatever they name: not the request.
  const requestId = request.id
  let stream: EventStream | undefined
  let subscription: Subscription | undefined
  const finish = (last: string): void => {
    stream?.write(eventOf('next', last) + eventOf('complete', ''))
    stream?.end()
  }
  const open = (): EventStream =>
    openEventStream(response, {
      connections,
      requestId,
      onDrain: () => subscription?.resume(),
      onClose: () => subscription?.end(),
    })
  try {
    subscription = live.open({
      request: operation,
      session,
      address: networkOf(request.clientAddress()),
      sink: {
        isReady: () => stream?.isReady() === true,
        next: result => stream?.write(result.event()),
        fail: ({ errors }) => finish(JSON.stringify({ errors })),
      },
    })
    stream = open()
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal?.isDocument !== true) throw error
    // Whoever reads a stream sees nothing of a response with another status.
    stream = open()
    finish(JSON.stringify({ errors: refusal.errors }))
  }
}

export const streamDistinct = async (
  options: StreamOptions,
  request: IncomingRequest,
  response: ServerResponse,
): Promise<void> => {
  const operation = subscriptionIn(options, request)
  if (operation !== undefined)
    await subscribe(options, request, response, operation).catch(async error =>
      send(response, await refuse(error, request, options.endpoint.telling.log)),
    )
  else if (acceptsJson(request)) send(response, await options.entrance(request))
  else await streamOnce(options, request, response)
}

/** Some clients accept everything with every request: only a subscription needs a stream. */
const acceptsJson = ({ headers }: IncomingRequest): boolean => /json|\*\/\*/.test(headers.accept ?? '')

export const mayWantStream = (accept: string | undefined): boolean => accept?.includes('text/event-stream') === true
