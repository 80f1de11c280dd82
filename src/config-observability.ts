// The settings of those who watch the service: metrics, logs, traces.
import { type Declaration, onOff, text, wholeNumber } from './config-readers.ts'

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
]

export interface Observability {
  /** Unset: requests are not counted. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly accessLog: boolean
}

export const observabilityOf = (values: Readonly<Record<string, unknown>>): Observability => ({
  metricsPort: values.METRICS_PORT as number | undefined,
  metricsHost: values.METRICS_HOST as string,
  accessLog: values.ACCESS_LOG as boolean,
})
