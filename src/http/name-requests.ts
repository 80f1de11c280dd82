// Requests of Node's server → named while they are worked on (src/base/under-way.ts).
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type RequestUnderWay, underWay } from '../base/under-way.ts'
import type { Handler } from './handler.ts'

export const named =
  (handler: Handler): Handler =>
  (request, response) =>
    underWay.run({ method: request.method, route: undefined }, () => handler(request, response))

/** By their route, once that is found. */
export const nameByRoute = (server: FastifyInstance): void => {
  const known = new WeakMap<IncomingMessage, RequestUnderWay>()
  server.addHook('onRequest', (request, _reply, done) => {
    underWay.note({ route: request.routeOptions.url, id: request.id })
    const current = underWay.current()
    if (current !== undefined) known.set(request.raw, current)
    done()
  })
  // The end of a body is an event of the connection.
  server.addHook('preValidation', ({ raw }, _reply, done) => {
    const before = known.get(raw)
    if (before === undefined) done()
    else underWay.run(before, done)
  })
}
