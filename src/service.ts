// Config → a running service: listeners, database, migrations and routes, in the order they need each other.
import type { FastifyInstance } from 'fastify'
import { type AuditTrail, openAuditTrail } from './access/audit-trail.ts'
import { bearerOf } from './access/bearer.ts'
import { type Access, createAccess } from './access/create-access.ts'
import { namingMetadata } from './access/resource-metadata.ts'
import { createVerifyKeys } from './access/verify-keys.ts'
import { type AccountServices, createAccountServices } from './accounts/account-services.ts'
import { DEMO_PASSWORD, demoUsers } from './accounts/demo-users.ts'
import { startDelivery } from './accounts/mail-delivery.ts'
import { startHousekeeping } from './apps/housekeeping.ts'
import { createUsage, type Usage } from './apps/usage.ts'
import { type Clock, systemClock } from './base/clock.ts'
import type { Logger } from './base/log.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { type Listener, openListener } from './db/listener.ts'
import { migrate } from './db/migrate.ts'
import { readerConnections } from './db/reader-connections.ts'
import { sql } from './db/sql.ts'
import { openStore, type Store } from './db/store.ts'
import { isEmpty, loadDemo, loadDemoRsvps } from './demo/load-demo.ts'
import { createGraphql, type Graphql } from './graphql/create-graphql.ts'
import { addAccountRoutes } from './http/account-routes.ts'
import { addAppPages } from './http/app-pages.ts'
import { addAssetRoutes } from './http/assets-routes.ts'
import { bind, unbind } from './http/bind.ts'
import { addDocs, createDocumentationSource } from './http/docs-routes.ts'
import { addMainExplorer, addSandboxExplorer } from './http/explorer-routes.ts'
import { addFeedRoutes } from './http/feed-routes.ts'
import { addGraphqlRoutes } from './http/graphql-routes.ts'
import { oauthRoutes } from './http/oauth-routes.ts'
import type { PageFrame } from './http/pages-routes.ts'
import { addSandboxRoutes, createSandbox, type Sandbox } from './http/sandbox-routes.ts'
import { addSchemaRoutes } from './http/schema-routes.ts'
import { createServer } from './http/server.ts'
import { createVisits } from './http/session-visit.ts'
import { createProvider, type Provider } from './oauth/provider.ts'
import { progressText } from './prayer/progress-text.ts'
import { startPrayerJob } from './prayer/start-prayer-job.ts'
import { ensurePublicTestKey } from './sandbox/public-test-key.ts'
import { startRenewals } from './sandbox/start-renewals.ts'
import type { Documentation } from './web/docs/documents.ts'
import { explorerAssets } from './web/explorer/explorer-assets.ts'
import { landingScript } from './web/landing/landing-assets.ts'

export interface Service {
  readonly baseUrl: string
  readonly sandboxUrl: string
  /** The port that was bound, which a proxy in front may hide. */
  readonly port: number
  readonly database: Database
  /** Finishes the requests under way, then lets go of everything. */
  stop(): Promise<void>
}

export interface ServiceOptions {
  readonly config: Config
  readonly log: Logger
  /** A database that somebody else opened and will close. */
  readonly store?: Store | undefined
  /** Tests that ask the sandbox nothing do without its invented data. */
  readonly sandboxData?: boolean
  /** What is being done now, for the person who waits. */
  readonly onProgress?: (text: string) => void
}

/** What every part of the service may use. */
export interface Parts {
  readonly config: Config
  readonly log: Logger
  readonly store: Store
  readonly database: Database
  readonly listener: Listener
  readonly access: Access
  readonly audit: AuditTrail
  readonly usage: Usage
  readonly provider: Provider
  readonly graphql: Graphql
  readonly sandbox: Sandbox
  readonly accounts: AccountServices
  readonly pages: PageFrame
  readonly documentation: () => Documentation
  readonly clock: Clock
  readonly baseUrl: string
  readonly sandboxUrl: string
}

const createPages = ({ mode }: Config, database: Database, { secret }: Store): PageFrame => {
  const production = mode === 'production'
  return { production, visits: createVisits({ database, secret, production }) }
}

const demoAccounts = ({ demoData }: Config) =>
  demoData ? { emails: demoUsers.map(({ email }) => email), password: DEMO_PASSWORD } : undefined

const mainRoutes = async (server: FastifyInstance, parts: Parts): Promise<void> => {
  addAssetRoutes(server, [...explorerAssets, landingScript])
  addMainExplorer(server, parts)
  await addDocs(server, parts)
  await oauthRoutes(server, parts.provider, parts.pages)
  const live = {
    engine: parts.graphql,
    authenticate: (authorization: string | undefined) =>
      namingMetadata(parts.baseUrl, '/v1/graphql', async () => parts.access.authenticate(bearerOf(authorization))),
  }
  addSchemaRoutes(server, live)
  await addGraphqlRoutes(server, {
    ...live,
    cache: 'private',
    showSql: parts.config.mode === 'development',
    record: event => parts.usage.record(event),
  })
  await addAccountRoutes(server, { ...parts, demo: demoAccounts(parts.config) })
  await addFeedRoutes(server, parts, 'live')
}

const sandboxRoutes = async (server: FastifyInstance, parts: Parts): Promise<void> => {
  addAssetRoutes(server, explorerAssets)
  addSandboxExplorer(server, parts)
  await addSandboxRoutes(server, parts.sandbox)
  await addFeedRoutes(server, parts, 'test')
}

const databaseMissing = (database: Database) => async (): Promise<string[]> => {
  try {
    await database.query(sql`select 1`)
    return []
  } catch {
    return ['the database cannot be reached']
  }
}

/** Undone in reverse, so that nothing is taken away from what still uses it. */
const unwind = (): { add(undo: () => Promise<unknown>): void; run(): Promise<void> } => {
  const undos: (() => Promise<unknown>)[] = []
  return {
    add: undo => void undos.push(undo),
    run: async () => {
      for (const undo of undos.splice(0).reverse()) await undo().catch(() => undefined)
    },
  }
}

export const startService = async ({
  config,
  log,
  store: given,
  sandboxData = true,
  onProgress = () => undefined,
}: ServiceOptions): Promise<Service> => {
  const undo = unwind()
  try {
    const main = await bind(config.host, config.port)
    undo.add(() => unbind(main))
    const aside = await bind(config.host, config.sandboxPort)
    undo.add(() => unbind(aside))
    const baseUrl = config.baseUrl ?? `http://localhost:${main.port}`
    const sandboxUrl = config.sandboxUrl ?? `http://localhost:${aside.port}`

    onProgress('Starting the database')
    const store = given ?? (await openStore(config, `a service at ${baseUrl}`))
    if (given === undefined) undo.add(() => store.close())
    onProgress('Bringing the tables up to date')
    await migrate(store.owner, log)
    const database = openDatabase(store.owner, { poolSize: config.poolSize, log })
    undo.add(() => database.close())
    const firstStart = config.demoData && (await isEmpty(database))
    if (firstStart) await loadDemo({ database, clock: systemClock, dataDir: config.dataDir, onProgress })
    if (sandboxData) {
      const renewals = await startRenewals({ database, log, clock: systemClock, onProgress })
      undo.add(() => renewals.stop())
    }
    await ensurePublicTestKey(database)
    const listener = await openListener(store.owner, log)
    undo.add(() => listener.close())

    const verifyKeys = await createVerifyKeys(database, listener)
    const access = await createAccess({ database, listener, log, clock: systemClock, issuer: baseUrl, verifyKeys })
    undo.add(() => access.close())
    const audit = openAuditTrail(database, log)
    undo.add(() => audit.close())
    const usage = createUsage({ database, clock: systemClock, log })
    undo.add(() => usage.close())
    const housekeeping = startHousekeeping({ database, log })
    undo.add(() => housekeeping.close())
    const httpsOnly = config.mode === 'production'
    const provider = await createProvider({
      baseUrl,
      httpsOnly,
      database,
      listener,
      access,
      audit,
      log,
      rateLimits: config.rateLimits,
      secret: store.secret,
    })
    undo.add(async () => provider.keys.close())

    const openEngine = async (schema: 'public' | 'sandbox'): Promise<Graphql> => {
      const role = schema === 'public' ? 'minaret_reader' : 'minaret_sandbox'
      const readers = await readerConnections(store, config.databaseReadUrls, role)
      const { readConnections: connections, statementTimeoutMs } = config
      const engine = await createGraphql({ database, listener, log, schema, readers, connections, statementTimeoutMs })
      undo.add(() => engine.close())
      return engine
    }
    const graphql = await openEngine('public')
    const sandbox = await createSandbox({
      engine: await openEngine('sandbox'),
      access,
      listener,
      clock: systemClock,
      config,
    })

    const pages = createPages(config, database, store)
    const { statementTimeoutMs } = config
    const documentation = createDocumentationSource({ baseUrl, sandboxUrl, statementTimeoutMs }, () =>
      graphql.structures.current(),
    )
    const { rateLimits, smtpUrl, mailFrom: from } = config
    const accounts = createAccountServices({ database, baseUrl }, { rateLimits, clock: systemClock })
    if (smtpUrl !== undefined) {
      const delivery = await startDelivery({ database, listener, log, smtpUrl, from })
      undo.add(() => delivery.close())
    }
    if (smtpUrl === undefined && pages.production)
      log.warn('SMTP_URL is not set: mail waits in the database until it is')
    const parts: Parts = {
      config,
      log,
      store,
      database,
      listener,
      access,
      audit,
      usage,
      provider,
      graphql,
      sandbox,
      accounts,
      pages,
      documentation,
      clock: systemClock,
      baseUrl,
      sandboxUrl,
    }
    const frame = { log, trustProxy: config.trustProxy, notReady: databaseMissing(database) }
    const sandboxServer = await createServer({ ...frame, binding: aside, front: sandbox.front.before }, server =>
      sandboxRoutes(server, parts),
    )
    const mainServer = await createServer({ ...frame, binding: main }, async server => {
      await mainRoutes(server, parts)
      await addAppPages(server, sandboxServer, parts)
    })
    undo.add(() => Promise.all([unbind(main), unbind(aside)]))
    for (const server of [mainServer, sandboxServer]) undo.add(() => server.close())
    const onCalculated = progressText(onProgress)
    const prayers = startPrayerJob({ database, listener, log, clock: systemClock, onProgress: onCalculated })
    undo.add(() => prayers.stop())
    if (firstStart) {
      const rsvps = prayers.ready.then(() => loadDemoRsvps({ database, clock: systemClock }))
      rsvps.catch(error => log.warn({ err: error }, 'the demo answers to events could not be loaded'))
    }
    return { baseUrl, sandboxUrl, port: main.port, database, stop: undo.run }
  } catch (error) {
    await undo.run()
    throw error
  }
}
