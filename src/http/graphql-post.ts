// POST /v1/graphql on Node's own request and response: the framework in between would cost as much as the answer itself.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Handler } from './bind.ts'
import { encodingFor, packed } from './graphql/compression.ts'
import { crossOriginHeaders } from './graphql/cross-origin.ts'
import { type GraphqlContext, handle, writeFailure } from './graphql/handle.ts'
import { type MediaType, mediaOrJson } from './graphql/media-type.ts'
import { type Body, readBody } from './graphql/read-body.ts'
import { requestsOfPost } from './graphql/read-requests.ts'
import type { HttpAnswer } from './graphql/write-answer.ts'

export const PATH = '/v1/graphql'

/** Keeps an answer for later callers; gives back the headers, names and values in turn, that say for how long it holds. */
export type Keep = (
  request: IncomingMessage,
  answer: { readonly status: number; readonly body: string; readonly headers: readonly string[] },
) => readonly string[] | undefined

export interface PostOptions extends GraphqlContext {
  readonly keep?: Keep | undefined
}

/** One request under way, with its body. */
interface Post {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Written {
  readonly answer: HttpAnswer
  readonly media: MediaType
  readonly keep: Keep | undefined
}

const NOT_KEPT = ['cache-control', 'no-store'] as const
const VARY = 'accept, authorization'

/** The answer, or what was wrong with the request in the shape of one. */
const write = async (
  options: PostOptions,
  { id, request, response }: Post,
  body: Body | undefined,
): Promise<Written> => {
  const { headers } = request
  try {
    const { answer, media } = await handle(options, { id, headers, response }, () => requestsOfPost(headers, body))
    return { answer, media, keep: options.keep }
  } catch (error) {
    return {
      answer: writeFailure(error, { id, log: options.log }),
      media: mediaOrJson(headers.accept),
      keep: undefined,
    }
  }
}

/** What only pages need is sent to pages; but an answer that is kept may be given to one later. */
const headersFor = ({ id, request }: Post, { answer, media, keep }: Written): string[] => {
  const { status, body } = answer
  const headers = ['content-type', `${media}; charset=utf-8`]
  for (const name in answer.headers) headers.push(name, answer.headers[name] as string)
  if (request.headers.origin !== undefined || keep !== undefined) headers.push(...crossOriginHeaders)
  if (keep !== undefined) headers.push('vary', VARY)
  headers.push(...(keep?.(request, { status, body, headers: [...headers] }) ?? NOT_KEPT), 'x-request-id', id)
  return headers
}

const send = async (post: Post, written: Written): Promise<void> => {
  const { request, response } = post
  const { status, body } = written.answer
  const headers = headersFor(post, written)
  const bytes = Buffer.byteLength(body)
  const encoding = encodingFor(request.headers['accept-encoding'], bytes)
  if (encoding === undefined) {
    headers.push('content-length', String(bytes))
    response.writeHead(status, headers)
    // As long in bytes as in letters: nothing but ASCII, which Node need not make room for three times over.
    response.end(body, bytes === body.length ? 'latin1' : 'utf8')
    return
  }
  const short = await packed(body, encoding)
  headers.push('vary', 'accept-encoding', 'content-encoding', encoding, 'content-length', String(short.length))
  response.writeHead(status, headers)
  response.end(short)
}

/** @returns what answers a request whose body was read already. */
export const createPost =
  (options: PostOptions) =>
  async (post: Post, body: Body | undefined): Promise<void> => {
    try {
      await send(post, await write(options, post, body))
    } catch (error) {
      options.log.error({ err: error, requestId: post.id }, 'an answer could not be sent')
      post.response.destroy()
    }
  }

const isPost = ({ method, url }: IncomingMessage): boolean =>
  method === 'POST' && (url === PATH || url?.startsWith(`${PATH}?`) === true)

/** Puts it before the framework, which answers everything else. */
export const postFirst =
  (options: PostOptions) =>
  (next: Handler): Handler => {
    const answerPost = createPost(options)
    return (request, response) => {
      if (!isPost(request)) return next(request, response)
      const post = { id: randomUUID(), request, response }
      readBody(undefined, request, (error, body) => {
        if (error === null) void answerPost(post, body)
        else response.destroy()
      })
    }
  }
