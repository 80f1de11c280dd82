// Whatever was thrown → a response that helps the caller, and a log line that helps us.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toFault } from '../base/to-fault.ts'

export const replyWithFault = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const fault = toFault(error, request)
  reply
    .status(fault.status)
    // RFC 9111, section 4.2.2: a cache may keep a 404 that does not say otherwise, together with the cookies of whoever got it.
    .headers({ 'cache-control': 'no-store', ...fault.headers })
    .type('application/json; charset=utf-8')
    .send({ error: fault.code, error_description: fault.message })
}
