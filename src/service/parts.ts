// Listeners and database → the parts of the service, each created once, in dependency order.

import { type Access, createAccess } from '../access/create-access.ts'
import { createKeyLimits, type KeyLimits } from '../access/key-limits.ts'
import { createVerifyKeys } from '../access/verify-keys.ts'
import { type AccountServices, createAccountServices } from '../accounts/account-services.ts'
import { createUsage, type Usage } from '../apps/usage.ts'
import { type AuditTrail, openAuditTrail } from '../audit/audit-trail.ts'
import { type AddressBudget, createAddressBudget } from '../base/address-budget.ts'
import type { OwnBuild } from '../base/build/own-build.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { createFairTurns, type FairTurns } from '../base/fair-turns.ts'
import type { Counting } from '../base/limit.ts'
import type { Logger } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import { countTogether } from '../db/count-together.ts'
import type { Database } from '../db/database.ts'
import { type Listener, openListener } from '../db/listener.ts'
import { readerConnections } from '../db/reader-connections.ts'
import { readerGroups, writerConnection, writerGroups } from '../db/roles.ts'
import type { Store } from '../db/store.ts'
import { createKeptResponses, keepNoResponses } from '../graphql/answers/kept-responses.ts'
import type { Calculations } from '../graphql/calculated/calculation.ts'
import { createGraphql, type Graphql } from '../graphql/create-graphql.ts'
import type { Watching } from '../metrics/watching.ts'
import { createProvider, type Provider } from '../oauth/provider.ts'
import type { Dial } from '../outbound/guarded-fetch.ts'
import { createPlaceRows } from '../place-times/place-rows.ts'
import { createPlaceTimes, type PlaceTimes } from '../place-times/place-times.ts'
import { createAskedMasjids, type NoteAsked } from '../prayer/on-demand/asked-masjids.ts'
import { createSandbox, type Sandbox } from '../sandbox/sandbox-endpoint.ts'
import type { Documentation } from '../site/docs/documents.ts'
import { createDocumentationSource } from '../site/docs/routes.ts'
import { createProveFirst } from '../site/factors/prove-first.ts'
import type { PageFrame } from '../site/frame/page-routes.ts'
import { createVisits } from '../site/frame/visit.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { openSideThreads, type SideThreads } from './side-threads.ts'
import type { Unwind } from './unwind.ts'

/** What the parts are built from. */
export interface Ground {
  /** Of the files as they were at the start. */
  readonly build: OwnBuild
  readonly config: Config
  readonly log: Logger
  readonly store: Store
  readonly database: Database
  /** For jobs and whatever no request waits for. */
  readonly background: Database
  readonly baseUrl: string
  readonly sandboxUrl: string
  /** How the outside world is reached; undefined: the public internet only. */
  readonly dial?: Dial | undefined
  /** What is counted. */
  readonly watching: Watching
  /** Undefined if there are no traces. */
  readonly tracer?: Tracer | undefined
}

/** What every part of the service may use. */
export interface Parts extends Ground, SideThreads {
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
  readonly counting: Counting
  /** Of what is asked without a credential. */
  readonly budget: AddressBudget
  readonly keyLimits: KeyLimits
  /** Of the GraphQL endpoint. */
  readonly turns: FairTurns
  /** Times of places, without a masjid. */
  readonly places: PlaceTimes
  readonly noteAsked: NoteAsked
}

const clock = systemClock

/** Most of the deadline is left for the work itself. */
const openTurns = ({ requestsPerApp, requestDeadlineMs }: Config): FairTurns =>
  createFairTurns({
    // What a process can work on at a time.
    atOnce: requestsPerApp * 4,
    atOnceEach: requestsPerApp,
    mostWaiting: 4000,
    mostWaitingEach: 1000,
    mostMs: requestDeadlineMs * 0.4,
  })

interface EngineGround extends Ground {
  readonly listener: Listener
  readonly calculations: Calculations
  readonly noteAsked: NoteAsked
}

const openEngine = async (ground: EngineGround, schema: 'public' | 'sandbox', undo: Unwind): Promise<Graphql> => {
  const { config, store } = ground
  const { readConnections: connections, writeConnections, statementTimeoutMs } = config
  const { primary, replicas } = await readerConnections(store, config.databaseReadUrls, readerGroups[schema])
  const writer = await writerConnection(store.owner, writerGroups[schema], store.secret)
  const engine = await createGraphql({
    ...ground,
    database: ground.background,
    schema,
    readers: [primary],
    replicas,
    mostLagMs: config.replicaLagMs,
    connections,
    writer,
    writeConnections,
    noteAsked: schema === 'public' ? ground.noteAsked : undefined,
    keepsAnswers: schema === 'public' && config.answerCacheMb + config.pageCacheMb > 0,
    statementTimeoutMs,
    deadlineMs: config.requestDeadlineMs,
  })
  undo.add(() => engine.close())
  return engine
}

/** Side by side: most of the time is spent waiting for the database. Both have ended before either's failure is reported. */
const openEngines = async (ground: EngineGround, undo: Unwind): Promise<[Graphql, Graphql]> => {
  const opening = [openEngine(ground, 'public', undo), openEngine(ground, 'sandbox', undo)] as const
  await Promise.allSettled(opening)
  return Promise.all(opening)
}

const MEBIBYTE = 1024 * 1024

const createPages = ({ config, database, store: { secrets } }: Ground, accounts: AccountServices): PageFrame => {
  const production = config.mode === 'production'
  const visits = createVisits({ database, secrets, production })
  const kept = config.pageCacheMb > 0 ? createKeptResponses(config.pageCacheMb * MEBIBYTE, clock) : keepNoResponses
  return { production, visits, kept, proveFirst: createProveFirst({ accounts, visits, secrets }) }
}

/** From a bearer credential to who asks; and what is written down about it. */
const openAccess = async (
  ground: Ground,
  listener: Listener,
  undo: Unwind,
): Promise<Pick<Parts, 'access' | 'audit' | 'usage'>> => {
  const { database, log, baseUrl, sandboxUrl, store } = ground
  const verifyKeys = await createVerifyKeys(database, listener)
  const { secret } = store
  const access = await createAccess({ database, listener, log, clock, issuer: baseUrl, sandboxUrl, secret, verifyKeys })
  undo.add(() => access.close())
  const audit = openAuditTrail(database, log)
  undo.add(() => audit.close())
  const usage = createUsage({ database, clock, log })
  undo.add(() => usage.close())
  return { access, audit, usage }
}

export const createParts = async (ground: Ground, undo: Unwind): Promise<Parts> => {
  const { config, log, store, database, baseUrl, sandboxUrl } = ground
  const { rateLimits, rowsPerMinute, statementTimeoutMs } = config
  const listener = await openListener(store.owner, log)
  undo.add(() => listener.close())
  const open = await openAccess(ground, listener, undo)
  const { secret, secrets } = store
  const { counting, close } = countTogether({ database, clock, log, secret })
  undo.add(close)
  const keyLimits = createKeyLimits(counting)
  const attempts = rateLimits ? counting : undefined
  const httpsOnly = config.mode === 'production'
  const provider = await createProvider({
    baseUrl,
    sandboxUrl,
    httpsOnly,
    database,
    listener,
    log,
    counting: attempts,
    turns: openTurns(config),
    secrets,
    selfDescribed: config.selfDescribedApps,
    counter: ground.watching.tokens,
    watch: ground.watching.jobs.watch,
    dial: ground.dial,
    ...open,
  })
  undo.add(() => provider.issuer.keys.close())
  const threads = openSideThreads(undo)
  const places = createPlaceTimes({ zones: threads.zones, clock })
  const asked = createAskedMasjids({ ...config, database: ground.background, clock, log })
  undo.add(() => asked.close())
  const calculations: Calculations = new Map([['pc_times_at', createPlaceRows(places, asked.note)]])
  const [graphql, engine] = await openEngines({ ...ground, listener, calculations, noteAsked: asked.note }, undo)
  const sandbox = await createSandbox({
    engine,
    access: open.access,
    sandboxUrl,
    listener,
    counting: attempts,
    keyLimits,
    turns: openTurns(config),
    config,
    log,
    meter: ground.watching.operations.sandbox,
  })
  const documentation = createDocumentationSource({ baseUrl, sandboxUrl, rowsPerMinute, statementTimeoutMs }, () =>
    graphql.structures.current(),
  )
  const { erasureDays, providers } = config
  const accounts = createAccountServices({ database, baseUrl, erasureDays, secrets, providers }, attempts)
  const pages = createPages(ground, accounts)
  const turns = openTurns(config)
  return {
    ...ground,
    ...open,
    ...threads,
    places,
    noteAsked: asked.note,
    listener,
    provider,
    graphql,
    sandbox,
    accounts,
    pages,
    documentation,
    clock,
    counting,
    budget: createAddressBudget(attempts),
    keyLimits,
    turns,
  }
}
