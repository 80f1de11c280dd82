// Allowed apps, sessions and activity; in development, the outbox.

import { type AllowedApp, listAllowedApps, withdrawApp } from '../../accounts/allowed-apps.ts'
import { forgetDevices } from '../../accounts/factors/devices.ts'
import { listOutbox } from '../../accounts/outbox.ts'
import { endSession, endSessions, listSessions } from '../../accounts/sessions.ts'
import { readActivity } from '../../audit/read-activity.ts'
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import { notFound } from '../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { type AccountParts, browserOf } from '../sign-in/account-parts.ts'
import { activityPage } from './activity-page.ts'
import { allowedAppsPage, withdrawAppPage } from './allowed-apps-page.ts'
import { outboxPage } from './outbox-page.ts'
import { sessionsPage } from './sessions-page.ts'

/** Their script fetches nothing. */
const WITH_LOCAL_TIMES = { scriptAsks: ["'none'"] }

const idOf = ({ request }: SignedInVisit): string => (request.params as { readonly id: string }).id

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

const showApps = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const apps = await listAllowedApps(accounts.database, visit.session.user.id)
  return showPage(allowedAppsPage(visit.view, { apps, withdrawn: visit.query.text('done') === 'withdrawn' }))
}

/** @throws {Fault} `not_found` */
const allowedApp = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<AllowedApp> => {
  const apps = await listAllowedApps(accounts.database, visit.session.user.id)
  const app = apps.find(({ id }) => id === idOf(visit))
  if (app === undefined) throw notFound()
  return app
}

const acceptWithdraw = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { id: appId } = await allowedApp(parts, visit)
  await withdrawApp(parts.accounts.database, { userId: visit.session.user.id, appId, visit: browserOf(visit) })
  return redirectTo('/account/apps?done=withdrawn')
}

const sessionNews = (done: string): 'ended' | 'others_ended' | undefined =>
  done === 'ended' || done === 'others_ended' ? done : undefined

const showSessions = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { id: currentId, user } = visit.session
  const sessions = await listSessions(accounts.database, user.id)
  return showPage(
    sessionsPage(visit.view, { sessions, currentId, news: sessionNews(visit.query.text('done')) }),
    WITH_LOCAL_TIMES,
  )
}

const noteEnd = ({ accounts }: AccountParts, visit: SignedInVisit, action: string): Promise<void> => {
  const { id } = visit.session.user
  return recordAccountEvent(accounts.database, { action, actorId: id, userId: id, address: visit.address })
}

const acceptEnd = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const id = idOf(visit)
  const ended = isUuid(id) && (await endSession(parts.accounts.database, visit.session.user.id, id))
  if (!ended) throw notFound()
  await noteEnd(parts, visit, 'account.session_ended')
  return redirectTo('/account/sessions?done=ended')
}

const acceptEndOthers = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  await endSessions(parts.accounts.database, visit.session.user.id, visit.session.id)
  await noteEnd(parts, visit, 'account.sessions_ended')
  return redirectTo('/account/sessions?done=others_ended')
}

/** This browser too. Remembered browsers are asked for the second factor again. */
const acceptEndAll = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  await noteEnd(parts, visit, 'account.sessions_ended')
  await endSessions(parts.accounts.database, visit.session.user.id)
  await forgetDevices(parts.accounts.database, visit.session.user.id)
  parts.pages.visits.cookies.clear(visit.reply, 'session')
  return redirectTo('/sign-in?done=signed_out_everywhere')
}

const showActivity = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const asked = Number(visit.query.text('page'))
  const page = Number.isInteger(asked) && asked > 0 && asked < 100_000 ? asked : 1
  const { lines, pages } = await readActivity(accounts.database, visit.session.user.id, page)
  return showPage(activityPage(visit.view, { lines, page, pages }), WITH_LOCAL_TIMES)
}

export const addAccountListRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.getSignedIn('/account/apps', visit => showApps(parts, visit))
  routes.getSignedIn('/account/apps/:id/withdraw', async visit =>
    showPage(withdrawAppPage(visit.view, await allowedApp(parts, visit))),
  )
  routes.postSignedIn('/account/apps/:id/withdraw', visit => acceptWithdraw(parts, visit))
  routes.getSignedIn('/account/sessions', visit => showSessions(parts, visit))
  routes.postSignedIn('/account/sessions/:id/end', visit => acceptEnd(parts, visit))
  routes.postSignedIn('/account/sessions/end-others', visit => acceptEndOthers(parts, visit))
  routes.postSignedIn('/account/sessions/end-all', visit => acceptEndAll(parts, visit))
  routes.getSignedIn('/account/activity', visit => showActivity(parts, visit))
}

/** Shows everybody's links: never in production. */
export const addOutboxRoute = (routes: PageRoutes, { accounts }: AccountParts): void => {
  routes.get('/outbox', async visit => showPage(outboxPage(visit.view, await listOutbox(accounts.database))))
}
