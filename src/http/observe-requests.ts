// Handled requests → what is counted and logged about each, once its response has ended.
import type { IncomingMessage } from 'node:http'
import type { Observe } from '../metrics/watching.ts'
import type { Handler } from './handler.ts'
import { streamedResponses } from './live/streamed-responses.ts'

interface Known {
  readonly route: string | undefined
  readonly id: string
}

export interface RequestObserver {
  /** Called by whoever finds the route. */
  note(request: IncomingMessage, known: Known): void
  around(handler: Handler): Handler
}

/** The client disconnected before there was a response; nginx uses the same number. */
const ABANDONED = 499

/** @param frontPaths those that are handled ahead of the routes */
export const observeRequests = (observe: Observe, frontPaths: readonly string[]): RequestObserver => {
  const known = new WeakMap<IncomingMessage, Known>()
  const frontPathOf = (url: string | undefined): string | undefined =>
    frontPaths.find(path => url === path || url?.startsWith(`${path}?`) === true)

  return {
    note: (request, one) => void known.set(request, one),
    around: handler => (request, response) => {
      const started = performance.now()
      response.once('close', () => {
        if (streamedResponses.has(response)) return
        const found = known.get(request)
        const route = found?.route ?? frontPathOf(request.url)
        const status = response.headersSent ? response.statusCode : ABANDONED
        const { traceparent: given } = request.headers
        const traceparent = typeof given === 'string' ? given : undefined
        observe({ id: found?.id, method: request.method, route, status, ms: performance.now() - started, traceparent })
      })
      handler(request, response)
    },
  }
}
