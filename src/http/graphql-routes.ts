// GET and POST /v1/graphql: credential, request, answer. Engine and credentials are given, so that the sandbox has the same.
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Grant } from '../access/grant.ts'
import type { UsageEvent } from '../apps/usage.ts'
import { answer } from '../graphql/answer.ts'
import { answerBatch, type Outcome } from '../graphql/answer-batch.ts'
import type { Graphql } from '../graphql/create-graphql.ts'
import { asksForChange } from '../graphql/document.ts'
import { fault, type Refusal, refusalOf } from '../graphql/errors.ts'
import type { Asking } from '../graphql/execute.ts'
import { createPersistedQueries, type PersistedQueries } from '../graphql/persisted-queries.ts'
import type { GraphqlRequest } from '../graphql/request.ts'
import { abandonmentOf } from './graphql/abandonment-of.ts'
import { mediaTypeFor } from './graphql/media-type.ts'
import { type Body, readBody } from './graphql/read-body.ts'
import { notOurMediaType, type RawRequests, requestsOfGet, requestsOfPost } from './graphql/read-requests.ts'
import { usageEvents } from './graphql/usage-events.ts'
import { entityTag, type HttpAnswer, isPublic, type Writing, writeAnswer, writeBatch } from './graphql/write-answer.ts'
import { toFault } from './reply-with-fault.ts'

export interface GraphqlRoutes {
  readonly engine: Graphql
  /** @throws {Fault} with status 401 for a credential that is missing or no good. */
  readonly authenticate: (authorization: string | undefined) => Promise<Grant>
  /** Whether answers that do not depend on who asks may be kept by caches that many share. */
  readonly cache: 'private' | 'public'
  readonly showSql: boolean
  readonly record: (event: UsageEvent) => void
}

interface Context extends GraphqlRoutes {
  readonly persisted: PersistedQueries
}

const PATH = '/v1/graphql'
const FRESH_SECONDS = 60

const writingFor = ({ showSql, engine }: Context, request: FastifyRequest): Writing => ({
  media: mediaTypeFor(request.headers.accept),
  explain: request.headers['x-minaret-explain'] === '1',
  showSql,
  readOn: engine.structures.current().readOn,
  unexpected: error => refusalOf(toFault(error, request)) as Refusal,
})

const outcomesOf = async (
  { engine }: Context,
  requests: readonly GraphqlRequest[],
  asking: Asking,
  batch: boolean,
): Promise<Outcome[]> => {
  if (batch) return answerBatch(engine, requests, asking)
  try {
    return [{ answer: await answer(engine, requests[0] as GraphqlRequest, asking) }]
  } catch (error) {
    return [{ error }]
  }
}

interface Handled {
  readonly answer: HttpAnswer
  readonly outcomes: readonly Outcome[]
  readonly requests: readonly GraphqlRequest[]
}

const handle = async (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => RawRequests,
): Promise<Handled> => {
  const started = performance.now()
  const writing = writingFor(context, request)
  const grant = await context.authenticate(request.headers.authorization)
  const { requests: raw, batch } = read()
  const requests = raw.map(context.persisted.resolve)
  const outcomes = await outcomesOf(context, requests, { grant, abandoned: abandonmentOf(reply.raw) }, batch)
  const milliseconds = (performance.now() - started) / outcomes.length
  for (const event of usageEvents(grant, requests, outcomes, milliseconds)) context.record(event)
  const [first] = outcomes
  const written = batch || first === undefined ? writeBatch(outcomes, writing) : writeAnswer(first, writing)
  reply.type(`${writing.media}; charset=utf-8`)
  return { answer: written, outcomes, requests }
}

const send = (reply: FastifyReply, { status, headers, body }: HttpAnswer): FastifyReply =>
  reply.status(status).headers(headers).send(body)

const post =
  (context: Context) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const read = (): RawRequests => requestsOfPost(request.headers, request.body as Body | undefined)
    const handled = await handle(context, request, reply, read)
    return send(reply.header('cache-control', 'no-store'), handled.answer)
  }

const notForGet = (): Error =>
  fault('method-not-allowed', 'GET is for queries. Send anything else with POST.', { allow: 'POST' })

/** Answers that do not depend on who asks may be kept for a while, and asked for again by their tag. */
const get =
  (context: Context) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const read = (): RawRequests => requestsOfGet(request.query as Record<string, unknown>)
    const { answer: written, outcomes, requests } = await handle(context, request, reply, read)
    const [outcome] = outcomes
    const [asked] = requests
    if (outcome === undefined || 'error' in outcome || !isPublic(outcome.answer.cached.plan)) {
      if (asked !== undefined && asksForChange(asked.query, asked.operationName)) throw notForGet()
      return send(reply.header('cache-control', 'no-store'), written)
    }
    const tag = entityTag(written.body)
    reply.header('cache-control', `${context.cache}, max-age=${FRESH_SECONDS}`).header('etag', tag)
    if (request.headers['if-none-match']?.includes(tag) === true) return reply.status(304).send()
    return send(reply, written)
  }

const mediaOf = (request: FastifyRequest): string => {
  try {
    return mediaTypeFor(request.headers.accept)
  } catch {
    return 'application/json'
  }
}

/** Whatever goes wrong before the engine is asked has the shape of a GraphQL error too. */
const replyWithErrors = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const isMediaType = (error as { statusCode?: unknown } | null)?.statusCode === 415
  const refusal = refusalOf(toFault(isMediaType ? notOurMediaType() : error, request)) as Refusal
  reply
    .status(refusal.status)
    .headers(refusal.headers)
    .header('cache-control', 'no-store')
    .type(`${mediaOf(request)}; charset=utf-8`)
    .send(JSON.stringify({ errors: refusal.errors }))
}

const compression = {
  // Of answers only: a body is at most 256 KiB, and a small one could unpack to anything.
  globalDecompression: false,
  threshold: 2048,
  encodings: ['br', 'gzip'] as ('br' | 'gzip')[],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  zlibOptions: { level: 5 },
}

const crossOrigin = {
  origin: '*',
  methods: ['GET', 'POST', 'OPTIONS'],
  allowedHeaders: ['authorization', 'content-type', 'accept', 'x-minaret-explain', 'if-none-match'],
  exposedHeaders: ['x-request-id', 'etag', 'deprecation', 'sunset', 'www-authenticate', 'retry-after'],
  maxAge: 86_400,
}

export const addGraphqlRoutes = async (server: FastifyInstance, options: GraphqlRoutes): Promise<void> => {
  const context: Context = { ...options, persisted: createPersistedQueries() }
  await server.register(async scope => {
    await scope.register(cors, crossOrigin)
    await scope.register(compress, compression)
    scope.removeAllContentTypeParsers()
    // Both: the one for any type alone would be looked for anew with each request.
    scope.addContentTypeParser('application/json', readBody)
    scope.addContentTypeParser('*', readBody)
    scope.setErrorHandler(replyWithErrors)
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('vary', 'accept, authorization')
      done()
    })
    scope.get(PATH, get(context))
    scope.post(PATH, post(context))
    scope.route({
      method: ['PUT', 'PATCH', 'DELETE'],
      url: PATH,
      handler: async () => {
        throw fault('method-not-allowed', 'Use POST, or GET for queries.', { allow: 'GET, POST, OPTIONS' })
      },
    })
  })
}
