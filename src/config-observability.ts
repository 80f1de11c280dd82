// The settings of those who watch the service: metrics, logs, traces.
import { type Declaration, headerList, httpAddress, onOff, share, text, wholeNumber } from './config-readers.ts'
import type { TracingOptions } from './tracing/tracer.ts'

export const observabilityDeclarations: readonly Declaration[] = [
  {
    name: 'METRICS_PORT',
    fallback: undefined,
    shown: 'none: no metrics',
    read: wholeNumber(0, 65535),
    meaning:
      'The port of `GET /metrics` for Prometheus, summed over `WORKERS`; 0 picks a free one. It is a listener of its own, without a credential: keep it inside.',
  },
  {
    name: 'METRICS_HOST',
    fallback: '127.0.0.1',
    shown: '127.0.0.1',
    read: text,
    meaning: 'The address that the listener of metrics binds.',
  },
  {
    name: 'ACCESS_LOG',
    fallback: false,
    shown: 'off',
    read: onOff,
    meaning:
      'Whether every request is logged, as one JSON line with method, route pattern, status, duration and request id; never with the path, the query string, an address or a credential.',
  },
  {
    name: 'SERVER_TIMING',
    fallback: false,
    shown: 'off',
    read: onOff,
    meaning:
      'Whether responses of GraphQL have `Server-Timing`: total, database, queue. If off, only those who send `X-Minaret-Explain: 1` get it.',
  },
  {
    name: 'SLOW_STATEMENT_MS',
    fallback: undefined,
    shown: 'none: not logged',
    read: wholeNumber(0, 600000),
    meaning:
      'GraphQL reads whose statement runs for at least this long are logged, with the hash of the document, its cost and, from PostgreSQL 16 on, the plan; never with a value.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: undefined,
    shown: 'none: no traces',
    read: httpAddress,
    meaning: 'The collector that gets OpenTelemetry traces by OTLP over HTTP, for example http://127.0.0.1:4318.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    fallback: {},
    shown: 'none',
    secret: true,
    read: headerList,
    meaning: 'Headers for the collector, such as `api-key=…`, separated by commas.',
  },
  {
    name: 'OTEL_SERVICE_NAME',
    fallback: 'minaret',
    shown: 'minaret',
    read: text,
    meaning: 'The name of the service in traces.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: 1,
    shown: '1',
    read: share,
    meaning:
      'The share of requests that is traced, from 0 to 1. A `traceparent` that says "not sampled" is respected; one that says "sampled" does not exceed this share.',
  },
]

export interface Observability {
  /** Unset: requests are not counted. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly accessLog: boolean
  readonly serverTiming: boolean
  /** Unset: slow statements are not logged. */
  readonly slowStatementMs: number | undefined
  /** Unset: no traces. */
  readonly tracing: TracingOptions | undefined
}

const tracingOf = (values: Readonly<Record<string, unknown>>): TracingOptions | undefined => {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT as string | undefined
  if (endpoint === undefined) return undefined
  return {
    endpoint,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS as Readonly<Record<string, string>>,
    serviceName: values.OTEL_SERVICE_NAME as string,
    ratio: values.OTEL_TRACES_SAMPLER_ARG as number,
  }
}

export const observabilityOf = (values: Readonly<Record<string, unknown>>): Observability => ({
  metricsPort: values.METRICS_PORT as number | undefined,
  metricsHost: values.METRICS_HOST as string,
  accessLog: values.ACCESS_LOG as boolean,
  serverTiming: values.SERVER_TIMING as boolean,
  slowStatementMs: values.SLOW_STATEMENT_MS as number | undefined,
  tracing: tracingOf(values),
})
