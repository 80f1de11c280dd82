// The routes of an app's webhooks: endpoints, their secrets and their deliveries, for the owner of the app only.
import type { KeyEnvironment } from '../../../access/api-key-format.ts'
import type { Grant } from '../../../access/grant.ts'
import type { App } from '../../../apps/app.ts'
import { notFound } from '../../../http/not-found.ts'
import { findAppGrant } from '../../../webhooks/app-grant.ts'
import {
  createEndpoint,
  deleteEndpoint,
  disableByOwner,
  editEndpoint,
  enableEndpoint,
  type OfEndpoint,
  rotateSecret,
} from '../../../webhooks/change-endpoint.ts'
import { checkEndpoint, type EndpointRules, type RawEndpoint } from '../../../webhooks/check-endpoint.ts'
import { listEndpoints, type WebhookEndpoint } from '../../../webhooks/endpoint.ts'
import { readableTables } from '../../../webhooks/readable-tables.ts'
import { sendTest } from '../../../webhooks/send-test.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { confirmPage } from '../../pieces/confirm-page.ts'
import { showWithCopies } from '../../pieces/copy/copy.ts'
import { fill } from '../../pieces/fill.ts'
import { chosenId, createOnce, newId } from '../one-time-form.ts'
import { actorOf, ownApp } from '../parts.ts'
import { addDeliveryRoutes } from './delivery-routes.ts'
import { endpointFormPage } from './form-page.ts'
import { webhooksPage } from './list-page.ts'
import { secretPage } from './secret-page.ts'
import { newsOf, ownEndpoint, type WebhookParts } from './webhook-parts.ts'
import { endpointPath, webhooksPath } from './webhook-path.ts'

const showList = async (parts: WebhookParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const endpoints = await listEndpoints(parts.database, app.id)
  return showWithCopies(webhooksPage(visit.view, { app, endpoints, done: newsOf(visit) }))
}

const environmentOf = (text: string): KeyEnvironment => (text === 'test' ? 'test' : 'live')

/** An app that may be told nothing has no form. */
const grantFor = async (parts: WebhookParts, app: App, environment: KeyEnvironment): Promise<Grant> => {
  const grant = await findAppGrant(parts.database, app.id, environment)
  if (grant === undefined) throw notFound()
  return grant
}

const rulesFor = async (
  parts: WebhookParts,
  app: App,
  environment: KeyEnvironment,
): Promise<EndpointRules & { readonly readable: string[] }> => {
  const grant = await grantFor(parts, app, environment)
  const engine = parts.sending.engines[environment]
  const readable = readableTables(engine.structures.current().model, grant).map(({ name }) => name)
  const { dial, loopback } = parts.sending
  return { engine, grant, dial, loopback, readable }
}

const rawFrom = ({ form }: SignedInVisit): RawEndpoint => ({
  url: form.text('url'),
  description: form.text('description'),
  tables: form.list('tables'),
  masjids: form.text('masjids'),
  query: form.text('query'),
})

const nothingYet: RawEndpoint = { url: '', description: '', tables: [], masjids: '', query: '' }

const rawOf = ({ url, description, tables, masjids, query }: WebhookEndpoint): RawEndpoint => ({
  url,
  description,
  tables,
  masjids: (masjids ?? []).join('\n'),
  query: query ?? '',
})

const showNew = async (parts: WebhookParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const environment = environmentOf(visit.query.text('environment'))
  const { readable } = await rulesFor(parts, app, environment)
  const form = { app, environment, endpointId: undefined, readable, values: nothingYet, faults: {} }
  return showWithCopies(endpointFormPage(visit.view, form))
}

const acceptNew = async (parts: WebhookParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const environment = environmentOf(visit.form.text('environment'))
  const rules = await rulesFor(parts, app, environment)
  const raw = rawFrom(visit)
  const checked = await checkEndpoint(raw, rules)
  if (checked.kind === 'faulty') {
    const form = { app, environment, endpointId: undefined, readable: rules.readable, values: raw }
    return showWithCopies(endpointFormPage(visit.view, { ...form, faults: checked.faults }), { status: 422 })
  }
  const { sealing } = parts.sending
  const id = chosenId(visit)
  const input = { id, appId: app.id, actor: actorOf(visit), environment, values: checked.values, sealing }
  return createOnce(webhooksPath(app.id, '?done=createdBefore'), async () => {
    const created = await createEndpoint(parts.database, input)
    return showWithCopies(secretPage(visit.view, { app, endpointId: created.id, secret: created.secret }))
  })
}

const showEdit = async (parts: WebhookParts, visit: SignedInVisit): Promise<Answer> => {
  const { app, endpoint } = await ownEndpoint(parts, visit)
  const { environment, id: endpointId } = endpoint
  const { readable } = await rulesFor(parts, app, environment)
  const form = { app, environment, endpointId, readable, values: rawOf(endpoint), faults: {} }
  return showWithCopies(endpointFormPage(visit.view, form))
}

const acceptEdit = async (parts: WebhookParts, visit: SignedInVisit): Promise<Answer> => {
  const { app, endpoint } = await ownEndpoint(parts, visit)
  const { environment, id: endpointId } = endpoint
  const rules = await rulesFor(parts, app, environment)
  const raw = rawFrom(visit)
  const checked = await checkEndpoint(raw, rules)
  if (checked.kind === 'faulty') {
    const form = { app, environment, endpointId, readable: rules.readable, values: raw, faults: checked.faults }
    return showWithCopies(endpointFormPage(visit.view, form), { status: 422 })
  }
  await editEndpoint(parts.database, { appId: app.id, endpointId, actor: actorOf(visit), values: checked.values })
  return redirectTo(endpointPath(app.id, endpointId, '?done=saved'))
}

const acceptTest = async (parts: WebhookParts, visit: SignedInVisit): Promise<Answer> => {
  const { app, endpoint } = await ownEndpoint(parts, visit)
  const sending = { ...parts.sending, stopping: new AbortController().signal }
  const deliveryId = await sendTest(sending, endpoint.id, parts.baseUrl)
  return redirectTo(endpointPath(app.id, endpoint.id, `/deliveries/${deliveryId}`))
}

type Change = (parts: WebhookParts, input: OfEndpoint) => Promise<unknown>

/** Where the owner is then: on the endpoint's page, or on the list once it is gone. */
const accept =
  (parts: WebhookParts, change: Change, done: 'enabled' | 'disabled' | 'deleted') =>
  async (visit: SignedInVisit): Promise<Answer> => {
    const { app, endpoint } = await ownEndpoint(parts, visit)
    await change(parts, { appId: app.id, endpointId: endpoint.id, actor: actorOf(visit) })
    const rest = `?done=${done}`
    return redirectTo(done === 'deleted' ? webhooksPath(app.id, rest) : endpointPath(app.id, endpoint.id, rest))
  }

const acceptRotate = async (parts: WebhookParts, visit: SignedInVisit): Promise<Answer> => {
  const { app, endpoint } = await ownEndpoint(parts, visit)
  const { sealing } = parts.sending
  const input = { id: chosenId(visit), appId: app.id, endpointId: endpoint.id, actor: actorOf(visit), sealing }
  return createOnce(endpointPath(app.id, endpoint.id, '?done=rotatedBefore'), async () => {
    const secret = await rotateSecret(parts.database, input)
    return showWithCopies(secretPage(visit.view, { app, endpointId: endpoint.id, secret }))
  })
}

const ask =
  (parts: WebhookParts, what: 'rotate' | 'remove') =>
  async (visit: SignedInVisit): Promise<Answer> => {
    const { app, endpoint } = await ownEndpoint(parts, visit)
    const { webhooks } = visit.view.texts
    const path = (rest = ''): string => endpointPath(app.id, endpoint.id, rest)
    return showPage(
      confirmPage(visit.view, {
        title: webhooks[`${what}Title`],
        text: fill(webhooks[`${what}Text`], { url: endpoint.url }),
        action: path(what === 'rotate' ? '/rotate' : '/delete'),
        button: webhooks[what],
        cancel: path(),
        section: 'console',
        ...(what === 'rotate' ? { hidden: newId() } : {}),
      }),
    )
  }

export const addWebhookRoutes = (routes: PageRoutes, parts: WebhookParts): void => {
  const at = (rest = ''): string => `/console/apps/:id/webhooks${rest}`
  routes.getSignedIn(at(), visit => showList(parts, visit))
  routes.getSignedIn(at('/new'), visit => showNew(parts, visit))
  routes.postSignedIn(at('/new'), visit => acceptNew(parts, visit))
  routes.getSignedIn(at('/:item/edit'), visit => showEdit(parts, visit))
  routes.postSignedIn(at('/:item/edit'), visit => acceptEdit(parts, visit))
  routes.postSignedIn(at('/:item/test'), visit => acceptTest(parts, visit))
  const change =
    (act: (database: WebhookParts['database'], input: OfEndpoint) => Promise<unknown>): Change =>
    (own, input) =>
      act(own.database, input)
  routes.postSignedIn(at('/:item/enable'), accept(parts, change(enableEndpoint), 'enabled'))
  routes.postSignedIn(at('/:item/disable'), accept(parts, change(disableByOwner), 'disabled'))
  routes.getSignedIn(at('/:item/rotate'), ask(parts, 'rotate'))
  routes.postSignedIn(at('/:item/rotate'), visit => acceptRotate(parts, visit))
  routes.getSignedIn(at('/:item/delete'), ask(parts, 'remove'))
  routes.postSignedIn(at('/:item/delete'), accept(parts, change(deleteEndpoint), 'deleted'))
  addDeliveryRoutes(routes, parts)
}
