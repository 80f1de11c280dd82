// How long one statement waited and ran, as the reader fills it in. Times are by `performance.now()`.

export interface StatementTiming {
  submittedAt: number
  endedAt: number
  /** In the database, all attempts together. */
  ranMs: number
}

/** In queues, or behind others on its connection. */
export const waitedMs = ({ submittedAt, endedAt, ranMs }: StatementTiming): number =>
  Math.max(0, endedAt - submittedAt - ranMs)
