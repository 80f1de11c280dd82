// Traced requests → OpenTelemetry spans, sent in batches over OTLP/HTTP. Never loaded unless an endpoint is configured.
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Context,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { OutboundRequest, OutboundSpan, TracedRequest, TracedStep, Tracer, TracingOptions } from './tracer.ts'

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/

const parentOf = (traceparent: string | undefined): Context => {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return trace.isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}

/** As seconds and nanoseconds: the library would correct the end of a span for the drift of clocks, but not its start. */
const timeOf = (at: number): [seconds: number, nanoseconds: number] => {
  const ms = performance.timeOrigin + at
  return [Math.floor(ms / 1000), Math.floor((ms % 1000) * 1_000_000)]
}

const addSteps = (tracer: OtelTracer, within: Context, steps: readonly TracedStep[]): void => {
  for (const { name, startedAt, endedAt, attributes, steps: inner } of steps) {
    const span = tracer.startSpan(
      name,
      { startTime: timeOf(startedAt), attributes: attributes as Record<string, string | number | string[]> },
      within,
    )
    addSteps(tracer, trace.setSpan(within, span), inner)
    span.end(timeOf(endedAt))
  }
}

const addRequest = (tracer: OtelTracer, request: TracedRequest): void => {
  const { method, route, status, startedAt, endedAt, requestId, traceparent, steps } = request
  const parent = parentOf(traceparent)
  const attributes = {
    'http.request.method': method,
    'http.response.status_code': status,
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(requestId === undefined ? {} : { 'minaret.request_id': requestId }),
  }
  const name = route === undefined ? method : `${method} ${route}`
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, startTime: timeOf(startedAt), attributes }, parent)
  if (!span.isRecording()) return
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  addSteps(tracer, trace.setSpan(parent, span), steps)
  span.end(timeOf(endedAt))
}

/** Neither host nor path: they may be somebody's, or a secret. */
const startOutbound = (tracer: OtelTracer, { method, purpose }: OutboundRequest): OutboundSpan => {
  const attributes = { 'http.request.method': method, 'minaret.purpose': purpose }
  const span = tracer.startSpan(`${method} ${purpose}`, { kind: SpanKind.CLIENT, attributes }, ROOT_CONTEXT)
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
    end: status => {
      if (status !== undefined) span.setAttribute('http.response.status_code', status)
      if (status === undefined || status >= 400) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

/** A client may ask not to be traced, but not to be traced more often than configured. */
const samplerOf = (ratio: number): ParentBasedSampler => {
  const share = new TraceIdRatioBasedSampler(ratio)
  return new ParentBasedSampler({ root: share, remoteParentSampled: share })
}

/** Spans wait at most this long; beyond 2,048 of them, the newest are dropped. */
const EVERY_MS = 1000
/** A collector that is away holds up neither requests nor, for longer than this, the end of the process. */
const SEND_MS = 3000

export const openTelemetry = ({ endpoint, headers, serviceName, ratio }: TracingOptions): Tracer => {
  const url = `${endpoint}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_MS })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: samplerOf(ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: EVERY_MS })],
  })
  const tracer = provider.getTracer('minaret')
  return {
    request: request => addRequest(tracer, request),
    outbound: request => startOutbound(tracer, request),
    close: () => Promise.race([provider.shutdown().catch(() => undefined), delay(SEND_MS, undefined, { ref: false })]),
  }
}
