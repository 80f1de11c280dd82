// The headers of a request → its id: that which a trusted proxy gave it, or a new one. Responses, log lines, faults and the
// audit trail of written rows have it.
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { redactText } from '../../base/log.ts'

/**
 * What proxies write: UUIDs, digits of any kind, parts with separators. Nothing that a header, a log line or a table
 * would have to quote.
 */
const plain = /^\w[\w.:/+=#-]{0,127}$/

/** The log redacts what looks like a credential: an id must be the same everywhere. */
const isId = (text: string): boolean => plain.test(text) && redactText(text) === text

/** @param isTrusted whether the peer may give ids; asked only if there is one */
export const requestId = ({ 'x-request-id': given }: IncomingHttpHeaders, isTrusted: () => boolean): string =>
  typeof given === 'string' && isTrusted() && isId(given) ? given : randomUUID()
