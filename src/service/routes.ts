// The parts → the routes of both listeners.
import type { FastifyInstance } from 'fastify'
import { createLiveCredentials, createMcpCredentials } from '../access/credentials.ts'
import { DEMO_PASSWORD, demoUsers } from '../accounts/demo-users.ts'
import { addFeedRoutes } from '../api/feeds/routes.ts'
import { addOauthEndpoints } from '../api/oauth/routes.ts'
import type { Config } from '../config.ts'
import { createAnswers } from '../graphql/answers/answers.ts'
import type { Endpoint } from '../graphql/entrance/entrance.ts'
import { createAllowances } from '../graphql/limits/allowance.ts'
import { createPersistedQueries } from '../graphql/persisted-queries.ts'
import { addGraphqlRoutes, type GraphqlEndpoints } from '../http/graphql/graphql-routes.ts'
import { RELAY_PATH } from '../http/graphql/paths.ts'
import type { OpenConnections } from '../http/live/open-connections.ts'
import { addSandboxRoutes } from '../http/sandbox-routes.ts'
import { addSchemaRoutes } from '../http/schema-routes.ts'
import { tellPosition } from '../http/tell-position.ts'
import { addMcpRoutes } from '../mcp/routes.ts'
import { addSandboxSite, addSite } from '../site/routes.ts'
import type { Parts } from './parts.ts'

const demoAccounts = ({ demoData }: Config) =>
  demoData ? { emails: demoUsers.map(({ email }) => email), password: DEMO_PASSWORD } : undefined

const MEBIBYTE = 1024 * 1024

/** Over the real data. */
export const liveEndpoint = ({
  graphql,
  access,
  usage,
  config,
  counting,
  turns,
  baseUrl,
  log,
  watching,
}: Parts): Endpoint => ({
  engine: graphql,
  credentials: createLiveCredentials({ access, baseUrl, strongScopes: config.strongScopes }),
  allowanceOf: config.rowsPerMinute === undefined ? undefined : createAllowances(config.rowsPerMinute, counting),
  turns,
  answers: config.answerCacheMb > 0 ? createAnswers(config.answerCacheMb * MEBIBYTE) : undefined,
  shared: config.cdnSeconds > 0 ? { seconds: config.cdnSeconds, scopes: new Set(config.cdnScopes) } : undefined,
  persisted: createPersistedQueries(),
  showSql: config.mode === 'development',
  record: event => usage.record(event),
  meter: watching.operations.main,
  log,
})

/** `sandbox` answers the first query of the console without leaving the process. */
export const addMainRoutes = async (
  server: FastifyInstance,
  parts: Parts & { readonly connections: OpenConnections },
  endpoints: GraphqlEndpoints,
  sandbox: FastifyInstance,
): Promise<void> => {
  // Without replicas every read comes from where the change was made.
  if (parts.config.databaseReadUrls.length > 0) tellPosition(server, parts.graphql)
  await addOauthEndpoints(server, parts.provider)
  const { authenticate } = endpoints.tables.credentials
  addSchemaRoutes(server, { engine: endpoints.tables.engine, folder: '/v1', authenticate })
  addSchemaRoutes(server, { engine: endpoints.relay.engine, folder: RELAY_PATH, authenticate })
  await addGraphqlRoutes(server, endpoints.transports)
  await addFeedRoutes(server, parts, 'live')
  const { access, baseUrl, config, database, clock } = parts
  const credentials = createMcpCredentials({ access, baseUrl, strongScopes: config.strongScopes })
  await addMcpRoutes(server, { endpoint: endpoints.tables, credentials, baseUrl, database, clock, challenges: true })
  await addSite(server, sandbox, { ...parts, demo: demoAccounts(parts.config) })
}

export const addSandboxListenerRoutes = async (
  server: FastifyInstance,
  parts: Parts,
  endpoints: GraphqlEndpoints,
): Promise<void> => {
  addSandboxSite(server, parts)
  await addSandboxRoutes(server, parts.sandbox.limit, endpoints)
  await addFeedRoutes(server, parts, 'test')
  const { sandboxUrl: baseUrl, database, clock } = parts
  const { credentials } = endpoints.tables
  await addMcpRoutes(server, { endpoint: endpoints.tables, credentials, baseUrl, database, clock, challenges: false })
}
