// A page with the visitor's menu, for somebody whom we do not know → the same for all of them, so that it may be kept in memory; caches
// keep it for nobody, as whoever signs in gets another. There is no form on it that needs a token.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Shelf } from '../../graphql/answers/kept-responses.ts'
import { answerKept, isStranger } from './keep-pages.ts'
import { contentPolicy, type PageAnswer, pageHeaders } from './page-reply.ts'
import { type PublicAnswer, sendPublic } from './public-reply.ts'
import type { View } from './view.ts'

export interface SharedPage {
  readonly page: PageAnswer
  /** Seconds for which nothing on it changes by itself. */
  readonly holds: number
}

/** Neither known to us, nor with wishes of their own in the address. */
export const isForAll = (request: FastifyRequest, path: string): boolean => request.url === path && isStranger(request)

const publicAnswer = ({ page, holds }: SharedPage, production: boolean): PublicAnswer => ({
  status: page.status,
  contentType: 'text/html; charset=utf-8',
  body: page.html.text,
  maxAge: 0,
  shared: 'public',
  byLanguage: true,
  headers: {
    'x-frame-options': pageHeaders(production)['x-frame-options'] ?? 'DENY',
    'content-security-policy': contentPolicy(page),
  },
  holds,
})

export interface AskedByStranger {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly path: string
  readonly view: View
  readonly production: boolean
  readonly make: (view: View) => Promise<SharedPage>
}

export const sendShared = async (shelf: Shelf<PublicAnswer>, asked: AskedByStranger): Promise<FastifyReply> => {
  const { request, reply, path, view, production } = asked
  const make = async (): Promise<PublicAnswer> => publicAnswer(await asked.make(view), production)
  const answer = await answerKept(shelf, { request, reply, route: path, said: '', view, make })
  return sendPublic({ request, reply, production, languageAsked: false }, answer)
}
