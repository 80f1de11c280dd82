// A request and who makes it → the key of its answer.
import { hash } from 'node:crypto'
import type { Grant } from '../../access/grant.ts'
import type { MediaType } from '../entrance/media-type.ts'
import type { IncomingRequest } from '../entrance/transport.ts'

/** Longer requests are rare, and not worth hashing. */
const LONGEST_BODY = 16 * 1024

/** These change how a request is read, and are rare. */
const isUnusual = ({ headers }: IncomingRequest): boolean =>
  headers['idempotency-key'] !== undefined || headers['x-minaret-dry-run'] !== undefined

/** The raw bytes, so that a request whose answer is kept is never parsed; undefined if its answer is never kept. */
export const askedOf = (request: IncomingRequest): Uint8Array | string | undefined => {
  const { method, url, headers, body } = request
  if (isUnusual(request)) return undefined
  if (method === 'GET') return url
  if (headers['content-encoding'] !== undefined || body?.kind !== 'bytes') return undefined
  return body.bytes.length > 0 && body.bytes.length <= LONGEST_BODY ? body.bytes : undefined
}

export interface Asker {
  readonly request: IncomingRequest
  readonly grant: Grant
  readonly media: MediaType
}

/**
 * Answers are kept only if they are the same for everybody with the same scopes. The response also differs by method and path, and
 * for pages of other origins. Headers have no line breaks, so no two requests have the same key; the digest stands last.
 */
export const answerKey = (asked: Uint8Array | string, { request, grant, media }: Asker): string => {
  const { method, url, headers } = request
  const way = method === 'GET' ? 'GET' : `POST ${url}\n${headers['content-type'] ?? ''}`
  const origin = headers.origin === undefined ? '' : 'origin'
  return `${way}\n${media} ${origin}\n${grant.kind} ${grant.scopeKey}\n${hash('sha256', asked, 'base64')}`
}

/** Clients write an operation in many ways: a statement with its values is the same for all of them. */
export const sharedKey = (key: string, statement: string, parts: readonly unknown[]): string =>
  `${key.slice(0, key.lastIndexOf('\n'))}\n${statement} ${JSON.stringify(parts)}`
