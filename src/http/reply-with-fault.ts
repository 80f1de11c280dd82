// Whatever was thrown → an answer that helps the caller, and a log line that helps us.
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../base/fault.ts'

const fromFastify = (error: FastifyError): Fault | undefined => {
  const status = error.statusCode ?? 500
  if (status >= 500) return undefined
  return new Fault({
    code: status === 413 ? 'too_large' : status === 429 ? 'too_many_requests' : 'bad_request',
    status,
    message: error.message,
    cause: error,
  })
}

const asFault = (error: unknown): Fault | undefined => {
  if (error instanceof Fault) return error
  return error instanceof Error ? fromFastify(error as FastifyError) : undefined
}

/** A fault of ours: the caller gets the id under which the log has the rest. */
export const unexpected = (id: string, cause: unknown): Fault =>
  new Fault({
    code: 'unexpected',
    status: 500,
    message: `Something went wrong on our side. It is in the log as ${id}.`,
    cause,
  })

/** Whose request it was. */
export interface FaultyRequest {
  readonly id: string
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/** What the caller may know of an error; what only we may know goes to the log here. */
export const toFault = (error: unknown, { id, log }: FaultyRequest): Fault => {
  const fault = asFault(error) ?? unexpected(id, error)
  if (fault.status >= 500) log.error({ err: fault.cause ?? fault, detail: fault.detail, requestId: id }, fault.message)
  return fault
}

export const replyWithFault = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const fault = toFault(error, request)
  reply
    .status(fault.status)
    .headers(fault.headers)
    .type('application/json; charset=utf-8')
    .send({ error: fault.code, error_description: fault.message })
}
