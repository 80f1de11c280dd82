// Fastify routes whose requests the transport of an entrance answers, as it answers those that come straight from the listener.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Handler } from './handler.ts'

/** Bodies are left in the stream: the transport reads them. */
export const leaveBodies = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _stream, done) => done(null))
}

export const leaveTo =
  (handle: Handler) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack()
    handle(request.raw, reply.raw)
  }
