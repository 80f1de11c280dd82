// A request that can be read → its answer: what POST and GET have in common.
import type { IncomingHttpHeaders } from 'node:http'
import type { Grant } from '../../access/grant.ts'
import type { UsageEvent } from '../../apps/usage.ts'
import type { Logger } from '../../base/log.ts'
import type { Abandonment } from '../../db/reader-connection.ts'
import { answer, type Outcome } from '../../graphql/answer.ts'
import { answerBatch } from '../../graphql/answer-batch.ts'
import type { Graphql } from '../../graphql/create-graphql.ts'
import { type Refusal, refusalOf } from '../../graphql/errors.ts'
import type { Allowance, AllowanceOf } from '../../graphql/limits/allowance.ts'
import type { PersistedQueries } from '../../graphql/persisted-queries.ts'
import type { GraphqlRequest } from '../../graphql/request.ts'
import { type FaultyRequest, toFault } from '../reply-with-fault.ts'
import { type MediaType, mediaTypeFor } from './media-type.ts'
import type { RawRequests } from './read-requests.ts'
import { usageEvents } from './usage-events.ts'
import { type HttpAnswer, type Writing, writeAnswer, writeBatch } from './write-answer.ts'

export interface GraphqlContext {
  readonly engine: Graphql
  /** @throws {Fault} with status 401 for a credential that is missing or no good. */
  readonly authenticate: (authorization: string | undefined) => Promise<Grant>
  /** The grant of a credential that is known to be good, at once; undefined where `authenticate` must be asked. */
  readonly recognise: (authorization: string | undefined) => Grant | undefined
  /** Undefined where rows are not counted. */
  readonly allowanceOf?: AllowanceOf | undefined
  readonly persisted: PersistedQueries
  readonly showSql: boolean
  readonly record: (event: UsageEvent) => void
  readonly log: Logger
}

/** One request under way. */
export interface Exchange {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  /** Told when the client goes away before its answer is finished. */
  readonly abandoned: Abandonment
}

export interface Handled {
  readonly answer: HttpAnswer
  readonly media: MediaType
  readonly outcomes: readonly Outcome[]
  readonly requests: readonly GraphqlRequest[]
}

const writingFor = ({ showSql, engine, log }: GraphqlContext, { id, headers }: Exchange): Writing => ({
  media: mediaTypeFor(headers.accept),
  explain: headers['x-minaret-explain'] === '1',
  showSql,
  readOn: engine.structures.current().readOn,
  unexpected: error => refusalOf(toFault(error, { id, log })) as Refusal,
})

const telling = (answer: HttpAnswer, allowance: Allowance | undefined): HttpAnswer =>
  allowance === undefined ? answer : { ...answer, headers: { ...answer.headers, ...allowance.headers() } }

/** @throws whatever was wrong before the engine could be asked. */
export const handle = async (
  context: GraphqlContext,
  exchange: Exchange,
  read: () => RawRequests,
): Promise<Handled> => {
  const { engine } = context
  const started = performance.now()
  const writing = writingFor(context, exchange)
  const { authorization } = exchange.headers
  const grant = context.recognise(authorization) ?? (await context.authenticate(authorization))
  const { requests: raw, batch } = read()
  const requests = raw.map(context.persisted.resolve)
  const allowance = context.allowanceOf?.(grant)
  const asking = { grant, abandoned: exchange.abandoned, allowance }
  const outcomes = batch
    ? await answerBatch(engine, requests, asking)
    : [await answer(engine, requests[0] as GraphqlRequest, asking)]
  const milliseconds = (performance.now() - started) / outcomes.length
  for (const event of usageEvents(grant, requests, outcomes, milliseconds)) context.record(event)
  const [first] = outcomes
  const written = batch || first === undefined ? writeBatch(outcomes, writing) : writeAnswer(first, writing)
  return { answer: telling(written, allowance), media: writing.media, outcomes, requests }
}

/** What went wrong before the engine could be asked has the shape of a GraphQL error too. */
export const writeFailure = (error: unknown, request: FaultyRequest): HttpAnswer => {
  const { status, headers, errors } = refusalOf(toFault(error, request)) as Refusal
  return { status, headers, body: JSON.stringify({ errors }) }
}
