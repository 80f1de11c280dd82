// The review desk: the queue, apps by state, and changes to approved apps.
import type { FastifyInstance } from 'fastify'
import { isScope } from '../../access/scopes.ts'
import { findApp, listAppsInState } from '../../apps/app.ts'
import { withProposed } from '../../apps/changed-values.ts'
import { type AppChange, findChange } from '../../apps/changes.ts'
import { approveChange, offeredScopes, rejectChange } from '../../apps/decide-change.ts'
import { runMachineChecks } from '../../apps/machine-checks.ts'
import { masjidsOfApp } from '../../apps/masjids.ts'
import { countForReview, listWaiting } from '../../apps/review-queue.ts'
import { notFound } from '../../http/not-found.ts'
import { showAudit } from '../audit/show-audit.ts'
import { actorOf, type ConsoleParts, parameterOf } from '../console/parts.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { addPages, type PageRoutes, type SignedInVisit } from '../frame/page-routes.ts'
import { reviewing } from '../frame/rights.ts'
import { fillText } from '../pieces/fill.ts'
import { addReviewAppRoutes } from './app-routes.ts'
import { type ReviewChangeParts, reviewChangePage } from './change-page.ts'
import { addReviewHostRoutes } from './hosts/routes.ts'
import { addReviewMasjidRoutes } from './masjids/routes.ts'
import { queuePage, reviewViews } from './queue-page.ts'
import { refusedDecision } from './refused-decision.ts'

const newsOf = ({ view, query }: SignedInVisit): string | undefined => {
  const { review } = view.texts
  const words = {
    approved: review.approved,
    rejected: review.rejected,
    suspended: review.suspended,
    reinstated: review.reinstated,
    'claims-changed': review.claimsChanged,
    'masjids-changed': review.masjidsChanged,
    'change-approved': review.changeApproved,
    'change-rejected': review.changeRejected,
  }
  const sentence = words[query.text('done') as keyof typeof words]
  return sentence === undefined ? undefined : fillText(sentence, { app: query.text('app').slice(0, 100) })
}

const LONGEST_SEARCH = 100

const showQueue = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const chosen = reviewViews.find(name => name === visit.query.text('state')) ?? 'waiting'
  const words = visit.query.text('words').slice(0, LONGEST_SEARCH)
  const shared = { now: new Date(), done: newsOf(visit), counts: await countForReview(database), words }
  if (chosen === 'waiting')
    return showPage(queuePage(visit.view, { ...shared, view: chosen, waiting: await listWaiting(database, words) }))
  const apps = await listAppsInState(database, chosen, words)
  return showPage(queuePage(visit.view, { ...shared, view: chosen, apps }))
}

const changeOf = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<AppChange> => {
  const change = await findChange(database, parameterOf(visit, 'id'))
  if (change === undefined) throw notFound()
  return change
}

type Changed = Partial<Pick<ReviewChangeParts, 'refusal' | 'fault' | 'scopesFault' | 'reason'>> & {
  readonly status?: number
}

const showChange = async (parts: ConsoleParts, visit: SignedInVisit, changed: Changed = {}): Promise<Answer> => {
  const { database } = parts
  const change = await changeOf(parts, visit)
  const app = await findApp(database, change.appId)
  if (app === undefined) throw notFound()
  const { status, ...rest } = changed
  const after = { ...app, ...withProposed(app, change.proposed) }
  const checks = await runMachineChecks(database, after, visit.session.user.id)
  const scopes = offeredScopes(app, change.proposed)
  const masjids = await masjidsOfApp(database, app.id)
  return showPage(reviewChangePage(visit.view, { app, change, masjids, checks, scopes, ...rest }), {
    status: status ?? 200,
  })
}

const doneWith = async ({ database }: ConsoleParts, done: string, appId: string): Promise<Answer> => {
  const app = await findApp(database, appId)
  return redirectTo(`/review?${new URLSearchParams({ done, app: app?.name ?? '' })}`)
}

/** Another reviewer was faster, or the owner withdrew it. */
const refuse = (parts: ConsoleParts, visit: SignedInVisit, error: unknown): Promise<Answer> => {
  return showChange(parts, visit, refusedDecision(visit, error))
}

const acceptApproval = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const change = await changeOf(parts, visit)
  const scopes = change.proposed.requestedScopes === undefined ? undefined : visit.form.list('scopes').filter(isScope)
  const words = visit.form.text('words').slice(0, 2000) || undefined
  const { database, baseUrl } = parts
  if (scopes?.length === 0)
    return showChange(parts, visit, { scopesFault: visit.view.texts.review.scopesMissing, status: 422 })
  try {
    const appId = await approveChange(database, { changeId: change.id, actor: actorOf(visit), scopes, words, baseUrl })
    return doneWith(parts, 'change-approved', appId)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

const acceptRejection = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const change = await changeOf(parts, visit)
  const reason = visit.form.text('reason').slice(0, 2000)
  if (reason === '') return showChange(parts, visit, { fault: visit.view.texts.review.reasonMissing, status: 422 })
  const { database, baseUrl } = parts
  try {
    const appId = await rejectChange(database, { changeId: change.id, actor: actorOf(visit), reason, baseUrl })
    return doneWith(parts, 'change-rejected', appId)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

const addChangeRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn(
    '/review/changes/:id',
    reviewing(visit => showChange(parts, visit)),
  )
  routes.postSignedIn(
    '/review/changes/:id/approve',
    reviewing(visit => acceptApproval(parts, visit)),
  )
  routes.postSignedIn(
    '/review/changes/:id/reject',
    reviewing(visit => acceptRejection(parts, visit)),
  )
}

export const addReviewRoutes = (server: FastifyInstance, parts: ConsoleParts): Promise<void> =>
  addPages(server, parts.pages, routes => {
    routes.getSignedIn(
      '/review',
      reviewing(visit => showQueue(parts, visit)),
    )
    routes.getSignedIn(
      '/review/audit',
      reviewing(visit => showAudit(parts, visit, 'review')),
    )
    addReviewAppRoutes(routes, parts)
    addChangeRoutes(routes, parts)
    addReviewMasjidRoutes(routes, parts)
    addReviewHostRoutes(routes, parts)
  })
