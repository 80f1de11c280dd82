// The review desk: the queue, apps by state, and what else reviewers look after.
import type { FastifyInstance } from 'fastify'
import { listAppsInState } from '../../apps/app.ts'
import { countForReview, listWaiting, nextWaiting } from '../../apps/review-queue.ts'
import { showAudit } from '../audit/show-audit.ts'
import type { ConsoleParts } from '../console/parts.ts'
import { addDeskConversationRoutes } from '../conversation/desk-routes.ts'
import { type Answer, showPage } from '../frame/page-reply.ts'
import { addPages, type SignedInVisit } from '../frame/page-routes.ts'
import { reviewing } from '../frame/rights.ts'
import { addReviewAppRoutes } from './app-routes.ts'
import { addChangeRoutes } from './change-routes.ts'
import { addReviewHostRoutes } from './hosts/routes.ts'
import { addReviewMasjidRoutes } from './masjids/routes.ts'
import { newsOfQueue } from './news.ts'
import { queuePage, reviewViews } from './queue-page.ts'

const LONGEST_SEARCH = 100

const showQueue = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const chosen = reviewViews.find(name => name === visit.query.text('state')) ?? 'waiting'
  const words = visit.query.text('words').slice(0, LONGEST_SEARCH)
  const done = newsOfQueue(visit)
  const next = done === undefined ? undefined : await nextWaiting(database, visit.session.user.id)
  const shared = { now: new Date(), done, next, counts: await countForReview(database), words }
  if (chosen === 'waiting' || chosen === 'asked') {
    const waiting = await listWaiting(database, words, chosen === 'asked' ? 'team' : 'reviewer')
    return showPage(queuePage(visit.view, { ...shared, view: chosen, waiting }))
  }
  const apps = await listAppsInState(database, chosen, words)
  return showPage(queuePage(visit.view, { ...shared, view: chosen, apps }))
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
    addDeskConversationRoutes(routes, parts)
    addChangeRoutes(routes, parts)
    addReviewMasjidRoutes(routes, parts)
    addReviewHostRoutes(routes, parts)
  })
