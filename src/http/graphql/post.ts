// One POST under way: what it brought, and where its answer goes; the same for Node's own server and for plain connections.
import type { IncomingMessage } from 'node:http'
import type { Exchange } from './handle.ts'
import type { Body } from './read-body.ts'

/** Keeps an answer for later callers; gives back the headers, names and values in turn, that say for how long it holds. */
export type Keep = (
  request: IncomingMessage,
  answer: { readonly status: number; readonly body: string; readonly headers: readonly string[] },
) => readonly string[] | undefined

/** The whole of an answer. */
export interface Reply {
  readonly status: number
  /** Names and values in turn, the length of the body among them. */
  readonly headers: string[]
  readonly body: string | Buffer
  /** Of a body that is text: `latin1` where it is nothing but ASCII, which is written with less copying. */
  readonly encoding: 'latin1' | 'utf8'
}

/** One request under way, and where its answer goes. */
export interface Post extends Exchange {
  readonly keep?: ((answer: Parameters<Keep>[1]) => ReturnType<Keep>) | undefined
  send(reply: Reply): void
  /** Nothing can be sent any more. */
  giveUp(): void
}

/** Never throws: what goes wrong is answered, or logged. */
export type AnswerPost = (post: Post, body: Body | undefined) => Promise<void>
