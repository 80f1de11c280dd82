// POST /mcp: origin → message → scopes of its tool → token → the protocol. Nothing is kept between requests.
import type { Credentials } from '../access/credentials.ts'
import type { Grant } from '../access/grant.ts'
import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import { underWay } from '../base/under-way.ts'
import type { Queryable } from '../db/database.ts'
import { withinDeadline } from '../db/within-deadline.ts'
import type { Endpoint } from '../graphql/entrance/entrance.ts'
import type { Entrance, IncomingRequest } from '../graphql/entrance/transport.ts'
import { jsonAnswer, type OpenAnswer, openResponse, refusalAnswer } from '../http/open-response.ts'
import { createAsk } from './ask.ts'
import { callTool, mayNotChange } from './call-tool.ts'
import { namingScopes, stepUp } from './challenge.ts'
import { type ChangeSteps, createChangeSteps, noPerson, trialsOnly } from './changes/change-steps.ts'
import { directCallIn } from './direct-call.ts'
import { refuseForeignOrigin } from './foreign-origin.ts'
import { type Message, protocolError, readMessage } from './message.ts'
import { neededScopes } from './needed-scopes.ts'
import { createServing, type Serving } from './serve.ts'
import type { Call } from './tool.ts'
import { createTools, type Tools } from './tools.ts'
import { writeResult } from './write-result.ts'

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

export interface McpEntrance {
  readonly entrance: Entrance
  close(): Promise<void>
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
const admit = async (parts: Open, request: IncomingRequest, message: Message): Promise<Grant> => {
  const { credentials, endpoint, tools, baseUrl } = parts
  const called = message.kind === 'message' ? message.called : undefined
  const known = { tools, engine: endpoint.engine }
  const grant =
    credentials.recognise(request.headers.authorization) ??
    (await namingScopes(neededScopes(known, called, undefined), () => credentials.authenticate(request)))
  endpoint.admission.keyLimits.take(grant)
  if (!parts.challenges || called === undefined) return grant
  const tool = tools.get(called.name)
  if (tool === undefined || mayNotChange(grant, tool)) return grant
  const needed = neededScopes(known, called, grant)
  if (!needed.every(scope => grant.scopes.has(scope))) throw stepUp(needed, called.name, baseUrl)
  return grant
}

const tooLarge = (): Fault => new Fault({ code: 'too_large', status: 413, message: 'The message is too large.' })

/** @throws {Fault} `too_large` */
const textIn = ({ body }: IncomingRequest): string => {
  if (body?.kind === 'too-large') throw tooLarge()
  return body?.bytes.toString() ?? ''
}

const respond = async (parts: Open, request: IncomingRequest): Promise<OpenAnswer> => {
  const { endpoint, serving, tools, clock } = parts
  const { id, headers } = request
  refuseForeignOrigin(headers, parts.baseUrl)
  endpoint.admission.admit?.(request)
  const text = textIn(request)
  const message = readMessage(text)
  if (message.kind === 'message' && message.called !== undefined) underWay.note({ tool: message.called.name })
  const grant = await admit(parts, request, message)
  if (message.kind === 'batch') return jsonAnswer(400, protocolError(-32600, 'Send one message at a time.'))
  // What the tools are never changes while the service runs, so there is nothing to subscribe to.
  if (message.kind === 'message' && message.method === 'subscriptions/listen')
    return jsonAnswer(404, protocolError(-32601, 'There is nothing to subscribe to.'))
  const call: Call = {
    grant,
    now: clock.now(),
    ask: createAsk(endpoint, { request, grant }),
    changes: changesFor(parts, grant),
  }
  const direct = directCallIn(tools, headers, message)
  if (direct === undefined) return serving.respond({ headers, text, message }, { id, call })
  return writeResult(direct, await callTool(tools, direct.called, { call, id, log: endpoint.telling.log }))
}

export const createMcpEntrance = (parts: McpParts): McpEntrance => {
  const { endpoint, baseUrl } = parts
  const { engine } = endpoint
  const { log } = endpoint.telling
  const tools = createTools(() => engine.structures.current().model)
  const serving = createServing({ tools, log, baseUrl })
  const open: Open = { ...parts, tools, serving }
  return {
    entrance: async request => {
      try {
        return openResponse(request.id, await withinDeadline(engine.deadlineMs, respond(open, request)))
      } catch (error) {
        return openResponse(request.id, refusalAnswer(error, { id: request.id, log }))
      }
    },
    close: () => serving.close(),
  }
}
