// The state of an endpoint and of a delivery → badges and words.
import type { DeliveryState } from '../../../webhooks/delivery.ts'
import type { WebhookEndpoint } from '../../../webhooks/endpoint.ts'
import type { ListedDelivery, Try } from '../../../webhooks/list-deliveries.ts'
import type { View } from '../../frame/view.ts'
import type { Html } from '../../pieces/html.ts'
import { badge, type Tone } from '../../pieces/notices.ts'
import type { Texts } from '../../texts/texts.ts'

export const endpointBadge = ({ texts }: View, { state, failingSince }: WebhookEndpoint): Html => {
  const { states, failing } = texts.webhooks
  if (state === 'disabled') return badge(states.disabled, 'bad')
  return failingSince === null ? badge(states.enabled, 'good') : badge(failing, 'warn')
}

const tones: Readonly<Record<DeliveryState, Tone>> = {
  waiting: 'info',
  delivered: 'good',
  dead: 'bad',
  withheld: 'warn',
}

export const deliveryBadge = ({ texts }: View, state: DeliveryState): Html =>
  badge(texts.webhooks.deliveryStates[state], tones[state])

type Reason = keyof Texts['webhooks']['reasons']

/** The status, or why there was none. */
export const answerWords = ({ texts }: View, one: Try | undefined): string => {
  if (one === undefined) return ''
  return one.status === null ? texts.webhooks.reasons[one.reason as Reason] : String(one.status)
}

/** Which rows is only said by what was sent: the app may not know it. */
export const eventName = ({ kind, tableName }: ListedDelivery): string =>
  kind === 'change' ? (tableName?.replace(/^\w+\./, '') ?? '') : kind === 'person' ? 'person.erased' : `minaret.${kind}`
