// Nothing has an address with a NUL in it: PostgreSQL cannot even be asked for one.
import type { FastifyInstance } from 'fastify'
import { notFound } from './not-found.ts'

const hasNul = (parameters: unknown): boolean =>
  Object.values(parameters ?? {}).some(value => typeof value === 'string' && value.includes('\0'))

/** Before any handler, and after what the request is charged. */
export const refuseNulInPath = (server: FastifyInstance): void => {
  server.addHook('preValidation', ({ params }, _reply, done) => done(hasNul(params) ? notFound() : undefined))
}
