// The sandbox's endpoint and its schema as a file.
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../base/ip-address.ts'
import type { Sandbox } from '../sandbox/sandbox-endpoint.ts'
import { wholeSchemaGrant } from '../sandbox/sandbox-grant.ts'
import { addGraphqlRoutes } from './graphql/graphql-routes.ts'
import type { NodeTransport } from './graphql/node-transport.ts'
import { addSchemaRoutes } from './schema-routes.ts'

export const addSandboxRoutes = async (
  server: FastifyInstance,
  { endpoint, limit }: Sandbox,
  transport: NodeTransport,
): Promise<void> => {
  await addGraphqlRoutes(server, transport)
  await server.register(async scope => {
    scope.addHook('onRequest', async request => limit.take(networkOf(request.clientAddress)))
    addSchemaRoutes(scope, { engine: endpoint.engine, authenticate: async () => wholeSchemaGrant })
  })
}
