// What a transport hands to the entrance, and what it gets back to send: the same for Node's server and plain connections.
import type { IncomingHttpHeaders } from 'node:http'
import type { Abandonment } from '../../db/reader-connection.ts'

export type Body = { readonly kind: 'bytes'; readonly bytes: Buffer } | { readonly kind: 'too-large' }

export interface IncomingRequest {
  readonly id: string
  /** HEAD is a GET whose body the transport leaves out. */
  readonly method: 'GET' | 'POST'
  /** Path and query string, as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Undefined for GET. */
  readonly body: Body | undefined
  /** As far as proxies that we trust vouch for it. */
  readonly clientAddress: () => string
  /** Told when the client goes away before its response is finished. */
  readonly abandoned: Abandonment
}

export interface OutgoingResponse {
  readonly status: number
  /** Names and values in turn, the length of the body among them. */
  readonly headers: string[]
  readonly body: string | Buffer
  /** Of a body that is text: `latin1` where it is nothing but ASCII, which is written with less copying. */
  readonly encoding: 'latin1' | 'utf8'
}

/** Rejects only when the response cannot be made at all: the transport then drops the connection. */
export type Entrance = (request: IncomingRequest) => Promise<OutgoingResponse>
