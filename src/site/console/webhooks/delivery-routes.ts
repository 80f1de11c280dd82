// The routes of an endpoint's deliveries: listed, looked at, sent again.
import { notFound } from '../../../http/not-found.ts'
import { findAppGrant } from '../../../webhooks/app-grant.ts'
import { deliveryStates } from '../../../webhooks/delivery.ts'
import type { WebhookEndpoint } from '../../../webhooks/endpoint.ts'
import { countDeliveries, findDelivery, listDeliveries } from '../../../webhooks/list-deliveries.ts'
import { readableTables } from '../../../webhooks/readable-tables.ts'
import { firstLogged, replayOne, replaySince } from '../../../webhooks/replay.ts'
import { listSecrets } from '../../../webhooks/secrets.ts'
import { type Answer, redirectTo } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { showWithCopies } from '../../pieces/copy/copy.ts'
import { actorOf, parameterOf } from '../parts.ts'
import { deliveryPage } from './delivery-page.ts'
import { endpointPage } from './endpoint-page.ts'
import { newsOf, ownEndpoint, type WebhookParts } from './webhook-parts.ts'
import { endpointPath } from './webhook-path.ts'

const unreadableOf = async (
  { database, sending }: WebhookParts,
  { appId, environment, tables }: WebhookEndpoint,
): Promise<string[]> => {
  const grant = await findAppGrant(database, appId, environment)
  if (grant === undefined) return []
  const { model } = sending.engines[environment].structures.current()
  const readable = new Set(readableTables(model, grant).map(({ name }) => name))
  return tables.filter(name => !readable.has(name))
}

const MOST_PAGES = 1000

const pageOf = (text: string): number => Math.min(Math.max(Math.trunc(Number(text)) || 1, 1), MOST_PAGES)

const showEndpoint = async (parts: WebhookParts, visit: SignedInVisit, sinceFault?: string): Promise<Answer> => {
  const { app, endpoint } = await ownEndpoint(parts, visit)
  const { database } = parts
  const state = deliveryStates.find(one => one === visit.query.text('state'))
  const page = pageOf(visit.query.text('page'))
  const wanted = { endpointId: endpoint.id, state, page }
  const [deliveries, count] = [await listDeliveries(database, wanted), await countDeliveries(database, wanted)]
  const secrets = await listSecrets(database, endpoint.id)
  const unreadable = await unreadableOf(parts, endpoint)
  const filter = { state, page, count }
  const loggedSince = await firstLogged(database)
  const shown = { app, endpoint, secrets, unreadable, deliveries, filter, done: newsOf(visit), sinceFault, loggedSince }
  return showWithCopies(endpointPage(visit.view, shown), { status: sinceFault === undefined ? 200 : 422 })
}

const showDelivery = async (parts: WebhookParts, visit: SignedInVisit): Promise<Answer> => {
  const { app, endpoint } = await ownEndpoint(parts, visit)
  const wanted = { endpointId: endpoint.id, deliveryId: parameterOf(visit, 'delivery') }
  const delivery = await findDelivery(parts.database, wanted)
  if (delivery === undefined) throw notFound()
  return showWithCopies(deliveryPage(visit.view, { app, endpoint, delivery, done: newsOf(visit) }))
}

const acceptReplay = async (parts: WebhookParts, visit: SignedInVisit): Promise<Answer> => {
  const { app, endpoint } = await ownEndpoint(parts, visit)
  const wanted = { endpointId: endpoint.id, deliveryId: parameterOf(visit, 'delivery') }
  const delivery = await findDelivery(parts.database, wanted)
  if (delivery === undefined) throw notFound()
  await replayOne(parts.database, { appId: app.id, actor: actorOf(visit), ...wanted })
  return redirectTo(endpointPath(app.id, endpoint.id, `/deliveries/${delivery.id}?done=replayed`))
}

/** As a browser's field sends it: 2026-11-16T19:30, meant as UTC. */
const momentFrom = (text: string): Date | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return undefined
  const moment = new Date(`${text}Z`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

const acceptReplaySince = async (parts: WebhookParts, visit: SignedInVisit): Promise<Answer> => {
  const { app, endpoint } = await ownEndpoint(parts, visit)
  const since = momentFrom(visit.form.text('since'))
  if (since === undefined) return showEndpoint(parts, visit, visit.view.texts.webhooks.faults.since)
  await replaySince(parts.database, { appId: app.id, endpointId: endpoint.id, actor: actorOf(visit), since })
  return redirectTo(endpointPath(app.id, endpoint.id, '?done=replayed'))
}

export const addDeliveryRoutes = (routes: PageRoutes, parts: WebhookParts): void => {
  const at = (rest = ''): string => `/console/apps/:id/webhooks/:item${rest}`
  routes.getSignedIn(at(), visit => showEndpoint(parts, visit))
  routes.postSignedIn(at('/replay'), visit => acceptReplaySince(parts, visit))
  routes.getSignedIn(at('/deliveries/:delivery'), visit => showDelivery(parts, visit))
  routes.postSignedIn(at('/deliveries/:delivery/replay'), visit => acceptReplay(parts, visit))
}
