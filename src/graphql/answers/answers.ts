// Answers in memory that are always true: each is sent again only after a check, sent when the request had arrived, found no change that
// concerns it. So it is what the database itself would have said; there is no age at which it expires.
import { LRUCache } from 'lru-cache'
import type { HttpResponse } from '../entrance/http-response.ts'
import type { AnswerSource } from '../sources/read-sources.ts'
import type { CachedPlan, Structure } from '../structure.ts'
import { createSightings } from './sightings.ts'
import { isStillTrue, type ReadAnswer } from './still-true.ts'

/** What the bytes of a request mean under a structure: clients write the same operation in many ways. */
interface KnownRequest {
  readonly structure: Structure
  /** Of its answer: the statement with its values, and whatever else the response depends on. */
  readonly answerKey: string
  readonly query: string
  readonly cached: CachedPlan
}

export interface KeptAnswer extends ReadAnswer {
  /** Without what is told to one client, such as its remaining allowance. */
  readonly response: HttpResponse
  readonly structure: Structure
  readonly rows: number
  /** When it was read, by `performance.now()`. */
  readonly readAt: number
}

/** It may no longer be true. */
export interface FoundAnswer {
  readonly request: KnownRequest
  readonly answer: KeptAnswer
}

/** Since the process started. */
interface AnswerCounts {
  /** Answered from memory. */
  hits: number
  /** Kept, but changed since, or not confirmed in time. */
  changed: number
  /** Not kept; most of them are asked for the first time. */
  misses: number
  /** Answers that were stored. */
  kept: number
}

export interface Answers {
  find(key: string, structure: Structure): FoundAnswer | undefined
  /** Whether it is true now, also for a client that has seen this position of the write-ahead log. */
  isTrue(answer: KeptAnswer, position: bigint | undefined): Promise<boolean>
  /** Whether the same request came before, so that its answer may be kept already, or is worth keeping. */
  isWanted(asked: Uint8Array | string, silently: boolean): boolean
  keep(key: string, request: KnownRequest, answer: KeptAnswer): void
  figures(): AnswerFigures
}

/** How well the memory serves, for those who watch the service. */
interface AnswerFigures extends Readonly<AnswerCounts> {
  readonly answers: number
  /** What is kept, as it is measured against the limit. */
  readonly bytes: number
  readonly maxBytes: number
}

/** Room for compressed copies, made when requested: each takes about a fifth of the length. */
export const PACKED_SHARE = 1.5
/** What an entry costs besides its bytes: its headers and its place in the table. */
export const ENTRY_OVERHEAD = 1500
const REQUEST_OVERHEAD = 500
/** The id of a masjid whose rows an answer shows. */
const MASJID_BYTES = 60
/** The share of memory for what requests mean. */
const REQUESTS_SHARE = 0.25

export const bytesOfSources = (sources: readonly AnswerSource[]): number =>
  sources.reduce((sum, { masjids }) => sum + (masjids?.length ?? 0) * MASJID_BYTES, 0)

export const createAnswers = (maxBytes: number): Answers => {
  const requests = new LRUCache<string, KnownRequest>({
    maxSize: Math.ceil(maxBytes * REQUESTS_SHARE),
    sizeCalculation: ({ query, answerKey }, key) => key.length + query.length + answerKey.length + REQUEST_OVERHEAD,
  })
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: Math.ceil(maxBytes * (1 - REQUESTS_SHARE)),
    maxEntrySize: Math.ceil(maxBytes / 16),
    sizeCalculation: ({ response, sources }, key) =>
      Math.ceil(response.bytes * PACKED_SHARE) + bytesOfSources(sources) + key.length + ENTRY_OVERHEAD,
  })
  const sightings = createSightings()
  const counts: AnswerCounts = { hits: 0, changed: 0, misses: 0, kept: 0 }

  const find = (key: string, structure: Structure): FoundAnswer | undefined => {
    const request = requests.get(key)
    if (request?.structure !== structure) return undefined
    const answer = kept.get(request.answerKey)
    return answer?.structure === structure ? { request, answer } : undefined
  }

  return {
    find: (key, structure) => {
      const found = find(key, structure)
      if (found === undefined) counts.misses += 1
      return found
    },
    isTrue: async (answer, position) => {
      const is = await isStillTrue(answer, position)
      counts[is ? 'hits' : 'changed'] += 1
      return is
    },
    isWanted: (asked, silently) => {
      const is = silently ? sightings.has(asked) : sightings.note(asked)
      if (!is) counts.misses += 1
      return is
    },
    keep: (key, request, answer) => {
      counts.kept += 1
      requests.set(key, request)
      kept.set(request.answerKey, answer)
    },
    figures: () => ({
      ...counts,
      answers: kept.size,
      bytes: requests.calculatedSize + kept.calculatedSize,
      maxBytes,
    }),
  }
}
