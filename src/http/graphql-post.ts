// POST /v1/graphql, however its bytes came and go: the framework in between would cost as much as the answer itself.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Handler } from './bind.ts'
import { abandonmentOf } from './graphql/abandonment-of.ts'
import { type Encoding, encodingFor, packed } from './graphql/compression.ts'
import { crossOriginHeaders } from './graphql/cross-origin.ts'
import { type GraphqlContext, handle, writeFailure } from './graphql/handle.ts'
import { type MediaType, mediaOrJson } from './graphql/media-type.ts'
import type { AnswerPost, Keep, Post } from './graphql/post.ts'
import { type Body, readBody } from './graphql/read-body.ts'
import { requestsOfPost } from './graphql/read-requests.ts'
import type { HttpAnswer } from './graphql/write-answer.ts'

export const PATH = '/v1/graphql'

export interface PostOptions extends GraphqlContext {
  readonly keep?: Keep | undefined
}

interface Written {
  readonly answer: HttpAnswer
  readonly media: MediaType
  readonly keep: Post['keep']
}

const NOT_KEPT = ['cache-control', 'no-store'] as const
const VARY = 'accept, authorization'

/** The answer, or what was wrong with the request in the shape of one. */
const write = async (options: PostOptions, post: Post, body: Body | undefined): Promise<Written> => {
  const { id, headers } = post
  try {
    const { answer, media } = await handle(options, post, () => requestsOfPost(headers, body))
    return { answer, media, keep: post.keep }
  } catch (error) {
    return {
      answer: writeFailure(error, { id, log: options.log }),
      media: mediaOrJson(headers.accept),
      keep: undefined,
    }
  }
}

/** What only pages need is sent to pages; but an answer that is kept may be given to one later. */
const headersFor = ({ id, headers: asked }: Post, { answer, media, keep }: Written): string[] => {
  const { status, body } = answer
  const headers = ['content-type', `${media}; charset=utf-8`]
  for (const name in answer.headers) headers.push(name, answer.headers[name] as string)
  if (asked.origin !== undefined || keep !== undefined) headers.push(...crossOriginHeaders)
  if (keep !== undefined) headers.push('vary', VARY)
  headers.push(...(keep?.({ status, body, headers: [...headers] }) ?? NOT_KEPT), 'x-request-id', id)
  return headers
}

const sendPacked = async (post: Post, { status, body }: HttpAnswer, headers: string[], packing: Encoding) => {
  const short = await packed(body, packing)
  headers.push('vary', 'accept-encoding', 'content-encoding', packing, 'content-length', String(short.length))
  post.send({ status, headers, body: short, encoding: 'latin1' })
}

/** Nothing to wait for, unless the answer is long enough to be packed. */
const send = (post: Post, written: Written): Promise<void> | undefined => {
  const { status, body } = written.answer
  const headers = headersFor(post, written)
  const bytes = Buffer.byteLength(body)
  const packing = encodingFor(post.headers['accept-encoding'], bytes)
  if (packing !== undefined) return sendPacked(post, written.answer, headers, packing)
  headers.push('content-length', String(bytes))
  post.send({ status, headers, body, encoding: bytes === body.length ? 'latin1' : 'utf8' })
  return undefined
}

/** @returns what answers a request whose body was read already. */
export const createPost =
  (options: PostOptions): AnswerPost =>
  async (post, body) => {
    try {
      const sending = send(post, await write(options, post, body))
      if (sending !== undefined) await sending
    } catch (error) {
      options.log.error({ err: error, requestId: post.id }, 'an answer could not be sent')
      post.giveUp()
    }
  }

/** A request as Node's own server has it. */
export const postOf = (
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
  keep: Keep | undefined,
): Post => ({
  id,
  headers: request.headers,
  abandoned: abandonmentOf(response),
  keep: keep === undefined ? undefined : answer => keep(request, answer),
  send: ({ status, headers, body, encoding }) => void response.writeHead(status, headers).end(body, encoding),
  giveUp: () => void response.destroy(),
})

const isPost = ({ method, url }: IncomingMessage): boolean =>
  method === 'POST' && (url === PATH || url?.startsWith(`${PATH}?`) === true)

/** Puts it before the framework, which answers everything else. */
export const postFirst =
  (options: PostOptions) =>
  (next: Handler): Handler => {
    const answerPost = createPost(options)
    return (request, response) => {
      if (!isPost(request)) return next(request, response)
      readBody(undefined, request, (error, body) => {
        if (error === null) void answerPost(postOf(randomUUID(), request, response, options.keep), body)
        else response.destroy()
      })
    }
  }
