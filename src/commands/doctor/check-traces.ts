// The collector of traces: whether it can be reached, and takes an export without spans.
import type { Config } from '../../config/config.ts'
import { type Finding, ok, warning } from './finding.ts'

const PATIENCE_MS = 5000

const AWAY =
  'Check OTEL_EXPORTER_OTLP_ENDPOINT and whether the collector runs. The service works without it; only spans are lost.'

const remedies: Readonly<Record<number, string>> = {
  401: 'Set OTEL_EXPORTER_OTLP_HEADERS to what the collector asks for.',
  403: 'Set OTEL_EXPORTER_OTLP_HEADERS to what the collector asks for.',
  404: 'Set OTEL_EXPORTER_OTLP_ENDPOINT to the address of the collector without /v1/traces, which is added.',
  415: 'Let the collector take OTLP over HTTP as JSON, or name one that does.',
}

/** The driver of `fetch` hides the reason in the cause. */
const reasonOf = (error: unknown): string => {
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string } }
  if (name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1000} seconds`
  return cause?.message || cause?.code || message
}

/** gRPC, on port 4317, answers HTTP with something that is not. */
const isGrpcPort = (url: string): boolean => new URL(url).port === '4317'

export const checkTraces = async ({ observability: { tracing } }: Config): Promise<Finding[]> => {
  if (tracing === undefined) return []
  const url = `${tracing.endpoint}/v1/traces`
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...tracing.headers },
      body: JSON.stringify({ resourceSpans: [] }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (status >= 200 && status < 300) return [ok('traces', `${tracing.endpoint} takes traces.`)]
    return [warning('traces', `${url} answers with status ${status}: spans are lost.`, remedies[status] ?? AWAY)]
  } catch (error) {
    const remedy = isGrpcPort(url) ? 'Port 4317 is for gRPC: name the port for HTTP, usually 4318.' : AWAY
    return [warning('traces', `${url} cannot be reached from here: ${reasonOf(error)}.`, remedy)]
  }
}
