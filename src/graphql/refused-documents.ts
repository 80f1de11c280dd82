// Refused documents → the reason, so that repeating one costs no second check. Bounded in bytes, and separate from the
// cache of valid documents: a stream of invalid ones evicts only invalid ones.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { KnownRefusal, refusalOf } from './errors.ts'

export interface RefusedDocuments {
  /** Does the work, unless it was refused before. @throws {KnownRefusal} or whatever the work throws. */
  unlessRefused<T>(asked: RefusedKey, work: () => T): T
  readonly bytes: number
}

export interface RefusedKey {
  /** A refusal for one set of scopes says nothing about another. */
  readonly scopeKey: string
  readonly stage: 'document' | 'plan'
  readonly text: string
}

const MEBIBYTE = 1024 * 1024
/** Longer keys are hashed: for a large document only the refusal is cached, not the text. */
const LONGEST_KEY = 200
/** The size of an entry beside its key and its errors. */
const ENTRY_OVERHEAD = 800

const keyOf = ({ scopeKey, stage, text }: RefusedKey): string =>
  `${scopeKey}\n${stage}\n${text.length > LONGEST_KEY ? `${text.length} ${hash('sha256', text, 'base64')}` : `= ${text}`}`

const bytesOf = ({ refusal }: KnownRefusal, key: string): number =>
  2 * (JSON.stringify(refusal.errors).length + key.length) + ENTRY_OVERHEAD

export const createRefusedDocuments = (maxBytes = 4 * MEBIBYTE): RefusedDocuments => {
  const refused = new LRUCache<string, KnownRefusal>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 64),
    sizeCalculation: bytesOf,
  })
  return {
    unlessRefused: (asked, work) => {
      const key = keyOf(asked)
      const known = refused.get(key)
      if (known !== undefined) throw known
      try {
        return work()
      } catch (error) {
        const refusal = refusalOf(error)
        // Only the rendered errors: a GraphQLError retains the whole tree of its document.
        if (refusal?.isDocument === true) refused.set(key, new KnownRefusal(refusal))
        throw error
      }
    },
    get bytes() {
      return refused.calculatedSize
    },
  }
}
