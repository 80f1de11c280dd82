// The settings of those who watch the service: metrics, logs, traces.
import { httpAddress, ownHost } from './address-readers.ts'
import { headerList, onOff, share, text, wholeNumber } from './readers.ts'
import { setting } from './setting.ts'

export const observabilitySettings = {
  observability: {
    metricsPort: setting({
      name: 'METRICS_PORT',
      fallback: undefined,
      shown: 'none: no metrics',
      read: wholeNumber(0, 65535),
      meaning:
        'The port of `GET /metrics` for Prometheus, summed over `WORKERS`; 0 picks a free one. It is a listener of its own, without a credential: keep it inside.',
    }),
    metricsHost: setting({
      name: 'METRICS_HOST',
      fallback: '127.0.0.1',
      shown: '127.0.0.1',
      read: ownHost,
      meaning: 'The address that the listener of metrics binds.',
    }),
    accessLog: setting({
      name: 'ACCESS_LOG',
      fallback: false,
      shown: 'off',
      read: onOff,
      meaning:
        'Whether every request is logged, as one JSON line with method, route pattern, status, duration and request id; never with the path, the query string, an address or a credential.',
    }),
    serverTiming: setting({
      name: 'SERVER_TIMING',
      fallback: false,
      shown: 'off',
      read: onOff,
      meaning:
        'Whether responses of GraphQL have `Server-Timing`: total, database, queue. If off, only those who send `X-Minaret-Explain: 1` get it.',
    }),
    slowStatementMs: setting({
      name: 'SLOW_STATEMENT_MS',
      fallback: undefined,
      shown: 'none: not logged',
      read: wholeNumber(0, 600000),
      meaning:
        'GraphQL reads whose statement runs for at least this long are logged, with the hash of the document, its cost and, from PostgreSQL 16 on, the plan; never with a value.',
    }),
    tracing: {
      endpoint: setting({
        name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
        fallback: undefined,
        shown: 'none: no traces',
        read: httpAddress,
        meaning: 'The collector that gets OpenTelemetry traces by OTLP over HTTP, for example http://127.0.0.1:4318.',
      }),
      headers: setting({
        name: 'OTEL_EXPORTER_OTLP_HEADERS',
        fallback: {},
        shown: 'none',
        secret: true,
        read: headerList,
        meaning: 'Headers for the collector, such as `api-key=…`, separated by commas.',
      }),
      serviceName: setting({
        name: 'OTEL_SERVICE_NAME',
        fallback: 'minaret',
        shown: 'minaret',
        read: text,
        meaning: 'The name of the service in traces.',
      }),
      ratio: setting({
        name: 'OTEL_TRACES_SAMPLER_ARG',
        fallback: 1,
        shown: '1',
        read: share,
        meaning:
          'The share of requests that is traced, from 0 to 1. A `traceparent` that says "not sampled" is respected; one that says "sampled" does not exceed this share.',
      }),
    },
  },
}
