// Scopes and the bytes of a request → the answer given to it before; bounded by bytes, and forgotten after a minute.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export interface CachedAnswer {
  readonly body: Buffer
  readonly contentType: string
  readonly etag: string
}

export interface AnswerCache {
  get(key: string): CachedAnswer | undefined
  /** Keeps an answer, and returns it with its tag. */
  set(key: string, answer: { readonly body: Buffer; readonly contentType: string }): CachedAnswer
  clear(): void
  readonly bytes: number
}

export interface AnswerCacheOptions {
  readonly maxBytes?: number
  readonly maxAgeMs?: number
}

/** Functions such as pc_prayer_times_today follow the clock, so no answer is kept for longer than this. */
export const ANSWER_AGE_SECONDS = 60

const MEBIBYTE = 1024 * 1024
/** What an entry costs beside its bytes: its key, its tag and the table they stand in. */
const ENTRY_OVERHEAD = 400

export const answerKey = (scopeKey: string, accept: string, request: Uint8Array | string): string =>
  `${hash('sha256', request, 'base64')} ${accept} ${scopeKey}`

export const etagOf = (body: Uint8Array): string => `"${hash('sha256', body, 'base64url').slice(0, 27)}"`

export const createAnswerCache = ({
  maxBytes = 64 * MEBIBYTE,
  maxAgeMs = ANSWER_AGE_SECONDS * 1000,
}: AnswerCacheOptions = {}): AnswerCache => {
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 16),
    sizeCalculation: ({ body }, key) => body.byteLength + key.length + ENTRY_OVERHEAD,
    ttl: maxAgeMs,
  })
  return {
    get: key => answers.get(key),
    set: (key, { body, contentType }) => {
      const answer = { body, contentType, etag: etagOf(body) }
      answers.set(key, answer)
      return answer
    },
    clear: () => answers.clear(),
    get bytes() {
      return answers.calculatedSize
    },
  }
}
