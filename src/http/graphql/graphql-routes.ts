// /v1/graphql as Fastify routes: preflights, unsupported methods, and requests that did not come straight from the listener
// (injected within the process, or with the path spelled another way).
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toFault } from '../../base/to-fault.ts'
import { crossOrigin } from '../../graphql/entrance/cross-origin.ts'
import { mediaOrJson } from '../../graphql/entrance/media-type.ts'
import { fault, type Refusal, refusalOf } from '../../graphql/errors.ts'
import { type NodeTransport, PATH } from './node-transport.ts'

const replyWithErrors = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const { status, headers, errors } = refusalOf(toFault(error, request)) as Refusal
  reply
    .status(status)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type(`${mediaOrJson(request.headers.accept)}; charset=utf-8`)
    .send(JSON.stringify({ errors }))
}

export const addGraphqlRoutes = async (server: FastifyInstance, { handle }: NodeTransport): Promise<void> => {
  await server.register(async scope => {
    await scope.register(cors, crossOrigin)
    // The body is left in the stream: the entrance's own transport reads it.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _stream, done) => done(null))
    scope.setErrorHandler(replyWithErrors)
    scope.route({
      method: ['GET', 'POST'],
      url: PATH,
      handler: (request, reply) => {
        reply.hijack()
        handle(request.raw, reply.raw)
      },
    })
    scope.route({
      method: ['PUT', 'PATCH', 'DELETE'],
      url: PATH,
      handler: async () => {
        throw fault('method-not-allowed', 'Use POST, or GET for queries.', { allow: 'GET, POST, OPTIONS' })
      },
    })
  })
}
