// Whatever was thrown → what the caller may know; the rest goes to the log.
import { Fault } from './fault.ts'

/** Fastify's errors have the status they stand for. */
const fromFramework = (error: Error & { readonly statusCode?: number }): Fault | undefined => {
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
  return error instanceof Error ? fromFramework(error) : undefined
}

/** An internal error: the caller gets the id of the log entry that has the details. */
const unexpected = (id: string, cause: unknown): Fault =>
  new Fault({
    code: 'unexpected',
    status: 500,
    message: `Something went wrong on our side. It is in the log as ${id}.`,
    cause,
  })

/** Whose request it was. */
export interface FaultyRequest {
  readonly id: string
  readonly log: { error(details: object, message: string): void }
}

export const toFault = (error: unknown, { id, log }: FaultyRequest): Fault => {
  const fault = asFault(error) ?? unexpected(id, error)
  if (fault.status >= 500) log.error({ err: fault.cause ?? fault, detail: fault.detail, requestId: id }, fault.message)
  return fault
}
