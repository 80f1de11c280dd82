// Routes of pages that are the same for everyone: no cookie is read or set, so that nothing of a visitor can be in what caches keep.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseLanguage, firstLanguage } from '../../accounts/languages.ts'
import type { Fault } from '../../base/fault.ts'
import { toFault } from '../../base/to-fault.ts'
import { answerInTime } from '../../http/answer-in-time.ts'
import { textsFor } from '../texts/texts.ts'
import { faultPage } from './fault-page.ts'
import { type FormValues, formValues } from './form-body.ts'
import type { PageFrame } from './page-routes.ts'
import { type PublicAnswer, publicPage, sendPublic } from './public-reply.ts'
import type { View } from './view.ts'

export interface PublicVisit {
  readonly view: View
  readonly parameters: FormValues
  readonly query: FormValues
  /** Whether the address says which language, rather than the browser. */
  readonly languageAsked: boolean
  readonly address: string
}

type Handler = (visit: PublicVisit) => Promise<PublicAnswer> | PublicAnswer

export interface PublicRoutes {
  get(path: string, handler: Handler): void
}

type Production = Pick<PageFrame, 'production'>

const visitOf = (request: FastifyRequest, { production }: Production): PublicVisit => {
  const query = formValues(request.query)
  const asked = query.text('lang')
  const header = request.headers['accept-language']
  const language = chooseLanguage({ uiLocales: asked, cookie: undefined, user: undefined, acceptLanguage: header })
  const view: View = {
    language,
    texts: textsFor(language),
    user: undefined,
    antiForgery: '',
    here: request.url,
    languageParameter: 'lang',
    development: !production,
  }
  return {
    view,
    parameters: formValues(request.params),
    query,
    languageAsked: firstLanguage([asked]) !== undefined,
    address: request.clientAddress,
  }
}

/** What went wrong in words for those who only wanted to look something up. */
const troublePage = (visit: PublicVisit, fault: Fault, id: string): PublicAnswer =>
  publicPage(faultPage(visit.view, fault, id), { status: fault.status, maxAge: 0, headers: fault.headers })

/** A page that takes longer than this is not worth waiting for: caches and browsers try again. */
const DEADLINE_MS = 20_000

export const addPublicPages = async (
  server: FastifyInstance,
  { production }: Production,
  addRoutes: (routes: PublicRoutes) => void,
): Promise<void> => {
  await server.register(async scope => {
    const send = (request: FastifyRequest, reply: FastifyReply, visit: PublicVisit, answer: PublicAnswer) =>
      sendPublic({ request, reply, production, languageAsked: visit.languageAsked }, answer)
    scope.setErrorHandler(async (error, request, reply) => {
      const visit = visitOf(request, { production })
      return send(request, reply, visit, troublePage(visit, toFault(error, request), request.id))
    })
    answerInTime(scope, DEADLINE_MS)
    addRoutes({
      get: (path, handler) =>
        void scope.get(path, async (request, reply) => {
          const visit = visitOf(request, { production })
          return send(request, reply, visit, await handler(visit))
        }),
    })
  })
}
