// POST and GET {sandbox_url}/v1/graphql: the same engine over invented data, for everybody; answers are kept for a minute.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access/create-access.ts'
import { networkOf } from '../base/ip-address.ts'
import type { Counting, Limit } from '../base/limit.ts'
import type { Logger } from '../base/log.ts'
import type { Config } from '../config.ts'
import type { Listener } from '../db/listener.ts'
import type { Graphql } from '../graphql/create-graphql.ts'
import { createPersistedQueries } from '../graphql/persisted-queries.ts'
import { ANSWER_AGE_SECONDS, type AnswerCache, createAnswerCache, knownAnswer } from '../sandbox/answer-cache.ts'
import { RENEWED_CHANNEL } from '../sandbox/renew-fixtures.ts'
import { createRequestLimit } from '../sandbox/request-limit.ts'
import { createSandboxAuthenticate, type SandboxAuthenticate, wholeSchemaGrant } from '../sandbox/sandbox-grant.ts'
import { entityTag } from './entity-tag.ts'
import type { Keep } from './graphql/post.ts'
import { addGraphqlRoutes } from './graphql-routes.ts'
import { createSandboxFront, type SandboxFront } from './sandbox-front.ts'
import { addSchemaRoutes } from './schema-routes.ts'

export interface SandboxParts {
  readonly engine: Graphql
  readonly access: Access
  readonly listener: Listener
  /** Undefined where limits are switched off. */
  readonly counting: Counting | undefined
  readonly config: Pick<Config, 'trustedProxies' | 'mode'>
  readonly log: Logger
}

export interface Sandbox {
  readonly engine: Graphql
  readonly authenticate: SandboxAuthenticate
  readonly cache: AnswerCache
  readonly limit: Limit | undefined
  readonly front: SandboxFront
  readonly showSql: boolean
  readonly log: Logger
}

/** Renewed data, and news that may have been missed, empty the memory of answers. */
export const createSandbox = async (parts: SandboxParts): Promise<Sandbox> => {
  const { engine, access, listener, counting, config, log } = parts
  const cache = createAnswerCache()
  await listener.on(RENEWED_CHANNEL, () => cache.clear())
  listener.onReconnected(() => cache.clear())
  const authenticate = createSandboxAuthenticate(access)
  const limit = createRequestLimit(counting)
  const version = (): string => engine.structures.current().version
  const front = createSandboxFront({ cache, authenticate, version, limit, trustedProxies: config.trustedProxies })
  return { engine, authenticate, cache, limit, front, showSql: config.mode !== 'production', log }
}

/** What a later caller would get as well: whole answers, and no errors. */
const isLasting = (status: number, body: unknown): body is string =>
  status === 200 && typeof body === 'string' && body.startsWith('{"data":')

/** Keeps an answer for those who ask the same; gives back the headers that say for how long it holds. */
const keepAnswer =
  ({ cache, front }: Sandbox): Keep =>
  (request, { status, body, headers }) => {
    const key = front.keyOf(request)
    if (key === undefined || !isLasting(status, body)) return undefined
    const who = request.headers.authorization === undefined ? 'public' : 'private'
    const etag = entityTag(body)
    const lasting = ['cache-control', `${who}, max-age=${ANSWER_AGE_SECONDS}`, 'etag', etag]
    cache.set(key, knownAnswer(body, etag, [...headers, ...lasting]))
    return lasting
  }

const perAnswer = ['x-request-id', 'content-length', 'content-encoding', 'date', 'connection', 'cache-control', 'etag']

const headersOf = (reply: FastifyReply): string[] =>
  Object.entries(reply.getHeaders())
    .filter(([name]) => !perAnswer.includes(name))
    .flatMap(([name, value]) => [name, String(value)])

/** The same for answers to GET, which the framework sends. */
const keepReplies = (keep: Keep) => async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
  const { statusCode: status } = reply
  if (!isLasting(status, payload)) return payload
  const lasting = keep(request.raw, { status, body: payload, headers: headersOf(reply) }) ?? []
  for (let at = 0; at < lasting.length; at += 2) reply.header(lasting[at] as string, lasting[at + 1])
  return payload
}

export const addSandboxRoutes = async (server: FastifyInstance, sandbox: Sandbox): Promise<void> => {
  const { engine, authenticate, limit, showSql, log } = sandbox
  const keep = keepAnswer(sandbox)
  await server.register(async scope => {
    scope.addHook('onRequest', async request => limit?.take(networkOf(request.clientAddress)))
    scope.addHook('onSend', keepReplies(keep))
    await addGraphqlRoutes(scope, {
      engine,
      authenticate,
      recognise: () => undefined,
      persisted: createPersistedQueries(),
      cache: 'public',
      showSql,
      record: () => undefined,
      log,
      keep,
    })
    addSchemaRoutes(scope, { engine, authenticate: async () => wholeSchemaGrant })
  })
}
