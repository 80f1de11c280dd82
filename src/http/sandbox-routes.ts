// The sandbox's endpoints and their schemas as files.
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../base/ip-address.ts'
import type { RequestLimit } from '../sandbox/request-limit.ts'
import { wholeSchemaGrant } from '../sandbox/sandbox-grant.ts'
import { points } from './charges/charge.ts'
import { addGraphqlRoutes, type GraphqlEndpoints } from './graphql/graphql-routes.ts'
import { RELAY_PATH } from './graphql/paths.ts'
import { addSchemaRoutes } from './schema-routes.ts'

export const addSandboxRoutes = async (
  server: FastifyInstance,
  limit: RequestLimit,
  { tables, relay, transports }: GraphqlEndpoints,
): Promise<void> => {
  await addGraphqlRoutes(server, transports)
  await server.register(async scope => {
    scope.addHook('onRequest', async request => limit.take(networkOf(request.clientAddress)))
    const charge = points(10)
    const authenticate = async () => wholeSchemaGrant
    addSchemaRoutes(scope, { engine: tables.engine, folder: '/v1', authenticate, charge })
    addSchemaRoutes(scope, { engine: relay.engine, folder: RELAY_PATH, authenticate, charge })
  })
}
