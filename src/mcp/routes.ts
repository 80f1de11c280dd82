// /mcp as Fastify routes: preflights, unsupported methods, the description for registries, and messages that did not come straight
// from the listener (with the path spelled another way).
import type { FastifyInstance } from 'fastify'
import { MCP_PATH } from '../access/resources.ts'
import { Fault } from '../base/fault.ts'
import { countedBy, points } from '../http/charges/charge.ts'
import { chargeRoutes } from '../http/charges/charge-addresses.ts'
import type { Handler } from '../http/handler.ts'
import { leaveBodies, leaveTo } from '../http/leave-to-transport.ts'
import { openHeaders } from '../http/open-response.ts'
import { serverDocument } from './server-document.ts'

export interface McpRoutes {
  /** Answers a POST, and reads its body. */
  readonly handle: Handler
  /** Of this listener. */
  readonly baseUrl: string
  close(): Promise<void>
}

const preflight = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'authorization, dpop, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
  'access-control-max-age': '3600',
}

const methodNotAllowed = (): Fault =>
  new Fault({
    code: 'method-not-allowed',
    status: 405,
    message: 'This address is for assistants, which send POST. How to add it to yours: /docs/assistants.',
    headers: { allow: 'POST, OPTIONS' },
  })

export const addMcpRoutes = async (server: FastifyInstance, { handle, baseUrl, close }: McpRoutes): Promise<void> => {
  await server.register(async scope => {
    chargeRoutes(scope, countedBy('the entrance, as for GraphQL'))
    leaveBodies(scope)
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(openHeaders)
      done()
    })
    scope.addHook('onClose', close)
    scope.options(MCP_PATH, (_request, reply) => reply.headers(preflight).status(204).send())
    scope.get(`${MCP_PATH}/server.json`, { config: { charge: points(1) } }, (_request, reply) =>
      reply.send(serverDocument(baseUrl)),
    )
    scope.post(MCP_PATH, leaveTo(handle))
    scope.route({
      method: ['GET', 'DELETE', 'PUT', 'PATCH'],
      url: MCP_PATH,
      config: { charge: points(1) },
      handler: () => {
        throw methodNotAllowed()
      },
    })
  })
}
