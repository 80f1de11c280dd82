// What a transport passes to the entrance, and what it gets back to send: the same for Node's server and plain connections.
import type { IncomingHttpHeaders } from 'node:http'
import type { Abandonment } from '../../db/reader-connection.ts'
import type { RequestNotes } from './request-notes.ts'

export type Body = { readonly kind: 'bytes'; readonly bytes: Buffer } | { readonly kind: 'too-large' }

export interface IncomingRequest {
  readonly id: string
  /** HEAD is a GET whose body the transport omits. */
  readonly method: 'GET' | 'POST'
  /** Path and query string, as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Undefined for GET. */
  readonly body: Body | undefined
  /** As reported by trusted proxies. */
  readonly clientAddress: () => string
  /** Called when the client disconnects before its response is finished. */
  readonly abandoned: Abandonment
  /** Where it is noted what was done, for a trace; undefined if there is none. */
  readonly notes?: RequestNotes | undefined
}

export interface OutgoingResponse {
  readonly status: number
  /** Alternating names and values, including the content length. */
  readonly headers: string[]
  readonly body: string | Buffer
  /** For text bodies: `latin1` if the body is pure ASCII, which is written with less copying. */
  readonly encoding: 'latin1' | 'utf8'
}

/** Rejects only if no response can be produced at all: the transport then drops the connection. */
export type Entrance = (request: IncomingRequest) => Promise<OutgoingResponse>
