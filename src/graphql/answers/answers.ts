// Answers in memory that are always true: each is sent again only after a check, sent when the request had arrived, found no change of
// its tables. So it is what the database itself would have said; there is no age at which it expires.
import { LRUCache } from 'lru-cache'
import type { CheckPoint } from '../../db/changes/change-checker.ts'
import type { HttpResponse } from '../entrance/http-response.ts'
import type { CachedPlan, Structure } from '../structure.ts'
import { shortKey } from './answer-key.ts'

export interface KeptAnswer {
  /** Without what is told to one client, such as its remaining allowance. */
  readonly response: HttpResponse
  readonly cached: CachedPlan
  /** The document, and the number of rows in the answer: for the app's statistics. */
  readonly query: string
  readonly rows: number
  readonly structure: Structure
  /** When it was read, by `performance.now()`. */
  readonly readAt: number
  /** Before it was read. */
  readonly point: CheckPoint
  /** The number of the last check that found it true. */
  check: number
}

/** Since the process started. */
interface AnswerCounts {
  hits: number
  /** Kept, but changed since. */
  changed: number
  /** Not kept. */
  misses: number
  kept: number
}

export interface Answers {
  /** What is kept for a request under this structure; it may no longer be true. */
  find(key: string, structure: Structure): KeptAnswer | undefined
  /** Whether it is true now, also for a client that has seen this position of the write-ahead log. */
  isTrue(answer: KeptAnswer, position: bigint | undefined): Promise<boolean>
  /** Whether it is worth keeping the answer: not the first time. */
  isWanted(key: string): boolean
  keep(key: string, answer: KeptAnswer): void
  readonly counts: Readonly<AnswerCounts>
  readonly bytes: number
}

/** Room for compressed copies, made when requested: each takes about a fifth of the length. */
const PACKED_SHARE = 1.5
/** What an entry costs besides its bytes: its key, its headers and its place in the table. */
const ENTRY_OVERHEAD = 1500
const MOST_SEEN = 20_000

const isUnchanged = ({ cached: { sources }, point, check }: KeptAnswer): boolean => {
  const { lastMark, marks } = point.epoch
  if (lastMark <= check) return true
  return sources?.every(table => (marks.get(table) ?? 0) <= check) === true
}

export const createAnswers = (maxBytes: number): Answers => {
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 16),
    sizeCalculation: ({ response, query }, key) =>
      Math.ceil(response.bytes * PACKED_SHARE) + key.length + query.length + ENTRY_OVERHEAD,
  })
  const seen = new LRUCache<string, true>({ max: MOST_SEEN })
  const counts: AnswerCounts = { hits: 0, changed: 0, misses: 0, kept: 0 }

  const isTrue = async (answer: KeptAnswer, position = 0n): Promise<boolean> => {
    const { checker, epoch } = answer.point
    if (checker.epoch !== epoch || !checker.hasReached(position)) return false
    const checked = await checker.check()
    if (checked !== epoch || !checker.hasReached(position) || !isUnchanged(answer)) return false
    answer.check = epoch.check
    return true
  }

  return {
    find: (key, structure) => {
      const answer = kept.get(key)
      if (answer?.structure === structure) return answer
      counts.misses += 1
      return undefined
    },
    isTrue: async (answer, position) => {
      const is = await isTrue(answer, position)
      counts[is ? 'hits' : 'changed'] += 1
      return is
    },
    isWanted: key => {
      // A false match only keeps something one time too early.
      const short = shortKey(key)
      if (seen.has(short)) return true
      seen.set(short, true)
      return false
    },
    keep: (key, answer) => {
      counts.kept += 1
      kept.set(key, answer)
    },
    counts,
    get bytes() {
      return kept.calculatedSize
    },
  }
}
