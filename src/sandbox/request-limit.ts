// A network address → what it may still ask of the sandbox in this minute: a point for each request, and more for costly ones.
import { type Counting, tooMany } from '../base/limit.ts'

/** Small ones; a costly one counts as several. */
export const REQUESTS_PER_MINUTE = 1200
/** A request may read so many rows for the one point that each request costs. */
export const ROWS_PER_POINT = 500

export interface RequestLimit {
  /** @throws {Fault} `too_many_requests` */
  take(network: string, points?: number): void
}

const none: RequestLimit = { take: () => undefined }

/** @param counting undefined where limits are switched off */
export const createRequestLimit = (counting: Counting | undefined): RequestLimit => {
  if (counting === undefined) return none
  const budget = counting('sandboxPerAddress', { tries: REQUESTS_PER_MINUTE, seconds: 60 })
  return {
    take: (network, points = 1) => {
      if (points === 0 || budget.spend(network, points)) return
      const now = budget.standing(network)
      throw tooMany(
        `Your address has used up what the sandbox gives it: ${REQUESTS_PER_MINUTE} requests a minute, where every ${ROWS_PER_POINT} rows that a request may read count as one more. Try again in ${now.seconds} seconds, or lower \`limit\`.`,
        now,
      )
    },
  }
}
