// Documents that were refused → why, so that a client which repeats one costs no second look at it. Bounded in bytes, and
// apart from the documents that are answered: a stream of nonsense pushes out nothing but nonsense.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { KnownRefusal, refusalOf } from './errors.ts'

export interface RefusedDocuments {
  /** Does the work, unless it was refused before. @throws {KnownRefusal} or whatever the work throws. */
  unlessRefused<T>(asked: RefusedKey, work: () => T): T
  readonly bytes: number
}

export interface RefusedKey {
  /** What is refused to one set of scopes says nothing about another. */
  readonly scopeKey: string
  readonly stage: 'document' | 'plan'
  readonly text: string
}

const MEBIBYTE = 1024 * 1024
/** Longer keys are hashed: what is remembered of a large document is its refusal, not its text. */
const LONGEST_KEY = 200
/** What an entry takes beside its key and its errors. */
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
        // The rendered errors alone: a GraphQLError holds on to the whole tree of its document.
        if (refusal?.isDocument === true) refused.set(key, new KnownRefusal(refusal))
        throw error
      }
    },
    get bytes() {
      return refused.calculatedSize
    },
  }
}
