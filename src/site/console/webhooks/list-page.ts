// An app's webhook endpoints.
import type { App } from '../../../apps/app.ts'
import { mayDo } from '../../../apps/team/roles.ts'
import type { WebhookEndpoint } from '../../../webhooks/endpoint.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton } from '../../pieces/buttons.ts'
import { momentOf, table } from '../../pieces/data.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge, emptyState, notice } from '../../pieces/notices.ts'
import { appFrame } from '../app-frame.ts'
import { endpointBadge } from './endpoint-badges.ts'
import { endpointPath, webhooksPath } from './webhook-path.ts'

export interface WebhooksParts {
  readonly app: App
  readonly endpoints: readonly WebhookEndpoint[]
  readonly done: string | undefined
}

const addButtons = ({ texts }: View, app: App): Html => {
  const { webhooks } = texts
  const test = linkButton({ href: webhooksPath(app.id, '/new?environment=test'), text: webhooks.addTest })
  if (!mayDo(app.role, 'develop')) return notice({ tone: 'info', text: texts.team.onlyReading })
  if (app.state === 'suspended') return html``
  if (app.state !== 'approved') return html`${notice({ tone: 'info', text: webhooks.notYet })}${actions(test)}`
  return actions(linkButton({ href: webhooksPath(app.id, '/new'), text: webhooks.add, look: 'primary' }), test)
}

const endpointTable = (view: View, { app, endpoints }: WebhooksParts): Html => {
  const { webhooks } = view.texts
  return table({
    caption: webhooks.title,
    head: [webhooks.url, webhooks.environment, webhooks.tables, webhooks.state, webhooks.lastSuccess],
    rows: endpoints.map(endpoint => [
      html`<a href="${endpointPath(app.id, endpoint.id)}" dir="ltr">${endpoint.url}</a>${endpoint.description !== '' && html`<br><bdi class="soft small">${endpoint.description}</bdi>`}`,
      badge(webhooks.environments[endpoint.environment], endpoint.environment === 'live' ? 'good' : 'info'),
      html`<span dir="ltr">${endpoint.tables.join(' ')}</span>`,
      endpointBadge(view, endpoint),
      endpoint.lastSuccessAt === null ? webhooks.never : momentOf(view, endpoint.lastSuccessAt),
    ]),
  })
}

export const webhooksPage = (view: View, parts: WebhooksParts): Html => {
  const { webhooks } = view.texts
  const { app, endpoints, done } = parts
  const list =
    endpoints.length === 0
      ? emptyState({ title: webhooks.empty, text: webhooks.emptyText })
      : endpointTable(view, parts)
  return appFrame(view, {
    app,
    section: 'webhooks',
    done,
    main: html`<section class="card"><h2>${webhooks.title}</h2>
<p class="soft">${webhooks.lead} <a href="/docs/webhooks">${webhooks.guide}</a></p>${list}${addButtons(view, app)}</section>`,
  })
}
