// What happened, told when it is over → spans. The rest of the code knows only this; the library is loaded where traces are configured.

/** Times are by `performance.now()`. */
export interface TracedStep {
  readonly name: string
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, string | number | readonly string[]>>
  readonly steps: readonly TracedStep[]
}

export interface TracedRequest {
  readonly method: string
  /** The pattern of the route; undefined if none matched. */
  readonly route: string | undefined
  readonly status: number
  readonly startedAt: number
  readonly endedAt: number
  readonly requestId: string | undefined
  /** W3C Trace Context, as the client sent it. */
  readonly traceparent: string | undefined
  readonly steps: readonly TracedStep[]
}

/** A request of our own to somebody else's server. */
export interface OutboundRequest {
  readonly method: string
  /** What for, in a word: `webhook`. */
  readonly purpose: string
}

export interface OutboundSpan {
  /** W3C Trace Context, to be sent with it. */
  readonly traceparent: string
  /** Undefined: there was no response. */
  end(status: number | undefined): void
}

export type TraceOutbound = (request: OutboundRequest) => OutboundSpan

export interface Tracer {
  request(request: TracedRequest): void
  /** A trace of its own: jobs send these, and no request waits for them. */
  readonly outbound: TraceOutbound
  /** Sends what is left. */
  close(): Promise<void>
}

export interface TracingOptions {
  /** Of the collector; `/v1/traces` is added. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** The share of traces that is kept. */
  readonly ratio: number
}
