// Scopes and the bytes of a request → the answer given to it before; bounded by bytes, and forgotten after a minute.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export interface KnownAnswer {
  /** A short body stays text: it then leaves together with the headers, in one write. */
  readonly body: string | Buffer
  readonly bytes: number
  readonly etag: string
  /** Names and values in turn, ready to be written. */
  readonly headers: readonly string[]
}

export interface AnswerCache {
  get(key: string): KnownAnswer | undefined
  set(key: string, answer: KnownAnswer): void
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
/** Answers are kept packed as well, where somebody asked for that: some fifth of their length each. */
const PACKED_SHARE = 1.5
/** What an entry costs beside its bytes: its key, its headers and the table they stand in. */
const ENTRY_OVERHEAD = 1500

export interface Asked {
  /** Changes with the structure of the database. */
  readonly version: string
  readonly scopeKey: string
  readonly accept: string
  /** The body of a POST, or the address of a GET. */
  readonly request: Uint8Array | string
}

const LONGEST_TEXT = 16 * 1024

export const knownAnswer = (body: string, etag: string, headers: readonly string[]): KnownAnswer => {
  const bytes = Buffer.byteLength(body)
  return { body: bytes > LONGEST_TEXT ? Buffer.from(body) : body, bytes, etag, headers }
}

export const answerKey = ({ version, scopeKey, accept, request }: Asked): string =>
  `${hash('sha256', request, 'base64')}\n${version}\n${accept}\n${scopeKey}`

export const createAnswerCache = ({
  maxBytes = 64 * MEBIBYTE,
  maxAgeMs = ANSWER_AGE_SECONDS * 1000,
}: AnswerCacheOptions = {}): AnswerCache => {
  const answers = new LRUCache<string, KnownAnswer>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 16),
    sizeCalculation: ({ bytes }, key) => Math.ceil(bytes * PACKED_SHARE) + key.length + ENTRY_OVERHEAD,
    ttl: maxAgeMs,
  })
  return {
    get: key => answers.get(key),
    set: (key, answer) => void answers.set(key, answer),
    clear: () => answers.clear(),
    get bytes() {
      return answers.calculatedSize
    },
  }
}
