// The frame of all page routes: every handler turns a visit into a reply. Every POST is checked for forgery first, and then for
// whether people have to show again who they are.
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../base/fault.ts'
import { toFault } from '../../base/to-fault.ts'
import type { KeptResponses } from '../../graphql/answers/kept-responses.ts'
import { answerInTime } from '../../http/answer-in-time.ts'
import { type Charge, points, pointsOfStrangers } from '../../http/charges/charge.ts'
import { chargeRoutes } from '../../http/charges/charge-addresses.ts'
import { replyWithFault } from '../../http/reply-with-fault.ts'
import { checkForm } from './check-form.ts'
import { faultPage, forbidden } from './fault-page.ts'
import { actFreshly, type ProveFirst, readFreshly } from './fresh-first.ts'
import { pageShelf } from './keep-pages.ts'
import { isKeptRoute } from './kept-routes.ts'
import { type Answer, redirectTo, sendAnswer, showPage } from './page-reply.ts'
import { rememberReturn } from './return-address.ts'
import { isForAll, type SharedPage, sendShared } from './shared-page.ts'
import type { View } from './view.ts'
import type { SignedInVisit, Visit, Visits } from './visit.ts'

export interface PageFrame {
  readonly visits: Visits
  readonly proveFirst: ProveFirst
  readonly production: boolean
  /** Pages in memory. */
  readonly kept: KeptResponses
}

export type { SignedInVisit } from './visit.ts'

type Handler<V> = (visit: V) => Promise<Answer> | Answer

export interface PageRoutes {
  /** @param charge of visitors who are not signed in */
  get(path: string, handler: Handler<Visit>, charge?: Charge): void
  /** The same for all who are not known to us: kept in memory for them. */
  getShared(path: string, make: (view: View) => Promise<SharedPage>): void
  post(path: string, handler: Handler<Visit>): void
  /** Visitors who are not signed in are sent to sign in, and return to this page. */
  getSignedIn(path: string, handler: Handler<SignedInVisit>): void
  postSignedIn(path: string, handler: Handler<SignedInVisit>): void
}

/** A page rather than what a script asks for: one comes back to it after signing in. */
const isVisited = ({ request: { method, headers } }: Visit): boolean =>
  method === 'GET' && (headers['sec-fetch-dest'] ?? 'document') === 'document'

const isSignedIn = (visit: Visit): visit is SignedInVisit => visit.session !== undefined

/** The pages on which a second factor is set up. */
export const SECURITY_PAGE = '/account/security'

const beforeTheFactor = /^\/(sign-out|sign-in\/again(\/[^?]*)?|account\/security(\/[^?]*)?)(\?|$)/

/** Whoever is signed in is not charged (`visit.ts`). */
const asked = pointsOfStrangers(10)
const sent = { config: { charge: pointsOfStrangers(20) } }
const redirected = { config: { charge: pointsOfStrangers(2) } }
/** Posts from other sites, which carry no cookie: they send the browser on. */
const elsewhere = points(10)

const routesOn = (scope: FastifyInstance, { visits, production, proveFirst, kept }: PageFrame): PageRoutes => {
  const answering = (handler: Handler<Visit>) => async (request: FastifyRequest, reply: FastifyReply) =>
    sendAnswer(reply, await handler(await visits.of(request, reply)), production)
  const checked = <V extends Visit>(path: string, handler: Handler<V>): Handler<V> => {
    const act = actFreshly(path, handler, proveFirst)
    return visit => {
      checkForm(visits, visit)
      return act(visit)
    }
  }
  /** Whoever needs a second factor sets it up before anything else. */
  const factorFirst = (visit: SignedInVisit): Answer | undefined => {
    if (!visit.session.factorDue || beforeTheFactor.test(visit.request.url)) return undefined
    if (isVisited(visit)) rememberReturn(visits, visit)
    return redirectTo(SECURITY_PAGE)
  }
  const signedIn =
    (handler: Handler<SignedInVisit>): Handler<Visit> =>
    visit => {
      if (isSignedIn(visit)) return factorFirst(visit) ?? handler(visit)
      if (isVisited(visit)) rememberReturn(visits, visit)
      return redirectTo('/sign-in')
    }
  return {
    get: (path, handler, charge = asked) => void scope.get(path, { config: { charge } }, answering(handler)),
    getShared: (path, make) => {
      if (!isKeptRoute(path)) throw new Error(`${path} is not kept`)
      const shelf = pageShelf(kept)
      const toKnown = answering(async ({ view }) => (await make(view)).page)
      scope.get(path, { config: { charge: asked } }, async (request, reply) => {
        if (!isForAll(request, path)) return toKnown(request, reply)
        request.chargeStranger()
        return sendShared(shelf, { request, reply, path, view: visits.viewOfStranger(request), production, make })
      })
    },
    post: (path, handler) => void scope.post(path, sent, answering(checked(path, handler))),
    getSignedIn: (path, handler) =>
      void scope.get(path, redirected, answering(signedIn(readFreshly(path, handler, visits)))),
    postSignedIn: (path, handler) => void scope.post(path, redirected, answering(signedIn(checked(path, handler)))),
  }
}

/** Browsers accept HTML; a program with a wrong URL is better served with JSON. */
const asksForPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true

/** Who the visitor is cannot be asked of a database that does not answer. */
const visitOf = (visits: Visits, fault: Fault, request: FastifyRequest, reply: FastifyReply): Promise<Visit> | Visit =>
  fault.code === 'database-unavailable'
    ? visits.ofNobody(request, reply)
    : visits.of(request, reply).catch(() => visits.ofNobody(request, reply))

/** Longer than for programs: a password may wait for its turn to be hashed. */
const PAGE_DEADLINE_MS = 60_000

const replyWithPage =
  ({ visits, production }: PageFrame) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const fault = toFault(error, request)
    if (fault.status === 404 && !asksForPage(request)) return replyWithFault(fault, request, reply)
    const { view } = await visitOf(visits, fault, request, reply)
    reply.headers(fault.headers)
    sendAnswer(reply, showPage(faultPage(view, fault, request.id), { status: fault.status }), production)
  }

/** Page routes have their own Fastify scope, so that API routes keep their JSON errors and body parsers. */
export const addPages = async (
  server: FastifyInstance,
  frame: PageFrame,
  addRoutes: (routes: PageRoutes, scope: FastifyInstance) => void | Promise<void>,
): Promise<void> => {
  await server.register(async scope => {
    chargeRoutes(scope, elsewhere)
    await scope.register(cookie)
    await scope.register(formbody)
    scope.setErrorHandler(replyWithPage(frame))
    answerInTime(scope, PAGE_DEADLINE_MS)
    await addRoutes(routesOn(scope, frame), scope)
  })
}

/** @throws {Fault} `forbidden` */
export const requireReviewer = ({ session }: SignedInVisit): void => {
  if (!session.user.isReviewer && !session.user.isAdmin) throw forbidden()
}

/** @throws {Fault} `forbidden` */
export const requireAdmin = ({ session }: SignedInVisit): void => {
  if (!session.user.isAdmin) throw forbidden()
}
