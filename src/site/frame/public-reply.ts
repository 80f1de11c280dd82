// A page, picture or file that is the same for everyone → the reply: with a tag, compressed, and kept by shared caches as long as it holds.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodedTag, entityTag, isKnown } from '../../base/entity-tag.ts'
import { type Encoding, encodingFor, isPackable } from '../../graphql/entrance/compression.ts'
import { packedOnce } from '../../graphql/entrance/deliver.ts'
import type { Html } from '../pieces/html.ts'
import { pageHeaders } from './page-reply.ts'

export interface PublicAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Buffer
  /** Seconds for which it holds; 0: it is not kept. */
  readonly maxAge: number
  /** Whom caches may keep it for: `private` if the address says something about who asks. */
  readonly shared: 'public' | 'private'
  /** Whether it is another in another language. */
  readonly byLanguage: boolean
  readonly headers: Readonly<Record<string, string>>
  /** Seconds for which nothing on it changes by itself: how long it stays in memory at most. By default `maxAge`. */
  readonly holds?: number
  /** What is made once for a response that is kept. */
  readonly once?: { readonly tag: string; readonly packs: Map<Encoding, Promise<Buffer>> }
}

/** A response to be kept. */
export const compactAnswer = (answer: PublicAnswer): PublicAnswer => {
  const body = Buffer.from(answer.body)
  return { ...answer, body, once: { tag: entityTag(body), packs: new Map() } }
}

interface PagePolicy {
  /** Whether the page has a script of ours. */
  readonly script?: boolean
  /** Whether that script asks us for more. */
  readonly asks?: boolean
  /** Whether pages of others may show it in a frame. */
  readonly framed?: boolean
}

const policyFor = ({ script = false, asks = false, framed = false }: PagePolicy): string =>
  [
    "default-src 'none'",
    ...(script ? ["script-src 'self'"] : []),
    ...(asks ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    `frame-ancestors ${framed ? '*' : "'none'"}`,
    "base-uri 'none'",
  ].join('; ')

interface PageWishes extends PagePolicy {
  readonly status?: number
  readonly maxAge: number
  readonly holds?: number
  readonly shared?: PublicAnswer['shared']
  readonly headers?: Readonly<Record<string, string>>
}

export const publicPage = (html: Html, wishes: PageWishes): PublicAnswer => ({
  status: wishes.status ?? 200,
  contentType: 'text/html; charset=utf-8',
  body: html.text,
  maxAge: wishes.maxAge,
  shared: wishes.shared ?? 'public',
  byLanguage: true,
  headers: {
    'content-security-policy': policyFor(wishes),
    ...(wishes.framed === true ? { 'cross-origin-resource-policy': 'cross-origin' } : { 'x-frame-options': 'DENY' }),
    ...wishes.headers,
  },
  ...(wishes.holds === undefined ? {} : { holds: wishes.holds }),
})

export const publicFile = (
  contentType: string,
  body: string | Buffer,
  {
    maxAge,
    headers = {},
    byLanguage = false,
    ...more
  }: Pick<PageWishes, 'maxAge' | 'headers'> & { readonly byLanguage?: boolean } & Pick<PublicAnswer, 'holds'>,
): PublicAnswer => ({ status: 200, contentType, body, maxAge, shared: 'public', byLanguage, headers, ...more })

const REDIRECT_MAX_AGE = 3600

/** For good, to one of our own paths. */
export const publicRedirect = (to: string): PublicAnswer => ({
  status: 301,
  contentType: 'text/plain; charset=utf-8',
  body: '',
  maxAge: REDIRECT_MAX_AGE,
  shared: 'public',
  byLanguage: false,
  headers: { location: to },
})

/** A picture is compressed already. */
const isText = ({ contentType }: PublicAnswer): boolean => !contentType.startsWith('image/png')

/** RFC 9110, section 12.5.5: everything in the request that another answer could have come from. */
const varyOf = (answer: PublicAnswer, languageAsked: boolean): Readonly<Record<string, string>> => {
  const parts = [
    answer.byLanguage && !languageAsked && 'accept-language',
    isText(answer) && isPackable(Buffer.byteLength(answer.body)) && 'accept-encoding',
  ].filter(part => part !== false)
  return parts.length === 0 ? {} : { vary: parts.join(', ') }
}

const cacheControlOf = ({ maxAge, shared }: PublicAnswer): string =>
  maxAge <= 0 ? 'no-store' : `${shared}, max-age=${Math.floor(maxAge)}`

export interface PublicReply {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly production: boolean
  /** Whether the address says which language, rather than `Accept-Language`. */
  readonly languageAsked: boolean
}

export const sendPublic = async (
  { request, reply, production, languageAsked }: PublicReply,
  answer: PublicAnswer,
): Promise<FastifyReply> => {
  const { body, status, maxAge } = answer
  const encoding = isText(answer) ? encodingFor(request.headers['accept-encoding'], Buffer.byteLength(body)) : undefined
  const tag = maxAge > 0 ? encodedTag(answer.once?.tag ?? entityTag(body), encoding) : ''
  const { 'x-frame-options': _decidedByPage, ...shared } = pageHeaders(production)
  reply.status(status).headers({
    ...shared,
    'content-type': answer.contentType,
    'cache-control': cacheControlOf(answer),
    ...varyOf(answer, languageAsked),
    ...(maxAge > 0 ? { etag: tag } : {}),
    ...answer.headers,
  })
  if (status === 200 && maxAge > 0 && isKnown(request.headers['if-none-match'], tag)) return reply.status(304).send()
  if (encoding === undefined) return reply.send(body)
  const copy = await packedOnce({ body, packs: answer.once?.packs }, encoding)
  return reply.header('content-encoding', encoding).send(copy)
}
