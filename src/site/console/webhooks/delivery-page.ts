// One delivery: what was sent, how each attempt went, and a button to send it again.
import type { App } from '../../../apps/app.ts'
import { mayDo } from '../../../apps/team/roles.ts'
import { messageId } from '../../../webhooks/delivery.ts'
import type { WebhookEndpoint } from '../../../webhooks/endpoint.ts'
import type { ListedDelivery } from '../../../webhooks/list-deliveries.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { codeBlock, facts, momentOf, scrolledCode, table } from '../../pieces/data.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { appFrame } from '../app-frame.ts'
import { answerWords, deliveryBadge, eventName } from './endpoint-badges.ts'
import { endpointPath } from './webhook-path.ts'

export interface DeliveryParts {
  readonly app: App
  readonly endpoint: WebhookEndpoint
  readonly delivery: ListedDelivery
  readonly done: string | undefined
}

const factsOf = (view: View, { delivery }: DeliveryParts): Html => {
  const { webhooks } = view.texts
  const { state, happenedAt, attempts, nextAttemptAt } = delivery
  return facts([
    [webhooks.state, deliveryBadge(view, state)],
    [webhooks.messageId, html`<code dir="ltr">${messageId(delivery)}</code>`],
    [webhooks.happened, momentOf(view, happenedAt)],
    [webhooks.attempts, attempts],
    ...(state === 'waiting' ? [[webhooks.nextAttempt, momentOf(view, nextAttemptAt)] as const] : []),
  ])
}

const bodyPart = (view: View, { delivery: { body } }: DeliveryParts): Html => {
  const { webhooks } = view.texts
  return html`<h3 class="spaced">${webhooks.body}</h3>${body === null ? html`<p class="soft">${webhooks.noBody}</p>` : codeBlock(body, webhooks.body)}`
}

const triesPart = (view: View, { delivery: { tries } }: DeliveryParts): Html => {
  const { webhooks } = view.texts
  if (tries.length === 0) return nothing
  return html`<h3 class="spaced">${webhooks.attempts}</h3>${table({
    caption: webhooks.attempts,
    head: [webhooks.happened, webhooks.answer, webhooks.milliseconds, webhooks.response],
    numbers: [2],
    rows: tries.map(one => [
      momentOf(view, new Date(one.at)),
      answerWords(view, one),
      one.milliseconds,
      scrolledCode(one.excerpt),
    ]),
  })}`
}

/** What was withheld has nothing left to send; a test has its own button. */
const mayReplay = ({ app, delivery: { kind, state }, endpoint }: DeliveryParts): boolean =>
  mayDo(app.role, 'develop') &&
  kind !== 'test' &&
  (state === 'delivered' || state === 'dead') &&
  endpoint.state === 'enabled'

export const deliveryPage = (view: View, parts: DeliveryParts): Html => {
  const { webhooks } = view.texts
  const { app, endpoint, delivery, done } = parts
  const back = linkButton({ href: endpointPath(app.id, endpoint.id), text: webhooks.toEndpoint })
  const action = endpointPath(app.id, endpoint.id, `/deliveries/${delivery.id}/replay`)
  const again = submitButton({ text: webhooks.replay, look: 'primary' })
  const tone = delivery.state === 'delivered' ? 'good' : delivery.state === 'dead' ? 'bad' : 'info'
  return appFrame(view, {
    app,
    section: 'webhooks',
    title: eventName(delivery),
    done,
    main: html`<section class="card"><h2><bdi dir="ltr">${eventName(delivery)}</bdi></h2>
${notice({ tone, text: webhooks.deliveryHelp[delivery.state] })}${factsOf(view, parts)}${bodyPart(view, parts)}${triesPart(view, parts)}
${actions(mayReplay(parts) ? form(view, { action, fields: again }) : nothing, back)}</section>`,
  })
}
