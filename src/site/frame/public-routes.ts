// Routes of pages that are the same for everyone: no cookie is read or set, so that nothing of a visitor can be in what caches keep.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseLanguage, firstLanguage } from '../../accounts/languages.ts'
import type { FairTurns } from '../../base/fair-turns.ts'
import type { Fault } from '../../base/fault.ts'
import { networkOf } from '../../base/ip-address.ts'
import { toFault } from '../../base/to-fault.ts'
import { answerInTime } from '../../http/answer-in-time.ts'
import { points } from '../../http/charges/charge.ts'
import { textsFor } from '../texts/texts.ts'
import { faultPage } from './fault-page.ts'
import { type FormValues, formValues } from './form-body.ts'
import { type AskedPage, answerKept, pageShelf } from './keep-pages.ts'
import { isKeptRoute } from './kept-routes.ts'
import type { PageFrame } from './page-routes.ts'
import { type PublicAnswer, publicPage, sendPublic } from './public-reply.ts'
import type { View } from './view.ts'

export interface PublicVisit {
  readonly view: View
  readonly parameters: FormValues
  /** Only what the page says that it understands: the rest is no part of what it is kept by. */
  readonly query: FormValues
  /** Whether the address says which language, rather than the browser. */
  readonly languageAsked: boolean
  readonly address: string
}

type Handler = (visit: PublicVisit) => Promise<PublicAnswer> | PublicAnswer

interface PublicRouteOptions {
  /** Those that the page understands, besides its language. */
  readonly parameters?: readonly string[]
  /** What it is charged. */
  readonly points?: number
  /** Where making it is so much work that visitors take turns. */
  readonly turns?: FairTurns
}

/** With what it reads from the database. */
const PAGE_POINTS = 10

export interface PublicRoutes {
  get(path: string, handler: Handler, options?: PublicRouteOptions): void
}

type Production = Pick<PageFrame, 'production'>

/** What public pages need of the frame: nothing that knows who visits. */
export type PublicFrame = Pick<PageFrame, 'production' | 'kept'>

const decoded = (path: string): string => {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/**
 * The address of the page, in its usual spelling. Parameters that it does not understand are left out: caches are often set up to ignore
 * those of campaigns, and would send what one visitor had there to all others.
 */
const hereOf = ({ url }: FastifyRequest, parameters: readonly string[]): string => {
  const { pathname, searchParams } = new URL(url, 'http://local')
  const known = [...searchParams].filter(([name]) => name === 'lang' || parameters.includes(name))
  const query = new URLSearchParams(known).toString()
  return encodeURI(decoded(pathname)) + (query === '' ? '' : `?${query}`)
}

/** As for everybody who prefers the same language. */
export const publicViewOf = (
  request: FastifyRequest,
  { production }: Production,
  parameters: readonly string[] = [],
): View => {
  const asked = formValues(request.query).text('lang')
  const header = request.headers['accept-language']
  const language = chooseLanguage({ uiLocales: asked, cookie: undefined, user: undefined, acceptLanguage: header })
  return {
    language,
    texts: textsFor(language),
    user: undefined,
    antiForgery: '',
    here: hereOf(request, parameters),
    languageParameter: 'lang',
    development: !production,
  }
}

const understood = (query: unknown, parameters: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(query as object).filter(([name]) => name === 'lang' || parameters.includes(name)))

const visitOf = (request: FastifyRequest, frame: Production, parameters: readonly string[] = []): PublicVisit => {
  const query = formValues(understood(request.query, parameters))
  return {
    view: publicViewOf(request, frame, parameters),
    parameters: formValues(request.params),
    query,
    languageAsked: firstLanguage([query.text('lang')]) !== undefined,
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
  { production, kept }: PublicFrame,
  addRoutes: (routes: PublicRoutes) => void,
): Promise<void> => {
  const shelf = pageShelf(kept)
  await server.register(async scope => {
    const send = (request: FastifyRequest, reply: FastifyReply, visit: PublicVisit, answer: PublicAnswer) =>
      sendPublic({ request, reply, production, languageAsked: visit.languageAsked }, answer)
    scope.setErrorHandler(async (error, request, reply) => {
      const visit = visitOf(request, { production })
      return send(request, reply, visit, troublePage(visit, toFault(error, request), request.id))
    })
    answerInTime(scope, DEADLINE_MS)
    addRoutes({
      get: (path, handler, { parameters = [], points: amount = PAGE_POINTS, turns } = {}) => {
        const isKept = isKeptRoute(path)
        scope.get(path, { config: { charge: points(amount) } }, async (request, reply) => {
          const visit = visitOf(request, { production }, parameters)
          const make = () => handler(visit)
          const inTurn: AskedPage['inTurn'] = turns && (work => turns.run(networkOf(visit.address), work))
          const said = [request.params, understood(request.query, parameters)]
          const asked = { request, reply, route: path, said, view: visit.view, make, inTurn }
          return send(request, reply, visit, isKept ? await answerKept(shelf, asked) : await make())
        })
      },
    })
  })
}
