// POST /mcp: origin → message → scopes of its tool → token → the protocol. Nothing is kept between requests.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Credentials } from '../access/credentials.ts'
import type { Grant } from '../access/grant.ts'
import { MCP_PATH } from '../access/resources.ts'
import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import type { Queryable } from '../db/database.ts'
import type { Endpoint } from '../graphql/entrance/entrance.ts'
import { createAsk, incoming } from './ask.ts'
import { namingScopes, stepUp } from './challenge.ts'
import { type ChangeSteps, createChangeSteps, noPerson, trialsOnly } from './changes/change-steps.ts'
import { refuseForeignOrigin } from './foreign-origin.ts'
import { type Message, protocolError, readMessage } from './message.ts'
import { neededScopes } from './needed-scopes.ts'
import { createServing, type Serving } from './serve.ts'
import { serverDocument } from './server-document.ts'
import { createTools, type Tools } from './tools.ts'

export interface McpParts {
  /** Of the main listener or the sandbox: engine, limits, counters. */
  readonly endpoint: Endpoint
  readonly credentials: Credentials
  /** Of this listener. */
  readonly baseUrl: string
  readonly database: Queryable
  readonly clock: Clock
  /** The sandbox asks nobody for a token: what its visitors may not read is said in the answer. */
  readonly challenges: boolean
}

interface Open extends McpParts {
  readonly tools: Tools
  readonly serving: Serving
}

const changesFor = ({ endpoint, database }: McpParts, { userId, appId }: Grant): ChangeSteps => {
  if (endpoint.engine.dryRunsOnly) return trialsOnly
  return userId === undefined || appId === undefined ? noPerson : createChangeSteps(database, { userId, appId })
}

/** @throws {Fault} 401 or 403, with a challenge that names the scopes of the tool. */
const admit = async (parts: Open, request: FastifyRequest, message: Message): Promise<Grant> => {
  const { credentials, endpoint, tools, baseUrl } = parts
  const { authorization } = request.headers
  const called = message.kind === 'message' ? message.called : undefined
  const known = { tools, engine: endpoint.engine }
  const grant =
    credentials.recognise(authorization) ??
    (await namingScopes(neededScopes(known, called, undefined), () => credentials.authenticate(authorization)))
  const needed = neededScopes(known, called, grant)
  if (parts.challenges && called !== undefined && !needed.every(scope => grant.scopes.has(scope)))
    throw stepUp(needed, called.name, baseUrl)
  return grant
}

/** As the library wants it: without the body if that was read already. */
const toWebRequest = (
  { baseUrl }: McpParts,
  { method, headers }: FastifyRequest,
  body: string | undefined,
): Request => {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'content-length' && name !== 'connection'
      ? [[name, value] as [string, string]]
      : [],
  )
  return new Request(baseUrl + MCP_PATH, { method, headers: pairs, ...(body === undefined ? {} : { body }) })
}

const refuseMessage = (reply: FastifyReply, status: number, body: string): FastifyReply =>
  reply.status(status).type('application/json').send(body)

const answer = async (parts: Open, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  refuseForeignOrigin(request.headers, parts.baseUrl)
  const visit = { id: request.id, address: request.clientAddress }
  parts.endpoint.admit?.(incoming(visit))
  const body = typeof request.body === 'string' ? request.body : ''
  const message = readMessage(body)
  const grant = await admit(parts, request, message)
  if (message.kind === 'batch') return refuseMessage(reply, 400, protocolError(-32600, 'Send one message at a time.'))
  // What the tools are never changes while the service runs, so there is nothing to subscribe to.
  if (message.kind === 'message' && message.method === 'subscriptions/listen')
    return refuseMessage(reply, 404, protocolError(-32601, 'There is nothing to subscribe to.'))
  const ask = createAsk(parts.endpoint, { ...visit, grant })
  const call = { grant, now: parts.clock.now(), ask, changes: changesFor(parts, grant) }
  const json = message.kind === 'message' ? message.json : undefined
  const web = toWebRequest(parts, request, message.kind === 'message' ? undefined : body)
  const response = await parts.serving.respond(web, json, { id: request.id, call })
  const type = response.headers.get('content-type')
  if (type !== null) reply.type(type)
  return reply.status(response.status).send(await response.text())
}

const exposed = 'www-authenticate, retry-after, x-request-id'
const preflight = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
  'access-control-max-age': '3600',
}

const methodNotAllowed = (): Fault =>
  new Fault({
    code: 'method-not-allowed',
    status: 405,
    message: 'This address is for assistants, which send POST. How to add it to yours: /docs/assistants.',
    headers: { allow: 'POST, OPTIONS' },
  })

export const addMcpRoutes = async (server: FastifyInstance, parts: McpParts): Promise<void> => {
  const { endpoint } = parts
  const tools = createTools(() => endpoint.engine.structures.current().model)
  const open: Open = { ...parts, tools, serving: createServing({ tools, log: endpoint.log }) }
  await server.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.addHook('onRequest', (_request, reply, done) => {
      reply
        .header('access-control-allow-origin', '*')
        .header('access-control-expose-headers', exposed)
        .header('cache-control', 'no-store')
      done()
    })
    scope.addHook('onClose', () => open.serving.close())
    scope.options(MCP_PATH, (_request, reply) => reply.headers(preflight).status(204).send())
    scope.get(`${MCP_PATH}/server.json`, (_request, reply) => reply.send(serverDocument(parts.baseUrl)))
    scope.post(MCP_PATH, (request, reply) => answer(open, request, reply))
    scope.route({
      method: ['GET', 'DELETE', 'PUT', 'PATCH'],
      url: MCP_PATH,
      handler: () => {
        throw methodNotAllowed()
      },
    })
  })
}
