// The parts → the routes of both listeners.
import type { FastifyInstance } from 'fastify'
import { bearerOf, likelyBearer } from '../access/bearer.ts'
import { namingMetadata } from '../access/resource-metadata.ts'
import { DEMO_PASSWORD, demoUsers } from '../accounts/demo-users.ts'
import type { Config } from '../config.ts'
import { createAllowances } from '../graphql/limits/allowance.ts'
import { createPersistedQueries } from '../graphql/persisted-queries.ts'
import { addAccountRoutes } from '../http/account-routes.ts'
import { addAppPages } from '../http/app-pages.ts'
import { addAssetRoutes } from '../http/assets-routes.ts'
import { addDocs } from '../http/docs-routes.ts'
import { addMainExplorer, addSandboxExplorer } from '../http/explorer-routes.ts'
import { addFeedRoutes } from '../http/feed-routes.ts'
import { addGraphqlRoutes, type GraphqlRoutes } from '../http/graphql-routes.ts'
import { oauthRoutes } from '../http/oauth-routes.ts'
import { addSandboxRoutes } from '../http/sandbox-routes.ts'
import { addSchemaRoutes } from '../http/schema-routes.ts'
import { explorerAssets } from '../web/explorer/explorer-assets.ts'
import { landingScript } from '../web/landing/landing-assets.ts'
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
  addAssetRoutes(server, [...explorerAssets, landingScript])
  addMainExplorer(server, parts)
  await addDocs(server, parts)
  await oauthRoutes(server, parts.provider, parts.pages)
  addSchemaRoutes(server, routes.graphql)
  await addGraphqlRoutes(server, routes.graphql)
  await addAccountRoutes(server, { ...parts, demo: demoAccounts(parts.config) })
  await addFeedRoutes(server, parts, 'live')
  await addAppPages(server, routes.sandbox, parts)
}

export const addSandboxListenerRoutes = async (server: FastifyInstance, parts: Parts): Promise<void> => {
  addAssetRoutes(server, explorerAssets)
  addSandboxExplorer(server, parts)
  await addSandboxRoutes(server, parts.sandbox)
  await addFeedRoutes(server, parts, 'test')
}
