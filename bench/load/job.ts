// The load generator's jobs and results: plain data passed between two processes.

/** Where the next request comes from. */
export type Source =
  /** Any of them, chosen by a seeded random generator. */
  | { readonly kind: 'random'; readonly requests: readonly string[] }
  /** One after the other, starting over at the end. */
  | { readonly kind: 'rotation'; readonly requests: readonly string[] }
  /** Each one once: codes, tokens to revoke. The job ends when they run out. */
  | { readonly kind: 'once'; readonly requests: readonly string[] }
  /** Each request has a unique number in place of NUMBER_MARK. */
  | { readonly kind: 'numbered'; readonly request: string; readonly from: number }
  /** Each connection sends the token of its last response: refresh tokens. */
  | {
      readonly kind: 'chain'
      readonly before: string
      readonly after: string
      readonly field: string
      readonly first: readonly string[]
    }

/** Ten digits, so that every number gives a request of the same length. */
export const NUMBER_MARK = '##########'

export interface Job {
  readonly host: string
  readonly port: number
  readonly connections: number
  readonly source: Source
  /** The job ends after this time or this many requests, whichever comes first. */
  readonly milliseconds: number
  readonly most: number
  /** A response with another status or another start of the body counts as an error. */
  readonly status: number
  readonly bodyStart: string
  /** A field to collect from the JSON responses. */
  readonly collect: string | undefined
}

export interface Outcome {
  readonly requests: number
  readonly seconds: number
  readonly faults: number
  readonly firstFault: string | undefined
  readonly p50: number
  readonly p99: number
  readonly bytes: number
  /** CPU seconds of the load generator itself. */
  readonly generatorCpu: number
  /** The last token of each chain, or the collected fields. */
  readonly collected: readonly string[]
}
