// A request to the sandbox's endpoint → the answer that was given to it before, ahead of the whole HTTP framework.
// The bytes of the request are looked up as they are: nothing of them is parsed when the answer is known.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Grant } from '../access/grant.ts'
import { networkOf } from '../base/ip-address.ts'
import type { Limit } from '../base/limit.ts'
import type { TrustedProxies } from '../base/trusted-proxies.ts'
import { type AnswerCache, answerKey, type KnownAnswer } from '../sandbox/answer-cache.ts'
import { anonymousGrant, type SandboxAuthenticate } from '../sandbox/sandbox-grant.ts'
import type { Handler } from './bind.ts'
import { clientAddress } from './client-address.ts'
import { isKnown } from './entity-tag.ts'
import { type Encoding, encodingFor, isPackable, packed } from './graphql/compression.ts'

export interface FrontInput {
  readonly cache: AnswerCache
  readonly authenticate: SandboxAuthenticate
  /** The version of the structure that answers are made from. */
  readonly version: () => string
  /** Undefined where limits are switched off. */
  readonly limit: Limit | undefined
  readonly trustedProxies: TrustedProxies
}

export interface SandboxFront {
  /** Puts the front before the handler that answers what is not known. */
  before(next: Handler): Handler
  /** Where the answer to a request is to be kept; undefined for one that is not kept. */
  keyOf(request: IncomingMessage): string | undefined
}

const PATH = '/v1/graphql'
/** Longer requests are rare, and go the usual way. */
const LONGEST_BODY = 16 * 1024

/** A tag that matches is answered with 304, to GET alone. */
const isUnchanged = ({ method, headers }: IncomingMessage, { etag }: KnownAnswer): boolean =>
  method === 'GET' && isKnown(headers['if-none-match'], etag)

const packs = new WeakMap<KnownAnswer, Map<Encoding, Promise<Buffer>>>()

/** Packed once for all who can unpack it. */
const packedOnce = (known: KnownAnswer, encoding: Encoding): Promise<Buffer> => {
  const made = packs.get(known) ?? new Map<Encoding, Promise<Buffer>>()
  packs.set(known, made)
  const pack = made.get(encoding) ?? packed(known.body, encoding)
  made.set(encoding, pack)
  return pack
}

/** Headers as one flat list, and a short body as text: the whole answer is then one write to the socket. */
const send = (request: IncomingMessage, response: ServerResponse, known: KnownAnswer): void => {
  const { body, bytes, headers } = known
  const own = isPackable(bytes)
    ? ['vary', 'accept-encoding', 'x-request-id', randomUUID()]
    : ['x-request-id', randomUUID()]
  request.resume()
  if (isUnchanged(request, known)) return void response.writeHead(304, [...headers, ...own]).end()
  const packing = encodingFor(request.headers['accept-encoding'], bytes)
  if (packing === undefined)
    return void response.writeHead(200, [...headers, ...own, 'content-length', String(bytes)]).end(body)
  packedOnce(known, packing).then(
    short => {
      const packedHeaders = ['content-encoding', packing, 'content-length', String(short.length)]
      response.writeHead(200, [...headers, ...own, ...packedHeaders]).end(short)
    },
    () => response.destroy(),
  )
}

/** The body, once all of it is there. Asked for by its exact length, the stream does not end, and can have it put back. */
const peekBody = (request: IncomingMessage, length: number, done: (body: Buffer) => void): void => {
  const look = (): void => {
    const body = request.read(length) as Buffer | null
    if (body === null) return
    request.off('readable', look)
    done(body)
  }
  request.on('readable', look)
}

const isQuestion = ({ method, url, headers }: IncomingMessage): boolean =>
  headers['x-minaret-explain'] === undefined &&
  (method === 'POST'
    ? url === PATH && headers['content-type']?.startsWith('application/json') === true
    : method === 'GET' && url?.startsWith(`${PATH}?`) === true)

export const createSandboxFront = (input: FrontInput): SandboxFront => {
  const { cache, authenticate, version, limit, trustedProxies } = input
  const keys = new WeakMap<IncomingMessage, string>()

  /** Refused in full by the usual way, which counts for itself. */
  const mayAsk = (request: IncomingMessage): boolean => {
    try {
      limit?.take(networkOf(clientAddress(request, trustedProxies)))
      return true
    } catch {
      return false
    }
  }

  const known = (
    request: IncomingMessage,
    asked: Uint8Array | string,
    { scopeKey }: Grant,
  ): KnownAnswer | undefined => {
    const key = answerKey({ version: version(), scopeKey, accept: request.headers.accept ?? '', request: asked })
    keys.set(request, key)
    const answer = cache.get(key)
    return answer !== undefined && mayAsk(request) ? answer : undefined
  }

  /** Without a credential nothing has to be waited for. */
  const withGrant = (request: IncomingMessage, use: (grant: Grant) => void, refuse: () => void): void => {
    const { authorization } = request.headers
    if (authorization === undefined) use(anonymousGrant)
    else authenticate(authorization).then(use, refuse)
  }

  const before =
    (next: Handler): Handler =>
    (request, response) => {
      if (!isQuestion(request)) return next(request, response)
      const answer = (asked: Uint8Array | string, pass: () => void): void =>
        withGrant(
          request,
          grant => {
            const found = known(request, asked, grant)
            if (found === undefined) pass()
            else send(request, response, found)
          },
          pass,
        )
      if (request.method === 'GET') return answer(request.url ?? '', () => next(request, response))
      const length = Number(request.headers['content-length'])
      if (!(length > 0 && length <= LONGEST_BODY)) return next(request, response)
      peekBody(request, length, body =>
        answer(body, () => {
          request.unshift(body)
          next(request, response)
        }),
      )
    }

  return { before, keyOf: request => keys.get(request) }
}
