// The path from request to bytes: every GraphQL request, live or sandbox, over any transport, goes through `enter` below.
// Each stage is one line here and has its own file.
import type { Credentials } from '../../access/credentials.ts'
import type { Grant } from '../../access/grant.ts'
import type { KeyLimits } from '../../access/key-limits.ts'
import type { UsageEvent } from '../../apps/usage.ts'
import type { FairTurns } from '../../base/fair-turns.ts'
import { Fault } from '../../base/fault.ts'
import type { Logger } from '../../base/log.ts'
import { toFault } from '../../base/to-fault.ts'
import { underWay } from '../../base/under-way.ts'
import { readPosition } from '../../db/replicas/wal-position.ts'
import { withinDeadline } from '../../db/within-deadline.ts'
import type { OperationMeter } from '../../metrics/operation-meter.ts'
import { type Again, answerAgain, withHeaders } from '../answers/answer-again.ts'
import type { Answers } from '../answers/answers.ts'
import { keepAnswer } from '../answers/keep-answer.ts'
import { type LookedUp, lookUp } from '../answers/look-up.ts'
import type { Engine } from '../create-graphql.ts'
import { BatchFault, errorCode, type Refusal, refusalOf, subscriptionElsewhere } from '../errors.ts'
import { type Asking, execute, type Prepared } from '../execute.ts'
import type { Allowance } from '../limits/allowance.ts'
import type { Outcome } from '../outcome.ts'
import type { PersistedQueries } from '../persisted-queries.ts'
import { prepare } from '../prepare.ts'
import { recover } from '../recover.ts'
import type { GraphqlRequest } from '../request.ts'
import { serverTiming } from '../server-timing.ts'
import type { SlowStatements } from '../slow-statements.ts'
import type { TimedStatement } from '../timed-statement.ts'
import { changingOf } from '../write/changing.ts'
import { write } from '../write/write.ts'
import { type Attempt, chargeOperations } from './charge-operations.ts'
import { deliver } from './deliver.ts'
import { freshnessOf, type SharedCaching } from './freshness.ts'
import { composeResponse, type HttpResponse } from './http-response.ts'
import { type MediaType, mediaOrJson, mediaTypeFor } from './media-type.ts'
import { hasWritten, positionAfter } from './position-after.ts'
import { readOperations, refuseChanges, refuseKeyedBatch } from './read-operations.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import type { NotedOperation } from './request-notes.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Entrance, IncomingRequest, OutgoingResponse } from './transport.ts'
import { usageEvents } from './usage-events.ts'
import { type Writing, writeBatch, writeBatchRefusal, writeOutcome, writeRefusal } from './write-outcomes.ts'

/** Who comes in, and how much of it at a time. */
export interface Admission {
  /** Counts a request before any work is done for it. @throws {Fault} `too_many_requests` */
  readonly admit?: ((request: IncomingRequest) => void) | undefined
  /** Counts the requests of keys that have a limit. */
  readonly keyLimits: KeyLimits
  /** Undefined if rows are not limited. */
  readonly allowanceOf?: ((grant: Grant, request: IncomingRequest) => Allowance | undefined) | undefined
  /** How many requests of one app are in progress at a time. */
  readonly turns: FairTurns
  /** Whose turns and share of the database a request uses; by default those of the app of its grant. */
  readonly whoOf?: ((request: IncomingRequest) => string) | undefined
}

/** What is answered without asking the database, here or by others. */
interface Keeping {
  /** Cached responses; undefined if every request is answered afresh. */
  readonly cache?: ResponseCache | undefined
  /** Answers that are kept until they change; undefined if none are. */
  readonly answers?: Answers | undefined
  /** What shared caches may keep; undefined if nothing. */
  readonly shared?: SharedCaching | undefined
}

/** Who is told what happened. */
interface Telling {
  readonly record: (event: UsageEvent) => void
  /** Undefined if operations are not counted. */
  readonly meter?: OperationMeter | undefined
  /** Undefined if slow statements are not logged. */
  readonly slow?: SlowStatements | undefined
  /** Whether responses say how long they took; otherwise only to those who ask for explanations. */
  readonly showsTiming?: boolean
  readonly showSql: boolean
  readonly log: Logger
}

/** What differs between the live endpoint and the sandbox. */
export interface Endpoint {
  readonly engine: Engine
  readonly credentials: Credentials
  readonly persisted: PersistedQueries
  readonly admission: Admission
  readonly keeping: Keeping
  readonly telling: Telling
}

/** @throws {Fault} `subscription-elsewhere` */
const prepareAnswer = (engine: Engine, request: GraphqlRequest, asking: Asking): Prepared => {
  const prepared = prepare(engine.structures.current(), request, asking)
  if (prepared.cached.watched !== undefined) throw subscriptionElsewhere()
  return prepared
}

const attempt = (engine: Engine, request: GraphqlRequest, asking: Asking): Attempt => {
  try {
    return { prepared: prepareAnswer(engine, request, asking) }
  } catch (error) {
    return { error }
  }
}

/** Never rejects. Chained rather than awaited: on the hottest path each `await` is measurable. */
const finish = (engine: Engine, one: Attempt, request: GraphqlRequest, asking: Asking): Promise<Outcome> => {
  if ('error' in one) return Promise.resolve(one)
  const { prepared } = one
  const again = (): Prepared => prepareAnswer(engine, request, asking)
  if (prepared.cached.mutation !== undefined) return write({ engine, prepared, asking, again })
  return execute(engine, prepared, asking).then(
    data => ({ result: { data, cached: prepared.cached, cost: prepared.cost } }),
    error => recover({ engine, error, prepared, asking, again }),
  )
}

const isMutation = (one: Attempt): boolean => 'prepared' in one && one.prepared.cached.mutation !== undefined

/** Queries of a batch run side by side; if it has mutations, each operation sees what those before it did. */
const finishAll = async (
  engine: Engine,
  attempts: readonly Attempt[],
  requests: readonly GraphqlRequest[],
  asking: Asking,
): Promise<Outcome[]> => {
  const finishOne = (one: Attempt, index: number): Promise<Outcome> =>
    finish(engine, one, requests[index] as GraphqlRequest, asking)
  if (!attempts.some(isMutation)) return Promise.all(attempts.map(finishOne))
  const outcomes: Outcome[] = []
  for (const [index, one] of attempts.entries()) outcomes.push(await finishOne(one, index))
  return outcomes
}

/** Nothing is read before all operations together are known to fit. @throws {Fault} for a batch that does not. */
export const runOperations = async (
  engine: Engine,
  requests: readonly GraphqlRequest[],
  asking: Asking,
): Promise<Outcome[]> => {
  try {
    chargeOperations.asked(requests.length, asking)
    const attempts: Attempt[] = []
    for (const request of requests) {
      attempts.push(attempt(engine, request, asking))
      chargeOperations.fit(attempts)
    }
    chargeOperations.planned(attempts, asking)
    const [only] = attempts
    if (only !== undefined && attempts.length === 1)
      return [await finish(engine, only, requests[0] as GraphqlRequest, asking)]
    return await finishAll(engine, attempts, requests, asking)
  } catch (error) {
    if (requests.length > 1) throw error instanceof Fault ? new BatchFault(error, requests.length) : error
    return [{ error }]
  }
}

const saysTiming = ({ showsTiming = false }: Telling, { explain }: Writing): boolean => showsTiming || explain

const noteOutcome = (one: Outcome): NotedOperation =>
  'result' in one ? { fields: one.result.cached.counted, source: 'database' } : { fields: undefined, source: 'refused' }

const countOutcome = (meter: OperationMeter, one: Outcome, milliseconds: number): void => {
  if ('result' in one) meter.answered(one.result.cached.counted, 'database', milliseconds)
  else meter.failed(errorCode(one.error))
}

const writingFor = (
  { engine, keeping: { answers }, telling: { showSql, log } }: Endpoint,
  { id, headers }: IncomingRequest,
  media: MediaType,
): Writing => ({
  media,
  explain: headers['x-minaret-explain'] === '1',
  cache: answers === undefined ? undefined : { hit: false },
  showSql,
  readOn: engine.structures.current().readOn,
  unexpected: error => refusalOf(toFault(error, { id, log })) as Refusal,
})

const enter = async (endpoint: Endpoint, request: IncomingRequest): Promise<HttpResponse> => {
  const started = performance.now()
  const { engine, credentials, admission, telling } = endpoint
  const { cache, answers } = endpoint.keeping
  const { accept, authorization } = request.headers
  const media = mediaTypeFor(accept)
  refuseUpgrade(request)
  admission.admit?.(request)
  const grant =
    credentials.recognise(authorization) ?? (await withinDeadline(engine.deadlineMs, credentials.authenticate(request)))
  admission.keyLimits.take(grant)
  const key = cache?.keyOf(request, grant)
  const known = key === undefined ? undefined : cache?.get(key)
  if (known !== undefined) return known
  const allowance = admission.allowanceOf?.(grant, request)
  const position = readPosition(request.headers['x-minaret-position'])
  const writing = writingFor(endpoint, request, media)
  const lookedUp = lookUp(answers, { request, grant, media, structure: engine.structures.current() })
  const { record, meter } = telling
  const again = { answers, request, grant, allowance, position, started, record, meter, writing }
  const kept = lookedUp?.found && (await answerAgain(lookedUp.found, again))
  if (kept !== undefined)
    request.notes?.operations.push({ fields: lookedUp?.found?.request.cached.counted, source: 'memory' })
  if (kept !== undefined) return saysTiming(telling, writing) ? withHeaders(kept, serverTiming(started, [])) : kept
  const who = admission.whoOf?.(request) ?? grant.appId ?? ''
  const waiting = admission.turns.take(who, request.abandoned)
  if (waiting !== undefined) await waiting
  try {
    return await answer(endpoint, request, { ...again, media, key, who, lookedUp })
  } finally {
    admission.turns.release(who)
  }
}

/** Nobody waits for it. */
const reportSlow = (
  { engine: { reader, structures }, telling: { slow } }: Endpoint,
  { id }: IncomingRequest,
  statements: readonly TimedStatement[],
  query: string | undefined,
): void => {
  const { server } = structures.current().model
  void slow?.look({ reader, statements, query, requestId: id, server })
}

interface Entered extends Again {
  readonly media: MediaType
  /** Of the cached response, if it may be cached. */
  readonly key: string | undefined
  readonly who: string
  /** Undefined if the answer is never kept. */
  readonly lookedUp: LookedUp | undefined
}

const answer = async (endpoint: Endpoint, request: IncomingRequest, entered: Entered): Promise<HttpResponse> => {
  const { engine, keeping, telling } = endpoint
  const { grant, who, media, key, lookedUp, allowance, position, started, record, meter, writing } = entered
  const { requests: raw, batch } = readOperations(request)
  const requests = raw.map(endpoint.persisted.resolve)
  underWay.note({ operation: requests[0]?.operationName, document: requests[0]?.query })
  if (request.method === 'GET') refuseChanges(requests)
  if (batch) refuseKeyedBatch(request)
  const timed = saysTiming(telling, writing)
  const statements = request.notes?.statements ?? (timed || telling.slow !== undefined ? [] : undefined)
  const asked = { grant, who, abandoned: request.abandoned, since: started, position, allowance, statements }
  const asking = { ...asked, changing: changingOf(request), moment: batch ? undefined : lookedUp?.moment }
  const outcomes = await runOperations(engine, requests, asking)
  const milliseconds = (performance.now() - started) / outcomes.length
  for (const event of usageEvents(grant, requests, outcomes, milliseconds)) record(event)
  request.notes?.operations.push(...outcomes.map(noteOutcome))
  if (meter !== undefined) for (const outcome of outcomes) countOutcome(meter, outcome, milliseconds)
  if (statements !== undefined) reportSlow(endpoint, request, statements, batch ? undefined : requests[0]?.query)
  const written = batch ? writeBatch(outcomes, writing) : writeOutcome(outcomes[0] as Outcome, writing)
  const wrote = hasWritten(outcomes) ? await positionAfter(engine) : undefined
  // A response that is kept for others says nothing about one request.
  const timing = timed && key === undefined ? serverTiming(started, statements ?? []) : undefined
  const own = { ...allowance?.headers(), ...wrote, ...timing }
  const persisted = raw[0]?.persistedHash !== undefined
  const freshness = freshnessOf(request, { outcomes, batch, key, persisted, shared: keeping.shared })
  const respond = (headers: Readonly<Record<string, string>>): HttpResponse =>
    composeResponse(request, { ...written, headers: { ...written.headers, ...headers } }, { media, freshness })
  const response = respond(own)
  if (key !== undefined && response.etag !== undefined) keeping.cache?.set(key, response)
  keepAnswer({ engine, answers: keeping.answers }, lookedUp, {
    outcome: outcomes[0],
    query: requests[0]?.query,
    respond,
  })
  return response
}

/** Errors before an operation could run have the shape of GraphQL errors too. */
export const refuse = (
  error: unknown,
  request: IncomingRequest,
  log: Logger,
): OutgoingResponse | Promise<OutgoingResponse> => {
  const known = refusalOf(error)
  const refusal = known?.isDocument === true ? known : (refusalOf(toFault(error, { id: request.id, log })) as Refusal)
  const media = mediaOrJson(request.headers.accept)
  const written =
    error instanceof BatchFault ? writeBatchRefusal(refusal, error.operations) : writeRefusal(refusal, media)
  return deliver(request, composeResponse(request, written, { media, freshness: 'no-store' }))
}

export const createEntrance =
  (endpoint: Endpoint): Entrance =>
  async request => {
    try {
      return await deliver(request, await enter(endpoint, request))
    } catch (error) {
      endpoint.telling.meter?.failed(errorCode(error))
      return refuse(error, request, endpoint.telling.log)
    }
  }
