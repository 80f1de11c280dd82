// Answered requests → histograms by method, route pattern and status, with OpenTelemetry's names.
// https://opentelemetry.io/docs/specs/semconv/http/http-metrics/#metric-httpserverrequestduration
import { type Family, histogramFamily, overflow } from './family.ts'
import { createHistogram, type Histogram } from './histogram.ts'

export interface Answered {
  readonly id: string | undefined
  readonly method: string | undefined
  /** The pattern of the route, never the path that was asked for; undefined if no route matched. */
  readonly route: string | undefined
  readonly status: number
  readonly ms: number
  /** As the client sent it. */
  readonly traceparent?: string | undefined
}

export interface RequestMeter {
  observe(answered: Answered): void
  family(): Family
}

/** Whatever else a client sends as its method becomes `_OTHER`. */
const methods = ['_OTHER', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'] as const
const methodNumbers: ReadonlyMap<string | undefined, number> = new Map(methods.map((name, index) => [name, index]))

const NAME = 'http_server_request_duration_seconds'
const MOST_SERIES = 1000
const STATUSES = 1000

/** Patterns are as many as there are routes, so the limit is only reached by a mistake of ours. */
export const createRequestMeter = (listener: 'main' | 'sandbox'): RequestMeter => {
  /** By route, then by method and status as one number: no text is put together for a request. */
  const routes = new Map<string | undefined, Map<number, Histogram>>()
  const rest = createHistogram()
  let opened = 0

  const open = (route: string | undefined, key: number): Histogram => {
    if (opened >= MOST_SERIES) return rest
    opened += 1
    const series = routes.get(route) ?? new Map<number, Histogram>()
    routes.set(route, series)
    const histogram = createHistogram()
    series.set(key, histogram)
    return histogram
  }

  const samplesOf = (route: string | undefined, key: number, histogram: Histogram) =>
    histogram.samples(NAME, {
      http_request_method: methods[Math.floor(key / STATUSES)] as string,
      ...(route === undefined ? {} : { http_route: route }),
      http_response_status_code: key % STATUSES,
      listener,
    })

  return {
    observe: ({ method, route, status, ms }) => {
      const key = (methodNumbers.get(method) ?? 0) * STATUSES + status
      const histogram = routes.get(route)?.get(key) ?? open(route, key)
      histogram.observe(ms / 1000)
    },
    family: () => {
      const values = [...routes].flatMap(([route, series]) =>
        [...series].flatMap(([key, histogram]) => samplesOf(route, key, histogram)),
      )
      if (opened >= MOST_SERIES) values.push(...rest.samples(NAME, { ...overflow, listener }))
      return histogramFamily({ name: NAME, help: 'Duration of HTTP server requests.' }, values)
    },
  }
}
