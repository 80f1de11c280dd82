// An endpoint's saved query → its result for one event, with what the app may read now; and whether a query can be saved.
import type { Grant } from '../access/grant.ts'
import type { Logger } from '../base/log.ts'
import { NIL_UUID } from '../base/uuid.ts'
import type { Engine } from '../graphql/create-graphql.ts'
import { asksForChange } from '../graphql/document.ts'
import { runOperations } from '../graphql/entrance/entrance.ts'
import { writeOutcome } from '../graphql/entrance/write-outcomes.ts'
import { refusalOf } from '../graphql/errors.ts'
import { prepare } from '../graphql/prepare.ts'
import type { GraphqlRequest } from '../graphql/request.ts'
import type { WebhookEvent } from './event.ts'

export interface QueryResult {
  /** A GraphQL response as JSON: `data`, or `errors`. */
  readonly json: string
  /** It has rows about people. */
  readonly personal: boolean
}

/** What a saved query may declare. */
const variablesOf = ({ data }: WebhookEvent): Record<string, unknown> => ({
  masjid_id: data.masjid_id ?? null,
  id: data.key?.id ?? null,
  table: data.table ?? null,
  kind: data.kind ?? null,
})

const requestFor = (query: string, event: WebhookEvent): GraphqlRequest => ({
  query,
  operationName: undefined,
  variables: variablesOf(event),
})

const example: WebhookEvent = {
  type: 'example',
  timestamp: '',
  data: { table: 'up_events', masjid_id: NIL_UUID, key: { id: NIL_UUID }, kind: 'update' },
}

/** @returns why the query cannot be saved; undefined if it can. */
export const refusalOfQuery = (engine: Engine, grant: Grant, query: string): string | undefined => {
  try {
    if (asksForChange(query, undefined)) return 'Only a query can be saved, no mutation and no subscription.'
    prepare(engine.structures.current(), requestFor(query, example), { grant })
    return undefined
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    return refusal.errors[0]?.message ?? 'This query cannot be run.'
  }
}

/** The query could not be run now, through no fault of its own: the event is sent later. */
export class QueryUnavailable extends Error {}

/** Ours, and not the app's: the database is away or busy, or something is broken. */
const isOurs = (error: unknown): boolean => {
  const refusal = refusalOf(error)
  return refusal === undefined || refusal.status >= 500 || refusal.status === 429
}

export interface Asked {
  readonly engine: Engine
  readonly grant: Grant
  readonly log: Logger
}

/** @throws QueryUnavailable */
export const runSavedQuery = async (
  { engine, grant, log }: Asked,
  query: string,
  event: WebhookEvent,
): Promise<QueryResult> => {
  if (asksForChange(query, undefined)) throw new Error('a saved query that is not a query')
  const asking = { grant, since: performance.now() }
  const [outcome] = await runOperations(engine, [requestFor(query, event)], asking)
  if (outcome === undefined) throw new Error('an operation without an outcome')
  if ('error' in outcome && isOurs(outcome.error)) {
    log.warn({ err: outcome.error, app: grant.appId }, 'the saved query of a webhook could not be run')
    throw new QueryUnavailable()
  }
  const { body } = writeOutcome(outcome, {
    media: 'application/json',
    explain: false,
    showSql: false,
    readOn: engine.structures.current().readOn,
    unexpected: error => {
      throw error
    },
  })
  return { json: body, personal: 'result' in outcome && outcome.result.cached.personal }
}
