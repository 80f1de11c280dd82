// The developer console: a developer's apps, and each app's state, first query, usage and history.
import type { FastifyInstance } from 'fastify'
import { parseApiKey } from '../../access/api-key-format.ts'
import { type App, listAppsOfMember } from '../../apps/app.ts'
import { type AppChange, listChanges, pendingChange } from '../../apps/changes.ts'
import { listCredentialEvents } from '../../apps/credential-history.ts'
import { listDrafts } from '../../apps/drafts.ts'
import { listMoves } from '../../apps/history.ts'
import { listMasjidChoices, masjidsOfApp } from '../../apps/masjids.ts'
import { readSigns } from '../../apps/read-signs.ts'
import { readKeyUsage, readQueries, readSeries, type UsageSpan, usageSpans } from '../../apps/read-usage.ts'
import { readErrors } from '../../apps/requests/errors.ts'
import { listTeamEvents } from '../../apps/team/history.ts'
import { findImageStatus, type ImageStatus } from '../../images/images.ts'
import { addTeamConversationRoutes } from '../conversation/team-routes.ts'
import type { Answer } from '../frame/page-reply.ts'
import { addPages, type PageRoutes, type SignedInVisit } from '../frame/page-routes.ts'
import { showWithCopies } from '../pieces/copy/copy.ts'
import { addCredentialRoutes } from './credential-routes.ts'
import { addDevelopmentRoutes } from './development/routes.ts'
import { addDraftRoutes } from './drafts/routes.ts'
import { addConsoleFormRoutes } from './form-routes.ts'
import { historyPage } from './history-page.ts'
import { consolePage } from './list-page.ts'
import { overviewPage } from './overview-page.ts'
import { type ConsoleParts, ownApp } from './parts.ts'
import { addSavedQueryRoutes } from './queries/routes.ts'
import { addRequestRoutes } from './requests/routes.ts'
import { type RunQuery, runFirstQuery } from './run-first-query.ts'
import { addSelfDescribedRoutes } from './self-described/routes.ts'
import { startPage } from './start-page.ts'
import { addStopRoutes } from './stop-routes.ts'
import { addTeamRoutes } from './team/routes.ts'
import { usagePage } from './usage-page.ts'
import { addWebhookRoutes } from './webhooks/routes.ts'
import type { WebhookParts } from './webhooks/webhook-parts.ts'

const overviewNews = ({ view, query }: SignedInVisit): string | undefined => {
  const { console } = view.texts
  const words = {
    registered: console.registeredNotice,
    edited: console.editedNotice,
    'sent-again': console.sentAgainNotice,
    change: console.changeNotice,
  }
  return words[query.text('done') as keyof typeof words]
}

const showList = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const apps = await listAppsOfMember(database, visit.session.user.id)
  const ids = apps.map(({ id }) => id)
  const signs = await readSigns(database, ids)
  const drafts = await listDrafts(database, visit.session.user.id)
  const deleted = visit.query.text('deleted').slice(0, 100) || undefined
  return showWithCopies(
    consolePage(visit.view, { apps, signs, drafts, deleted, saved: visit.query.text('done') === 'draft' }),
  )
}

const logosOf = async (
  { database }: ConsoleParts,
  { logo }: App,
  change: AppChange | undefined,
): Promise<ImageStatus[]> => {
  const addresses = new Set([logo, change?.proposed.logo ?? undefined])
  const found = await Promise.all([...addresses].map(address => findImageStatus(database, address)))
  return found.filter(status => status !== undefined)
}

const showOverview = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const masjids = await masjidsOfApp(parts.database, app.id)
  const change = await pendingChange(parts.database, app.id)
  const logos = await logosOf(parts, app, change)
  const signs = (await readSigns(parts.database, [app.id]))(app.id)
  return showWithCopies(overviewPage(visit.view, { app, signs, masjids, change, logos, done: overviewNews(visit) }))
}

const showStart = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> =>
  showWithCopies(startPage(visit.view, { ...parts, app: await ownApp(parts, visit) }))

const acceptStart = async (parts: ConsoleParts, visit: SignedInVisit, run: RunQuery): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const key = visit.form.text('key')
  const environment = parseApiKey(key)
  if (environment === undefined) {
    const fault = visit.view.texts.firstQuery.missingKey
    return showWithCopies(startPage(visit.view, { ...parts, app, fault }), { status: 422 })
  }
  const answer = await runFirstQuery(run, { app, key, environment })
  return showWithCopies(startPage(visit.view, { ...parts, app, answer }))
}

const spanOf = (text: string): UsageSpan => usageSpans.find(span => span === text) ?? 'hour'

const showUsage = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const { database } = parts
  const app = await ownApp(parts, visit)
  const span = spanOf(visit.query.text('span'))
  const keyId = visit.query.text('key') || undefined
  const points = await readSeries(database, { appId: app.id, span, keyId })
  const before = await readSeries(database, { appId: app.id, span, keyId, before: true })
  const errors = await readErrors(database, app.id, span)
  const keys = await readKeyUsage(database, { appId: app.id, span })
  const queries = await readQueries(database, app.id)
  return showWithCopies(usagePage(visit.view, { app, span, keyId, points, before, errors, keys, queries }))
}

const showHistory = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const [moves, changes] = [await listMoves(parts.database, app.id), await listChanges(parts.database, app.id)]
  const masjidChoices = await listMasjidChoices(parts.database, app.id)
  const team = await listTeamEvents(parts.database, app.id)
  const credentials = await listCredentialEvents(parts.database, app.id)
  return showWithCopies(historyPage(visit.view, { app, moves, changes, masjidChoices, team, credentials }))
}

const addAppRoutes = (routes: PageRoutes, parts: ConsoleParts, run: RunQuery): void => {
  routes.getSignedIn('/console', visit => showList(parts, visit))
  routes.getSignedIn('/console/apps/:id', visit => showOverview(parts, visit))
  routes.getSignedIn('/console/apps/:id/start', visit => showStart(parts, visit))
  routes.postSignedIn('/console/apps/:id/start', visit => acceptStart(parts, visit, run))
  routes.getSignedIn('/console/apps/:id/usage', visit => showUsage(parts, visit))
  routes.getSignedIn('/console/apps/:id/history', visit => showHistory(parts, visit))
}

export const addConsoleRoutes = (server: FastifyInstance, parts: WebhookParts, run: RunQuery): Promise<void> =>
  addPages(server, parts.pages, routes => {
    addAppRoutes(routes, parts, run)
    addConsoleFormRoutes(routes, parts)
    addDraftRoutes(routes, parts)
    addSelfDescribedRoutes(routes, parts)
    addDevelopmentRoutes(routes, parts)
    addTeamRoutes(routes, parts)
    addTeamConversationRoutes(routes, parts)
    addCredentialRoutes(routes, parts)
    addRequestRoutes(routes, parts)
    addSavedQueryRoutes(routes, parts)
    addWebhookRoutes(routes, parts)
    addStopRoutes(routes, parts)
  })
