// The parts → the routes of both listeners.
import type { FastifyInstance } from 'fastify'
import { bearerOf, likelyBearer } from '../access/bearer.ts'
import { namingMetadata } from '../access/resource-metadata.ts'
import { DEMO_PASSWORD, demoUsers } from '../accounts/demo-users.ts'
import { addFeedRoutes } from '../api/feeds/routes.ts'
import { addOauthEndpoints } from '../api/oauth/routes.ts'
import type { Config } from '../config.ts'
import { createAllowances } from '../graphql/limits/allowance.ts'
import { createPersistedQueries } from '../graphql/persisted-queries.ts'
import { addGraphqlRoutes, type GraphqlRoutes } from '../http/graphql-routes.ts'
import { addSandboxRoutes } from '../http/sandbox-routes.ts'
import { addSchemaRoutes } from '../http/schema-routes.ts'
import { addSandboxSite, addSite } from '../site/routes.ts'
import type { Parts } from './parts.ts'

const demoAccounts = ({ demoData }: Config) =>
  demoData ? { emails: demoUsers.map(({ email }) => email), password: DEMO_PASSWORD } : undefined

/** The endpoint over the real data. */
export const liveGraphql = ({ graphql, access, usage, config, counting, baseUrl, log }: Parts): GraphqlRoutes => ({
  engine: graphql,
  authenticate: authorization =>
    namingMetadata(baseUrl, '/v1/graphql', async () => access.authenticate(bearerOf(authorization))),
  recognise: authorization => {
    const bearer = likelyBearer(authorization)
    return bearer === undefined ? undefined : access.recognise(bearer)
  },
  allowanceOf: config.rowsPerMinute === undefined ? undefined : createAllowances(config.rowsPerMinute, counting),
  persisted: createPersistedQueries(),
  cache: 'private',
  showSql: config.mode === 'development',
  record: event => usage.record(event),
  log,
})

export interface MainRoutes {
  readonly graphql: GraphqlRoutes
  /** Answers the first query of the console without leaving the process. */
  readonly sandbox: FastifyInstance
}

export const addMainRoutes = async (server: FastifyInstance, parts: Parts, routes: MainRoutes): Promise<void> => {
  await addOauthEndpoints(server, parts.provider)
  addSchemaRoutes(server, routes.graphql)
  await addGraphqlRoutes(server, routes.graphql)
  await addFeedRoutes(server, parts, 'live')
  await addSite(server, routes.sandbox, { ...parts, demo: demoAccounts(parts.config) })
}

export const addSandboxListenerRoutes = async (server: FastifyInstance, parts: Parts): Promise<void> => {
  addSandboxSite(server, parts)
  await addSandboxRoutes(server, parts.sandbox)
  await addFeedRoutes(server, parts, 'test')
}
