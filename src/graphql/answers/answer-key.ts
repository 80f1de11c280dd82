// A request and who makes it → the key of its answer; undefined if the answer is never kept.
import { hash } from 'node:crypto'
import type { Grant } from '../../access/grant.ts'
import type { MediaType } from '../entrance/media-type.ts'
import type { IncomingRequest } from '../entrance/transport.ts'

/** Longer requests are rare, and not worth hashing. */
const LONGEST_BODY = 16 * 1024

/** The raw bytes, so that a request whose answer is kept is never parsed. */
const askedOf = ({ method, url, headers, body }: IncomingRequest): Uint8Array | string | undefined => {
  if (method === 'GET') return url
  if (headers['content-encoding'] !== undefined || body?.kind !== 'bytes') return undefined
  return body.bytes.length > 0 && body.bytes.length <= LONGEST_BODY ? body.bytes : undefined
}

/** These change how a request is read, and are rare. */
const isUnusual = ({ headers }: IncomingRequest): boolean =>
  headers['idempotency-key'] !== undefined || headers['x-minaret-dry-run'] !== undefined

/**
 * Answers are kept only if they are the same for everybody with the same scopes. The response also differs by method and path, and
 * for pages of other origins. Headers have no line breaks, so no two requests have the same key; the digest stands last.
 */
export const answerKey = (request: IncomingRequest, grant: Grant, media: MediaType): string | undefined => {
  const asked = isUnusual(request) ? undefined : askedOf(request)
  if (asked === undefined) return undefined
  const { method, url, headers } = request
  const way = method === 'GET' ? 'GET' : `POST ${url}\n${headers['content-type'] ?? ''}`
  const origin = headers.origin === undefined ? '' : 'origin'
  return `${way}\n${media} ${origin}\n${grant.kind} ${grant.scopeKey}\n${hash('sha256', asked, 'base64')}`
}

/** Clients write an operation in many ways: a statement with its values is the same for all of them. */
export const sharedKey = (key: string, statement: string, parts: readonly unknown[]): string =>
  `${key.slice(0, key.lastIndexOf('\n'))}\n${statement} ${JSON.stringify(parts)}`

/** The end of a key: two requests that share it are almost certainly the same. */
export const shortKey = (key: string): string => key.slice(-24)
