// One endpoint: what it follows, how it is doing, what its owner can do, and its deliveries.
import type { App } from '../../../apps/app.ts'
import { mayDo } from '../../../apps/team/roles.ts'
import { type DeliveryState, deliveryStates } from '../../../webhooks/delivery.ts'
import type { WebhookEndpoint } from '../../../webhooks/endpoint.ts'
import { DELIVERIES_PER_PAGE, type ListedDelivery } from '../../../webhooks/list-deliveries.ts'
import type { ListedSecret } from '../../../webhooks/secrets.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { codeBlock, facts, momentOf, pagination, table } from '../../pieces/data.ts'
import { form, textField } from '../../pieces/form.ts'
import { attributes, type Html, html } from '../../pieces/html.ts'
import { badge, notice } from '../../pieces/notices.ts'
import { appFrame } from '../app-frame.ts'
import { codeList } from '../overview-page.ts'
import { answerWords, deliveryBadge, endpointBadge, eventName } from './endpoint-badges.ts'
import { endpointPath } from './webhook-path.ts'

export interface EndpointParts {
  readonly app: App
  readonly endpoint: WebhookEndpoint
  readonly secrets: readonly ListedSecret[]
  /** Tables that the app may not read any more. */
  readonly unreadable: readonly string[]
  readonly deliveries: readonly ListedDelivery[]
  readonly filter: { readonly state: DeliveryState | undefined; readonly page: number; readonly count: number }
  readonly done: string | undefined
  readonly sinceFault?: string | undefined
  /** How far back the change log goes; undefined if it has nothing. */
  readonly loggedSince: Date | undefined
}

const notices = (view: View, { endpoint, unreadable }: EndpointParts): Html => {
  const { webhooks } = view.texts
  const { disabledBecause, failingSince } = endpoint
  return html`${disabledBecause !== null && notice({ tone: 'warn', text: webhooks.disabledBecause[disabledBecause] })}
${disabledBecause === null && failingSince !== null && notice({ tone: 'warn', text: html`${webhooks.failingSince} ${momentOf(view, failingSince)}` })}
${unreadable.length > 0 && notice({ tone: 'warn', text: html`${webhooks.unreadable} <code dir="ltr">${unreadable.join(' ')}</code>` })}`
}

const secretWords = (view: View, { secrets }: EndpointParts): Html =>
  html`<ul class="plain-list">${secrets.map(
    ({ hint, expiresAt }) =>
      html`<li><code dir="ltr">${hint}</code> ${expiresAt !== null && html`<span class="soft">${view.texts.webhooks.formerUntil} ${momentOf(view, expiresAt)}</span>`}</li>`,
  )}</ul>`

const factsOf = (view: View, parts: EndpointParts): Html => {
  const { webhooks } = view.texts
  const { endpoint } = parts
  const { lastSuccessAt, createdAt, masjids, query, tables } = endpoint
  return facts([
    [webhooks.state, endpointBadge(view, endpoint)],
    [webhooks.environment, badge(webhooks.environments[endpoint.environment])],
    [webhooks.tables, codeList(tables, '')],
    [webhooks.masjids, masjids === null ? webhooks.allMasjids : codeList(masjids, '')],
    [webhooks.query, query === null ? webhooks.noQuery : codeBlock(query, webhooks.query)],
    [webhooks.secret, secretWords(view, parts)],
    [webhooks.lastSuccess, lastSuccessAt === null ? webhooks.never : momentOf(view, lastSuccessAt)],
    [webhooks.created, momentOf(view, createdAt)],
  ])
}

const buttonsOf = (view: View, { app, endpoint }: EndpointParts): Html => {
  const { webhooks } = view.texts
  if (!mayDo(app.role, 'develop')) return notice({ tone: 'info', text: view.texts.team.onlyReading })
  const path = (rest: string): string => endpointPath(app.id, endpoint.id, rest)
  const isEnabled = endpoint.state === 'enabled'
  const press = (rest: string, text: string, primary = false): Html =>
    form(view, { action: path(rest), fields: submitButton({ text, look: primary ? 'primary' : 'plain' }) })
  return actions(
    press('/test', webhooks.sendTest, isEnabled),
    isEnabled ? press('/disable', webhooks.disable) : press('/enable', webhooks.enable, true),
    linkButton({ href: path('/edit'), text: webhooks.edit }),
    linkButton({ href: path('/rotate'), text: webhooks.rotate }),
    linkButton({ href: path('/delete'), text: webhooks.remove, look: 'danger' }),
  )
}

const filterLinks = (view: View, { app, endpoint, filter }: EndpointParts): Html => {
  const { webhooks } = view.texts
  const link = (state: DeliveryState | undefined, text: string): Html =>
    html`<li><a class="button small" href="${endpointPath(app.id, endpoint.id, state === undefined ? '' : `?state=${state}`)}"${attributes(
      { 'aria-current': state === filter.state && 'true' },
    )}>${text}</a></li>`
  return html`<nav class="spans" aria-label="${webhooks.filterLabel}"><ul class="plain-list">${link(undefined, webhooks.all)}
${deliveryStates.map(state => link(state, webhooks.deliveryStates[state]))}</ul></nav>`
}

const deliveryTable = (view: View, { app, endpoint, deliveries }: EndpointParts): Html => {
  const { webhooks } = view.texts
  if (deliveries.length === 0) return html`<p>${webhooks.noDeliveries}</p>`
  return table({
    caption: webhooks.deliveries,
    head: [webhooks.event, webhooks.state, webhooks.attempts, webhooks.answer, webhooks.happened],
    numbers: [2],
    rows: deliveries.map(delivery => [
      html`<a href="${endpointPath(app.id, endpoint.id, `/deliveries/${delivery.id}`)}" dir="ltr">${eventName(delivery)}</a>`,
      deliveryBadge(view, delivery.state),
      delivery.attempts,
      answerWords(view, delivery.tries.at(-1)),
      momentOf(view, delivery.happenedAt),
    ]),
  })
}

const replayForm = (view: View, { app, endpoint, sinceFault, loggedSince }: EndpointParts): Html => {
  const { webhooks } = view.texts
  return form(view, {
    action: endpointPath(app.id, endpoint.id, '/replay'),
    fields: html`${textField({ name: 'since', label: webhooks.replaySince, hint: webhooks.replayHint, type: 'datetime-local', fault: sinceFault, attributes: { dir: 'ltr' } })}
${loggedSince !== undefined && html`<p class="soft">${webhooks.loggedSince} ${momentOf(view, loggedSince)}</p>`}
${submitButton({ text: webhooks.replay })}`,
  })
}

const deliveriesPart = (view: View, parts: EndpointParts): Html => {
  const { webhooks } = view.texts
  const { app, endpoint, filter } = parts
  const pages = Math.ceil(filter.count / DELIVERIES_PER_PAGE)
  const href = (page: number): string =>
    endpointPath(app.id, endpoint.id, `?page=${page}${filter.state === undefined ? '' : `&state=${filter.state}`}`)
  return html`<section class="card"><h2>${webhooks.deliveries}</h2><p class="soft">${webhooks.deliveriesText}</p>
${filterLinks(view, parts)}${deliveryTable(view, parts)}${pagination(view, { page: filter.page, pages, href })}
${endpoint.state === 'enabled' && mayDo(app.role, 'develop') && replayForm(view, parts)}</section>`
}

export const endpointPage = (view: View, parts: EndpointParts): Html => {
  const { app, endpoint, done } = parts
  return appFrame(view, {
    app,
    section: 'webhooks',
    title: view.texts.webhooks.endpoint,
    done,
    main: html`<section class="card"><h2><bdi dir="ltr">${endpoint.url}</bdi></h2>
${endpoint.description !== '' && html`<p dir="auto">${endpoint.description}</p>`}${notices(view, parts)}${factsOf(view, parts)}${buttonsOf(view, parts)}</section>
${deliveriesPart(view, parts)}`,
  })
}
