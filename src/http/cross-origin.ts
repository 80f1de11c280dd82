// Lets single-page apps of any origin call endpoints: never with cookies, so that no session is at risk.
// Written by hand, since @fastify/cors handles every preflight of the server, and most routes here must refuse theirs.
import type { FastifyInstance } from 'fastify'

const exposed = 'www-authenticate, retry-after, x-request-id, x-minaret-position'

const preflight = (methods: readonly string[]): Record<string, string> => ({
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '3600',
})

/** For every route of this scope; `paths` are those that accept preflights. */
export const allowAnyOrigin = (server: FastifyInstance, methods: readonly string[], paths: readonly string[]): void => {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', exposed)
    done()
  })
  for (const path of paths)
    server.options(path, (_request, reply) => {
      reply.headers(preflight(methods)).status(204).send()
    })
}
