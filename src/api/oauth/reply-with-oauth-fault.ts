// Whatever an OAuth endpoint threw → its response. RFC 6749 section 4.1.2.1 has its own name for an unavailable server.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { replyWithFault } from '../../http/reply-with-fault.ts'

export const inOauthTerms = (error: unknown): unknown => {
  if (!(error instanceof Fault) || error.code !== 'database-unavailable') return error
  const { status, message, detail, headers, cause } = error
  return new Fault({ code: 'temporarily_unavailable', status, message, detail, headers, cause })
}

export const replyWithOauthFault = (error: unknown, request: FastifyRequest, reply: FastifyReply): void =>
  replyWithFault(inOauthTerms(error), request, reply)
