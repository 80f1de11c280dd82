// A delivery → one signed request to its endpoint, and how that went.

import type { Logger } from '../base/log.ts'
import type { SealingSecrets } from '../base/secrets.ts'
import type { Database } from '../db/database.ts'
import { FetchRefused } from '../outbound/fetch-refused.ts'
import { guardedPost, type Posted } from '../outbound/guarded-post.ts'
import type { Dial } from '../outbound/way.ts'
import { type Delivery, messageId } from './delivery.ts'
import type { WebhookEndpoint } from './endpoint.ts'
import type { Engines } from './engines.ts'
import { eventOf, type WebhookEvent } from './event.ts'
import { QueryUnavailable, runSavedQuery } from './saved-query.ts'
import { signedHeaders } from './signature.ts'
import type { Target } from './target.ts'

export interface Sending {
  readonly database: Database
  readonly engines: Engines
  readonly log: Logger
  readonly dial: Dial
  /** Whether receivers may be on this machine: in development. */
  readonly loopback: boolean
  /** From `sealingSecret`. */
  readonly sealing: SealingSecrets
  /** Aborted when the process stops: what is being sent then is sent again. */
  readonly stopping: AbortSignal
}

export interface Tried {
  readonly kind: 'tried'
  readonly startedAt: Date
  readonly milliseconds: number
  /** Undefined if there was no response; then `reason` says why. */
  readonly status: number | undefined
  readonly reason: string | undefined
  readonly excerpt: string
  /** What was sent, without rows about people. */
  readonly body: string
}

/** `withheld`: the app may not be told of it any more. */
export type Attempt = Tried | { readonly kind: 'withheld' }

const EXCERPT_BYTES = 2048

interface Written {
  readonly sent: string
  readonly kept: string
}

/** The result is spliced in as it is: numbers keep every digit. */
const withResult = ({ data, ...event }: WebhookEvent, result: string): string => {
  const json = JSON.stringify({ ...event, data })
  return `${json.slice(0, -2)}${Object.keys(data).length === 0 ? '' : ','}"result":${result}}}`
}

const write = async (
  { engines, log }: Sending,
  { endpoint: { environment, query }, grant }: Target,
  event: WebhookEvent,
): Promise<Written> => {
  if (query === null || event.data.table === undefined) {
    const sent = JSON.stringify(event)
    return { sent, kept: sent }
  }
  const { json, personal } = await runSavedQuery({ engine: engines[environment], grant, log }, query, event)
  const sent = withResult(event, json)
  return { sent, kept: personal ? withResult(event, '"rows about people are not kept"') : sent }
}

const post = async (sending: Sending, { url }: WebhookEndpoint, headers: Record<string, string>, body: string) =>
  guardedPost(
    {
      address: url,
      purpose: 'webhook',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      excerptBytes: EXCERPT_BYTES,
      loopback: sending.loopback,
      stopping: sending.stopping,
    },
    sending.dial,
  ).then(
    (posted): Posted & { reason: undefined } => ({ ...posted, reason: undefined }),
    error => {
      if (!(error instanceof FetchRefused)) throw error
      return { status: undefined, excerpt: '', reason: error.reason }
    },
  )

const notWritten = (error: unknown): undefined => {
  if (!(error instanceof QueryUnavailable)) throw error
}

const notSent = (startedAt: Date, event: WebhookEvent): Tried => ({
  kind: 'tried',
  startedAt,
  milliseconds: Date.now() - startedAt.getTime(),
  status: undefined,
  reason: 'query',
  excerpt: '',
  body: JSON.stringify(event),
})

/** @param target read just before: what the app may read is asked of the database every time. */
export const attempt = async (sending: Sending, target: Target, delivery: Delivery): Promise<Attempt> => {
  const { endpoint, grant, secrets } = target
  const { model } = sending.engines[endpoint.environment].structures.current()
  const event = eventOf(model, grant, delivery)
  if (event === undefined) return { kind: 'withheld' }
  const startedAt = new Date()
  const written = await write(sending, target, event).catch(notWritten)
  if (written === undefined) return notSent(startedAt, event)
  const { sent, kept } = written
  const headers = signedHeaders({ id: messageId(delivery), sentAt: startedAt, body: sent }, secrets)
  const answer = await post(sending, endpoint, headers, sent)
  return { kind: 'tried', startedAt, milliseconds: Date.now() - startedAt.getTime(), ...answer, body: kept }
}
