// Scopes and the bytes of a request → its cached response; limited in bytes, dropped after a minute.
// The lookup uses the raw bytes, so that a cached request is never parsed.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { compact, type HttpResponse } from '../graphql/entrance/http-response.ts'
import { RESPONSE_AGE_SECONDS, type ResponseCache } from '../graphql/entrance/response-cache.ts'
import type { IncomingRequest } from '../graphql/entrance/transport.ts'

export interface SandboxResponses extends ResponseCache {
  clear(): void
  readonly bytes: number
}

export interface ResponseCacheOptions {
  /** Of the schema that responses are built from. */
  readonly version: () => string
  readonly maxBytes?: number
  readonly maxAgeMs?: number
}

const MEBIBYTE = 1024 * 1024
/** Room for compressed copies, stored when requested: each takes about a fifth of the length. */
const PACKED_SHARE = 1.5
/** What an entry costs besides its bytes: its key, its headers and its place in the table. */
const ENTRY_OVERHEAD = 1500
/** Longer requests are rare, and not worth hashing. */
const LONGEST_BODY = 16 * 1024

/** What identifies a request: the body of a POST, or the URL of a GET. */
const askedOf = ({ method, url, headers, body }: IncomingRequest): Uint8Array | string | undefined => {
  if (headers['x-minaret-explain'] !== undefined) return undefined
  if (method === 'GET') return url
  if (headers['content-type']?.startsWith('application/json') !== true) return undefined
  if (headers['content-encoding'] !== undefined || body?.kind !== 'bytes') return undefined
  return body.bytes.length > 0 && body.bytes.length <= LONGEST_BODY ? body.bytes : undefined
}

export const createSandboxResponses = ({
  version,
  maxBytes = 64 * MEBIBYTE,
  maxAgeMs = RESPONSE_AGE_SECONDS * 1000,
}: ResponseCacheOptions): SandboxResponses => {
  const responses = new LRUCache<string, HttpResponse>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 16),
    sizeCalculation: ({ bytes }, key) => Math.ceil(bytes * PACKED_SHARE) + key.length + ENTRY_OVERHEAD,
    ttl: maxAgeMs,
  })
  return {
    keyOf: (request, { scopeKey }) => {
      const asked = askedOf(request)
      if (asked === undefined) return undefined
      return `${hash('sha256', asked, 'base64')}\n${version()}\n${request.headers.accept ?? ''}\n${scopeKey}`
    },
    get: key => responses.get(key),
    set: (key, response) => void responses.set(key, compact(response)),
    clear: () => responses.clear(),
    get bytes() {
      return responses.calculatedSize
    },
  }
}
