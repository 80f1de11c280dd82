// The parts → the routes of both listeners.
import type { FastifyInstance } from 'fastify'
import { chargingStrangers } from '../access/charge-strangers.ts'
import { createLiveCredentials } from '../access/credentials.ts'
import { DEMO_PASSWORD, demoUsers } from '../accounts/demo-users.ts'
import { addFeedRoutes } from '../api/feeds/routes.ts'
import { addHijriRoutes } from '../api/hijri/routes.ts'
import { addOauthEndpoints } from '../api/oauth/routes.ts'
import { addTimesRoutes } from '../api/times/routes.ts'
import type { Config } from '../config/config.ts'
import type { FeedText } from '../feeds/feed-text.ts'
import { createAnswers } from '../graphql/answers/answers.ts'
import type { Endpoint } from '../graphql/entrance/entrance.ts'
import { createAllowances, reportKeyLimits } from '../graphql/limits/allowance.ts'
import { createPersistedQueries } from '../graphql/persisted-queries.ts'
import { countedBy } from '../http/charges/charge.ts'
import { addGraphqlRoutes, type GraphqlEndpoints } from '../http/graphql/graphql-routes.ts'
import type { NodeTransport } from '../http/graphql/node-transport.ts'
import { RELAY_PATH } from '../http/graphql/paths.ts'
import type { Handler } from '../http/handler.ts'
import type { OpenConnections } from '../http/live/open-connections.ts'
import { addSandboxRoutes } from '../http/sandbox-routes.ts'
import { addSchemaRoutes, type SchemaRoutes } from '../http/schema-routes.ts'
import { positionTeller, tellPosition } from '../http/tell-position.ts'
import { addMcpRoutes, type McpRoutes } from '../mcp/routes.ts'
import { addSandboxSite, addSite } from '../site/routes.ts'
import { type DemoRole, demoRoles } from '../site/sign-in/demo-accounts.ts'
import type { Parts } from './parts.ts'

/** Each is named for what it may do. */
const roleOf = (email: string): DemoRole => demoRoles.find(role => email.startsWith(role)) ?? 'member'

const demoAccounts = ({ demoData }: Config) =>
  demoData
    ? { accounts: demoUsers.map(({ email }) => ({ email, role: roleOf(email) })), password: DEMO_PASSWORD }
    : undefined

const MEBIBYTE = 1024 * 1024

/** Over the real data. */
export const liveEndpoint = ({
  graphql,
  access,
  usage,
  config,
  counting,
  budget,
  keyLimits,
  turns,
  baseUrl,
  log,
  watching,
}: Parts): Endpoint => ({
  engine: graphql,
  credentials: chargingStrangers(createLiveCredentials({ access, baseUrl, strongScopes: config.strongScopes }), budget),
  persisted: createPersistedQueries(),
  admission: {
    allowanceOf: reportKeyLimits(
      config.rowsPerMinute === undefined ? undefined : createAllowances(config.rowsPerMinute, counting),
      keyLimits,
    ),
    keyLimits,
    turns,
  },
  keeping: {
    answers: config.answerCacheMb > 0 ? createAnswers(config.answerCacheMb * MEBIBYTE) : undefined,
    shared: config.cdnSeconds > 0 ? { seconds: config.cdnSeconds, scopes: new Set(config.cdnScopes) } : undefined,
  },
  telling: {
    record: event => usage.record(event),
    meter: watching.operations.main,
    showSql: config.mode === 'development',
    log,
  },
})

/** Everything of a listener that asks its GraphQL engines. */
export interface Endpoints extends GraphqlEndpoints {
  readonly assistants: McpRoutes
  readonly times: NodeTransport
}

/** `sandbox` answers the first query of the console without leaving the process. */
export const addMainRoutes = async (
  server: FastifyInstance,
  parts: Parts & { readonly connections: OpenConnections },
  endpoints: Endpoints & { readonly tokens: Handler },
  sandbox: FastifyInstance,
): Promise<void> => {
  // Without replicas every read comes from where the change was made.
  if (parts.config.databaseReadUrls.length > 0) tellPosition(server, positionTeller(parts.graphql))
  await addOauthEndpoints(server, parts.provider, endpoints.tokens)
  const authenticate: SchemaRoutes['authenticate'] = async request => {
    const grant = await endpoints.tables.credentials.authenticate(request)
    parts.keyLimits.take(grant)
    return grant
  }
  const charge = countedBy('its credential: without a valid one, 2 points')
  addSchemaRoutes(server, { engine: endpoints.tables.engine, folder: '/v1', authenticate, charge })
  addSchemaRoutes(server, { engine: endpoints.relay.engine, folder: RELAY_PATH, authenticate, charge })
  await addGraphqlRoutes(server, endpoints.transports)
  const shelf = parts.pages.kept.shelf<FeedText>({ name: 'feed', bytesOf: ({ bytes }) => bytes.length })
  await addFeedRoutes(server, { ...parts, follow: { graphql: parts.graphql, shelf } }, 'live')
  await addTimesRoutes(server, { times: endpoints.times, limit: parts.sandbox.limit, url: parts.baseUrl })
  await addHijriRoutes(server, { ...parts, limit: parts.sandbox.limit }, 'public')
  await addMcpRoutes(server, endpoints.assistants)
  await addSite(server, sandbox, { ...parts, demo: demoAccounts(parts.config) })
}

export const addSandboxListenerRoutes = async (
  server: FastifyInstance,
  parts: Parts,
  endpoints: Endpoints,
): Promise<void> => {
  addSandboxSite(server, parts)
  await addSandboxRoutes(server, parts.sandbox.limit, endpoints)
  await addFeedRoutes(
    server,
    { ...parts, baseUrl: parts.sandboxUrl, kept: parts.sandbox.feeds, noteAsked: () => undefined },
    'test',
  )
  await addTimesRoutes(server, { times: endpoints.times, limit: parts.sandbox.limit, url: parts.sandboxUrl })
  await addHijriRoutes(server, { ...parts, limit: parts.sandbox.limit }, 'sandbox')
  await addMcpRoutes(server, endpoints.assistants)
}
