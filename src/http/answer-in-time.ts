// Answers a request that is not answered by its deadline, wherever it waits: with 503, so that the client can try again.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { databaseUnavailable } from '../db/database-fault.ts'

declare module 'fastify' {
  interface FastifyRequest {
    deadline: NodeJS.Timeout | undefined
  }
}

const forget = (request: FastifyRequest): void => clearTimeout(request.deadline)

interface Deadline {
  readonly ms: number
  readonly giveUp: () => void
}

/** In the place of the deadline that the request has. */
export const setDeadline = (request: FastifyRequest, { ms, giveUp }: Deadline): void => {
  forget(request)
  request.deadline = setTimeout(giveUp, ms)
}

/** Counts from when the body has arrived. A scope inside another one may allow more or less time. */
export const answerInTime = (scope: FastifyInstance, ms: number): void => {
  if (!scope.hasRequestDecorator('deadline')) scope.decorateRequest('deadline', undefined)
  scope.addHook('preValidation', (request, reply, done) => {
    const giveUp = (): void => {
      if (!reply.sent) reply.send(databaseUnavailable(new Error(`no answer within ${ms} ms`)))
    }
    setDeadline(request, { ms, giveUp })
    done()
  })
  scope.addHook('onResponse', (request, _reply, done) => {
    forget(request)
    done()
  })
}
