// What the load generator is asked to do, and what it reports: plain data that crosses between two processes.

/** Where the next request comes from. */
export type Source =
  /** Any of them, by a seeded choice. */
  | { readonly kind: 'random'; readonly requests: readonly string[] }
  /** One after the other, and round again. */
  | { readonly kind: 'rotation'; readonly requests: readonly string[] }
  /** Each of them once: codes, tokens to revoke. The job ends when they run out. */
  | { readonly kind: 'once'; readonly requests: readonly string[] }
  /** Each request carries a number of its own in place of NUMBER_MARK. */
  | { readonly kind: 'numbered'; readonly request: string; readonly from: number }
  /** Each connection sends on what the last answer gave it: a refresh token. */
  | {
      readonly kind: 'chain'
      readonly before: string
      readonly after: string
      readonly field: string
      readonly first: readonly string[]
    }

/** Ten digits wide, so that the length of a request is the same for every number. */
export const NUMBER_MARK = '##########'

export interface Job {
  readonly host: string
  readonly port: number
  readonly connections: number
  readonly source: Source
  /** The job ends after this time, or this many requests, whichever comes first. */
  readonly milliseconds: number
  readonly most: number
  /** Anything else than this status and this beginning of the body counts as a fault. */
  readonly status: number
  readonly bodyStart: string
  /** A field of the JSON answers to bring back. */
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
