// The latest requests of an app. Every look is checked against the team as it is now, so it ends with a membership.
import { listRequests, lookAtRequests } from '../../../apps/requests/tail.ts'
import { type Answer, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { type ConsoleParts, ownApp } from '../parts.ts'
import { requestsPage } from './page.ts'

const show = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  await lookAtRequests(parts.database, app.id)
  const requests = await listRequests(parts.database, app.id)
  return showPage(requestsPage(visit.view, { app, requests }), { scriptAsks: ["'self'"] })
}

export const addRequestRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn('/console/apps/:id/requests', visit => show(parts, visit))
}
