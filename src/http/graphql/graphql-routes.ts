// /v1/graphql and /v1/relay as Fastify routes: preflights, unsupported methods, and requests that did not come straight from
// the listener (injected within the process, or with the path spelled another way).
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toFault } from '../../base/to-fault.ts'
import { crossOrigin } from '../../graphql/entrance/cross-origin.ts'
import type { Endpoint } from '../../graphql/entrance/entrance.ts'
import { mediaOrJson } from '../../graphql/entrance/media-type.ts'
import { fault, type Refusal, refusalOf } from '../../graphql/errors.ts'
import { countedBy, points } from '../charges/charge.ts'
import { chargeRoutes } from '../charges/charge-addresses.ts'
import { leaveBodies, leaveTo } from '../leave-to-transport.ts'
import { type SingleStreams, STREAM_TOKEN_HEADER } from '../live/single-streams.ts'
import type { NodeTransport } from './node-transport.ts'
import { PATH, RELAY_PATH, STREAM_PATH } from './paths.ts'

const replyWithErrors = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const { status, headers, errors } = refusalOf(toFault(error, request)) as Refusal
  reply
    .status(status)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type(`${mediaOrJson(request.headers.accept)}; charset=utf-8`)
    .send(JSON.stringify({ errors }))
}

const addEndpoint = (scope: FastifyInstance, path: string, { handle }: NodeTransport): void => {
  scope.route({
    method: ['GET', 'POST'],
    url: path,
    handler: leaveTo(handle),
  })
  scope.route({
    method: ['PUT', 'PATCH', 'DELETE'],
    url: path,
    config: { charge: points(1) },
    handler: async () => {
      throw fault('method-not-allowed', 'Use POST, or GET for queries.', { allow: 'GET, POST, OPTIONS' })
    },
  })
}

const streamMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const

const streamPreflight = {
  'access-control-allow-origin': crossOrigin.origin,
  'access-control-allow-methods': [...streamMethods, 'OPTIONS'].join(', '),
  'access-control-allow-headers': `authorization, dpop, content-type, ${STREAM_TOKEN_HEADER}`,
  'access-control-max-age': String(crossOrigin.maxAge),
}

/** On the main listener, what has no valid credential is charged where that is found out. */
const charge = countedBy('the entrance: by address in the sandbox, and on main where there is no valid credential')

const addStreams = async (scope: FastifyInstance, { handle }: SingleStreams): Promise<void> => {
  chargeRoutes(scope, charge)
  scope.options(STREAM_PATH, (_request, reply) => {
    reply.headers(streamPreflight).status(204).send()
  })
  leaveBodies(scope)
  scope.setErrorHandler(replyWithErrors)
  scope.route({
    method: [...streamMethods],
    url: STREAM_PATH,
    handler: leaveTo(handle),
  })
}

/** Both views of the same tables, and what brings requests to them. */
export interface GraphqlEndpoints {
  readonly tables: Endpoint
  readonly relay: Endpoint
  readonly transports: {
    readonly tables: NodeTransport
    readonly relay: NodeTransport
    readonly streams: SingleStreams
  }
}

export const addGraphqlRoutes = async (
  server: FastifyInstance,
  transports: GraphqlEndpoints['transports'],
): Promise<void> => {
  await server.register(async scope => {
    chargeRoutes(scope, charge)
    await scope.register(cors, crossOrigin)
    leaveBodies(scope)
    scope.setErrorHandler(replyWithErrors)
    addEndpoint(scope, PATH, transports.tables)
    addEndpoint(scope, RELAY_PATH, transports.relay)
  })
  await server.register(scope => addStreams(scope, transports.streams))
}
