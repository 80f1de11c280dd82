// What the routes of webhooks share: the console's parts, what sending needs, and the steps before each page.
import type { App } from '../../../apps/app.ts'
import { notFound } from '../../../http/not-found.ts'
import type { Sending } from '../../../webhooks/attempt.ts'
import { findEndpoint, type WebhookEndpoint } from '../../../webhooks/endpoint.ts'
import type { SignedInVisit } from '../../frame/page-routes.ts'
import { type ConsoleParts, ownApp, parameterOf } from '../parts.ts'

export interface WebhookParts extends ConsoleParts {
  readonly sending: Omit<Sending, 'stopping'>
}

/** An endpoint of another app looks like one that does not exist. */
export const ownEndpoint = async (
  parts: WebhookParts,
  visit: SignedInVisit,
): Promise<{ readonly app: App; readonly endpoint: WebhookEndpoint }> => {
  const app = await ownApp(parts, visit)
  const endpoint = await findEndpoint(parts.database, { appId: app.id, endpointId: parameterOf(visit, 'item') })
  if (endpoint === undefined) throw notFound()
  return { app, endpoint }
}

/** What was just done, in words. */
export const newsOf = ({ view, query }: SignedInVisit): string | undefined => {
  const { done } = view.texts.webhooks
  return Object.entries(done).find(([name]) => name === query.text('done'))?.[1]
}
