// A public page that was asked for → as it is kept in memory while it is true, or made. Only what is the same for everybody is kept, and
// whoever may be known to us, by a cookie, neither is sent what is kept nor leaves anything there.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../base/ip-address.ts'
import type { KeptResponses, Shelf } from '../../graphql/answers/kept-responses.ts'
import { compactAnswer, type PublicAnswer } from './public-reply.ts'
import type { View } from './view.ts'

/** That of the language says nothing about who asks, and is part of the key. */
const ownCookie = /(?:^|[;\s])(?:__Host-)?minaret_(?!language=)/

export const isStranger = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers.cookie === undefined || !ownCookie.test(headers.cookie)

/** Anything longer is not worth keeping. */
const LONGEST_KEY = 1000
/** What follows the clock may be this late. */
const MOST_SECONDS = 60

export const pageShelf = (kept: Pick<KeptResponses, 'shelf'>): Shelf<PublicAnswer> =>
  kept.shelf({ name: 'page', bytesOf: ({ body }) => body.length })

/** Values that are made for one response. */
const isForOne = (headers: Readonly<Record<string, unknown>>): boolean =>
  'set-cookie' in headers || String(headers['content-security-policy'] ?? '').includes("'nonce-")

const isSame = ({ status, shared, headers }: PublicAnswer, reply: FastifyReply): boolean =>
  status === 200 && shared === 'public' && !isForOne(headers) && !isForOne(reply.getHeaders())

const heldFor = (answer: PublicAnswer, reply: FastifyReply): number => {
  const { maxAge, holds = Math.min(maxAge, MOST_SECONDS) } = answer
  return isSame(answer, reply) ? Math.max(0, holds) * 1000 : 0
}

/** For no longer than what is left; at least a second, as 0 would keep it from being kept at all. */
const withLeft = (answer: PublicAnswer, leftMs: number): PublicAnswer =>
  answer.maxAge <= 0 ? answer : { ...answer, maxAge: Math.min(answer.maxAge, Math.max(1, Math.floor(leftMs / 1000))) }

export interface AskedPage {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly route: string
  /** All that the route was told by the address, as it reads it. */
  readonly said: unknown
  readonly view: View
  readonly make: () => Promise<PublicAnswer> | PublicAnswer
  readonly inTurn?: (<R>(work: () => Promise<R>) => Promise<R>) | undefined
}

/** Nothing else of a request reaches what makes the page. */
const keyOf = ({ route, said, view: { language, here } }: AskedPage): string =>
  `${route} ${language} ${here} ${JSON.stringify(said)}`

export const answerKept = async (shelf: Shelf<PublicAnswer>, asked: AskedPage): Promise<PublicAnswer> => {
  const { request, reply, make, inTurn = work => work() } = asked
  const who = networkOf(request.clientAddress)
  const key = keyOf(asked)
  if (!isStranger(request) || key.length > LONGEST_KEY) return inTurn(async () => make())
  const { value, holdsMs } = await shelf.get(
    key,
    async () => {
      const answer = await make()
      const holdsMs = heldFor(answer, reply)
      return { value: holdsMs > 0 ? compactAnswer(answer) : answer, holdsMs }
    },
    { who, inTurn },
  )
  return holdsMs > 0 ? withLeft(value, holdsMs) : value
}
