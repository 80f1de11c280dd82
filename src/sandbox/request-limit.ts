// A network address → its remaining budget in the sandbox this minute: one point per request, more for costly ones.
import { type Counting, tooMany } from '../base/limit.ts'

/** Small requests; a costly one counts as several. */
export const REQUESTS_PER_MINUTE = 1200
/** How many rows a request may read for its one point. */
export const ROWS_PER_POINT = 500

export interface RequestLimit {
  /** @throws {Fault} `too_many_requests` */
  take(network: string, points?: number): void
}

const none: RequestLimit = { take: () => undefined }

/** @param counting undefined if limits are switched off */
export const createRequestLimit = (counting: Counting | undefined): RequestLimit => {
  if (counting === undefined) return none
  const budget = counting('sandboxPerAddress', { tries: REQUESTS_PER_MINUTE, seconds: 60 })
  return {
    take: (network, points = 1) => {
      if (points === 0 || budget.spend(network, points)) return
      const now = budget.standing(network)
      throw tooMany(
        `Your address has used up its sandbox limit of ${REQUESTS_PER_MINUTE} requests a minute. Every ${ROWS_PER_POINT} rows that a request may read count as one more request. Try again in ${now.seconds} seconds, or lower \`limit\`.`,
        now,
      )
    },
  }
}
