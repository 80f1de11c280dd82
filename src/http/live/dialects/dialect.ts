// What differs between the two protocols of GraphQL over WebSockets: the names of messages, and what may be said when.
import type { Refusal } from '../../../graphql/errors.ts'
import type { Payload } from './read-envelope.ts'

export type ClientMessage =
  | { readonly type: 'init'; readonly payload: Payload }
  | { readonly type: 'ping'; readonly payload: Payload | undefined }
  | { readonly type: 'pong' | 'terminate' }
  | { readonly type: 'start'; readonly id: string; readonly payload: Payload }
  | { readonly type: 'stop'; readonly id: string }

export interface Dialect {
  /** The name of the subprotocol. */
  readonly protocol: string
  /** Operations may follow `connection_init` at once, and wait for its acknowledgement. */
  readonly mayHurry: boolean
  /** What cannot be read is answered, and otherwise ignored. */
  readonly forgives: boolean
  /** Undefined if the text is no message of the protocol. */
  read(text: string): ClientMessage | undefined
  /** Sent when the connection is accepted. */
  readonly accepted: readonly string[]
  /** Sent from time to time, besides the WebSocket's own ping. */
  readonly aliveness: string | undefined
  pong(payload: Payload | undefined): string | undefined
  /** `result`: JSON text. */
  next(id: string, result: string): string
  failed(id: string, errors: Refusal['errors']): string
  complete(id: string): string
  /** Sent when the client has ended an operation. */
  stopped(id: string): string | undefined
  /** What is wrong with the connection, before it is closed for that. */
  complaint(words: string): string | undefined
}
