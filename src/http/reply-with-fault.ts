// Whatever was thrown → a response that helps the caller, and a log line that helps us.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toFault } from '../base/to-fault.ts'

export const replyWithFault = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const fault = toFault(error, request)
  reply
    .status(fault.status)
    .headers(fault.headers)
    .type('application/json; charset=utf-8')
    .send({ error: fault.code, error_description: fault.message })
}
