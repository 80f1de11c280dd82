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

export interface Tracer {
  request(request: TracedRequest): void
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
