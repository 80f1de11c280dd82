// An endpoint's saved query → its result for one event, with what the app may read now.
import { randomUUID } from 'node:crypto'
import type { Grant } from '../access/grant.ts'
import type { Logger } from '../base/log.ts'
import { toFault } from '../base/to-fault.ts'
import type { Engine } from '../graphql/create-graphql.ts'
import { asksForChange } from '../graphql/document.ts'
import { runOperations } from '../graphql/entrance/entrance.ts'
import { writeOutcome } from '../graphql/entrance/write-outcomes.ts'
import { type Refusal, refusalOf } from '../graphql/errors.ts'
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

export interface Asked {
  readonly engine: Engine
  readonly grant: Grant
  readonly log: Logger
}

export const runSavedQuery = async (
  { engine, grant, log }: Asked,
  query: string,
  event: WebhookEvent,
): Promise<QueryResult> => {
  if (asksForChange(query, undefined)) throw new Error('a saved query that is not a query')
  const asking = { grant, since: performance.now() }
  const [outcome] = await runOperations(engine, [requestFor(query, event)], asking)
  if (outcome === undefined) throw new Error('an operation without an outcome')
  const { body } = writeOutcome(outcome, {
    media: 'application/json',
    explain: false,
    showSql: false,
    readOn: engine.structures.current().readOn,
    unexpected: error => refusalOf(toFault(error, { id: randomUUID(), log })) as Refusal,
  })
  return { json: body, personal: 'result' in outcome && outcome.result.cached.personal }
}
