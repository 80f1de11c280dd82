// Handled requests → what is counted and logged about each, once its response has ended.
import type { IncomingMessage } from 'node:http'
import type { Observe } from '../metrics/watching.ts'
import type { Handler } from './handler.ts'
import { streamedResponses } from './live/streamed-responses.ts'
import type { Proxies } from './proxies/proxies.ts'

export interface RequestObserver {
  /** Called by whoever finds the route. */
  note(request: IncomingMessage, route: string | undefined): void
  around(handler: Handler): Handler
}

export interface ObserverOptions {
  readonly observe: Observe
  readonly proxies: Proxies
  /** Those that are handled ahead of the routes. */
  readonly frontPaths: readonly string[]
}

/** The client disconnected before there was a response; nginx uses the same number. */
const ABANDONED = 499

export const observeRequests = ({ observe, proxies, frontPaths }: ObserverOptions): RequestObserver => {
  const routes = new WeakMap<IncomingMessage, string>()
  const frontPathOf = (url: string | undefined): string | undefined =>
    frontPaths.find(path => url === path || url?.startsWith(`${path}?`) === true)

  return {
    note: (request, route) => {
      if (route !== undefined) routes.set(request, route)
    },
    around: handler => (request, response) => {
      const started = performance.now()
      response.once('close', () => {
        if (streamedResponses.has(response)) return
        const { method, url, headers } = request
        const route = routes.get(request) ?? frontPathOf(url)
        const status = response.headersSent ? response.statusCode : ABANDONED
        const traceparent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined
        const id = proxies.requestId(request)
        observe({ id, method, route, status, ms: performance.now() - started, traceparent })
      })
      handler(request, response)
    },
  }
}
