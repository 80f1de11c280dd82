// POST and GET {sandbox_url}/v1/graphql: the same engine over invented data, for everybody; answers are kept for a minute.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access/create-access.ts'
import type { Limit } from '../accounts/limits.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config.ts'
import type { Listener } from '../db/listener.ts'
import type { Graphql } from '../graphql/create-graphql.ts'
import { ANSWER_AGE_SECONDS, type AnswerCache, createAnswerCache, knownAnswer } from '../sandbox/answer-cache.ts'
import { RENEWED_CHANNEL } from '../sandbox/renew-fixtures.ts'
import { createRequestLimit } from '../sandbox/request-limit.ts'
import { createSandboxAuthenticate, type SandboxAuthenticate, wholeSchemaGrant } from '../sandbox/sandbox-grant.ts'
import { entityTag } from './graphql/write-answer.ts'
import { addGraphqlRoutes } from './graphql-routes.ts'
import { createSandboxFront, type SandboxFront } from './sandbox-front.ts'
import { addSchemaRoutes } from './schema-routes.ts'

export interface SandboxParts {
  readonly engine: Graphql
  readonly access: Access
  readonly listener: Listener
  readonly clock: Clock
  readonly config: Pick<Config, 'rateLimits' | 'trustProxy' | 'mode'>
}

export interface Sandbox {
  readonly engine: Graphql
  readonly authenticate: SandboxAuthenticate
  readonly cache: AnswerCache
  readonly limit: Limit | undefined
  readonly front: SandboxFront
  readonly showSql: boolean
}

/** Renewed data, and news that may have been missed, empty the memory of answers. */
export const createSandbox = async (parts: SandboxParts): Promise<Sandbox> => {
  const { engine, access, listener, clock, config } = parts
  const cache = createAnswerCache()
  await listener.on(RENEWED_CHANNEL, () => cache.clear())
  listener.onReconnected(() => cache.clear())
  const authenticate = createSandboxAuthenticate(access)
  const limit = createRequestLimit(config.rateLimits, clock)
  const version = (): string => engine.structures.current().version
  const front = createSandboxFront({ cache, authenticate, version, limit, trustProxy: config.trustProxy })
  return { engine, authenticate, cache, limit, front, showSql: config.mode !== 'production' }
}

/** What a later caller would get as well: whole answers, and no errors. */
const isLasting = (reply: FastifyReply, payload: unknown): payload is string =>
  reply.statusCode === 200 && typeof payload === 'string' && payload.startsWith('{"data":')

const perAnswer = ['x-request-id', 'content-length', 'content-encoding', 'date', 'connection']

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders())
      .filter(([name]) => !perAnswer.includes(name))
      .map(([name, value]) => [name, String(value)]),
  )

const keepAnswers =
  ({ cache, front }: Sandbox) =>
  async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const key = front.keyOf(request.raw)
    if (key === undefined || !isLasting(reply, payload)) return payload
    const who = request.headers.authorization === undefined ? 'public' : 'private'
    const tag = entityTag(payload)
    reply.header('cache-control', `${who}, max-age=${ANSWER_AGE_SECONDS}`).header('etag', tag)
    cache.set(key, knownAnswer(payload, tag, headersOf(reply)))
    return payload
  }

export const addSandboxRoutes = async (server: FastifyInstance, sandbox: Sandbox): Promise<void> => {
  const { engine, authenticate, limit, showSql } = sandbox
  await server.register(async scope => {
    scope.addHook('onRequest', async request => limit?.take(request.ip))
    scope.addHook('onSend', keepAnswers(sandbox))
    await addGraphqlRoutes(scope, { engine, authenticate, cache: 'public', showSql, record: () => undefined })
    addSchemaRoutes(scope, { engine, authenticate: async () => wholeSchemaGrant })
  })
}
