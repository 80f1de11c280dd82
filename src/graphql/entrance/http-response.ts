// Status, body and what is known about them → a response, before it is adapted to what one client accepts or already has.
import { entityTag } from '../../base/entity-tag.ts'
import type { Encoding } from './compression.ts'
import { crossOriginHeaders } from './cross-origin.ts'
import type { MediaType } from './media-type.ts'
import type { IncomingRequest } from './transport.ts'
import type { WrittenOutcomes } from './write-outcomes.ts'

export interface HttpResponse {
  readonly status: number
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: string | Buffer
  readonly bytes: number
  /** Undefined for a response that must not be cached. */
  readonly etag: string | undefined
  /** Compressed copies, if the response is kept and sent again. */
  readonly packs?: Map<Encoding, Promise<Buffer>>
}

/** A short body stays a string, so that it is sent together with the headers in one write. */
const LONGEST_TEXT = 16 * 1024

/** A response to be kept. */
export const compact = (response: HttpResponse): HttpResponse => ({
  ...response,
  body: typeof response.body === 'string' && response.bytes > LONGEST_TEXT ? Buffer.from(response.body) : response.body,
  packs: new Map(),
})

/** How long a response may be cached, and by whom. */
export type Freshness =
  | 'no-store'
  | `${'public' | 'private'}, max-age=${number}`
  | `public, max-age=${number}, s-maxage=${number}`

const VARY = 'accept, authorization'

/** Only pages need the cross-origin headers; but a cached response may be served to a page later. */
export const composeResponse = (
  request: IncomingRequest,
  { status, headers: own, body }: WrittenOutcomes,
  { media, freshness }: { readonly media: MediaType; readonly freshness: Freshness },
): HttpResponse => {
  const mayBeKept = freshness !== 'no-store'
  const etag = mayBeKept ? entityTag(body) : undefined
  const headers = ['content-type', `${media}; charset=utf-8`]
  for (const name in own) headers.push(name, own[name] as string)
  if (mayBeKept || request.headers.origin !== undefined) headers.push(...crossOriginHeaders)
  if (mayBeKept) headers.push('vary', VARY)
  headers.push('cache-control', freshness)
  if (etag !== undefined) headers.push('etag', etag)
  return { status, headers, body, bytes: Buffer.byteLength(body), etag }
}
