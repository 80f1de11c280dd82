// Lets single-page apps of any origin call endpoints: never with cookies, so that no session is at risk.
// Written by hand, since @fastify/cors handles every preflight of the server, and most routes here must refuse theirs.
import type { FastifyInstance } from 'fastify'
import { preflights } from './charges/charge.ts'

/** Pages of any origin may read the response, and what these headers say. */
export const openOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'www-authenticate, dpop-nonce, retry-after, x-request-id, x-minaret-position',
} as const

const preflight = (methods: readonly string[]): Record<string, string> => ({
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'authorization, dpop, content-type',
  'access-control-max-age': '3600',
})

/** For every route of this scope; `paths` are those that accept preflights. */
export const allowAnyOrigin = (server: FastifyInstance, methods: readonly string[], paths: readonly string[]): void => {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(openOrigin)
    done()
  })
  for (const path of paths)
    server.options(path, { config: { charge: preflights } }, (_request, reply) => {
      reply.headers(preflight(methods)).status(204).send()
    })
}
