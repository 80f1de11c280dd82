// A GraphQL engine with its own database, called without HTTP: `ask(query, { variables, grant })` returns data or errors.
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import type { Grant } from '../../src/access/grant.ts'
import { dataScopes, type Scope, scopeKeyOf } from '../../src/access/scopes.ts'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { openListener } from '../../src/db/listener.ts'
import { readerConnection, writerConnection } from '../../src/db/roles.ts'
import { createGraphql, type Graphql } from '../../src/graphql/create-graphql.ts'
import { runOperations } from '../../src/graphql/entrance/entrance.ts'
import { refusalOf, type ShownError } from '../../src/graphql/errors.ts'
import type { Outcome } from '../../src/graphql/outcome.ts'
import { createPlaceRows } from '../../src/place-times/place-rows.ts'
import { createPlaceTimes } from '../../src/place-times/place-times.ts'
import { createDatabase } from '../support/database.ts'
import { startedTemplate, TEST_SECRET } from '../support/minaret.ts'
import { share } from '../support/share.ts'
import { fixtureTemplate } from './fixture.ts'

export const grantWith = (scopes: readonly Scope[], values: Partial<Grant> = {}): Grant => ({
  kind: 'app',
  credential: 'api_key',
  environment: 'live',
  appId: undefined,
  clientId: 'client',
  userId: undefined,
  keyId: undefined,
  tokenId: undefined,
  grantId: undefined,
  scopes: new Set(scopes),
  scopeKey: scopeKeyOf(scopes),
  masjids: '*',
  ownMasjids: '*',
  expiresAt: undefined,
  ...values,
})

export const everything = grantWith(dataScopes)

interface AskOptions {
  readonly variables?: Record<string, unknown>
  readonly operationName?: string
  readonly grant?: Grant
}

// biome-ignore lint/suspicious/noExplicitAny: a response has the shape of its query
type Data = any

export interface TestEngine {
  readonly engine: Graphql
  readonly database: Database
  /** The data of the response. @throws when the query is refused. */
  ask(query: string, options?: AskOptions): Promise<Data>
  /** The errors of the response. @throws when the query succeeds. */
  refused(query: string, options?: AskOptions): Promise<readonly ShownError[]>
  text(query: string, options?: AskOptions): Promise<string>
}

/** Of places whose zone is given: none is looked for here. */
const places = createPlaceTimes({ zones: { find: async () => 'Etc/UTC' }, clock: { now: () => new Date() } })

interface Opened {
  readonly database: Database
  readonly engine: Graphql
  stop(): Promise<void>
}

type Prepare = (database: Database) => Promise<void>

const open = async (prepare: Prepare | undefined): Promise<Opened> => {
  const log = createLogger((process.env.TEST_LOG as 'silent' | undefined) ?? 'silent')
  const started = await startedTemplate()
  const test = await createDatabase(prepare === undefined ? await fixtureTemplate(started) : started)
  const database = openDatabase(test.connection, { poolSize: 4, log })
  await prepare?.(database)
  const listener = await openListener(test.connection, log)
  const readers = [await readerConnection(test.connection, 'minaret_reader', TEST_SECRET)]
  const engine = await createGraphql({
    database,
    listener,
    log,
    schema: 'public',
    calculations: new Map([['pc_times_at', createPlaceRows(places, () => undefined)]]),
    readers,
    connections: 2,
    writer: await writerConnection(test.connection, 'minaret_writer', TEST_SECRET),
    writeConnections: 2,
    // Tests share processors.
    statementTimeoutMs: 20_000,
    deadlineMs: 30_000,
  })
  const stop = async (): Promise<void> => {
    await engine.close()
    await listener.close()
    await database.close()
    await test.drop()
  }
  return { database, engine, stop }
}

/** For tests of the schema, which need no rows. */
export const withoutRows: Prepare = async () => undefined

/** @throws the error of an invalid request. */
export const dataOf = ([outcome]: readonly Outcome[]): string => {
  if (outcome === undefined || 'error' in outcome) throw outcome?.error
  return outcome.result.data
}

const helpersOf = ({ engine, database }: Opened): TestEngine => {
  const text = async (query: string, { variables = {}, operationName, grant = everything }: AskOptions = {}) =>
    dataOf(await runOperations(engine, [{ query, variables, operationName }], { grant }))
  return {
    engine,
    database,
    text,
    ask: async (query, options) => JSON.parse(await text(query, options)),
    refused: async (query, options) => {
      try {
        await text(query, options)
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal === undefined) throw error
        return refusal.errors
      }
      throw new Error(`answered, though it should have been refused: ${query}`)
    },
  }
}

/** Without `prepare`, its database has the rows of the fixture. */
export const useEngine = (prepare?: Prepare): (() => TestEngine) => {
  let release = async (): Promise<void> => undefined
  let helpers: TestEngine | undefined
  before(async () => {
    const isCommon = prepare === undefined || prepare === withoutRows
    const key = `engine ${isCommon ? prepare?.name : randomUUID()}`
    const shared = await share(key, () => open(prepare))
    release = shared.release
    helpers = helpersOf(shared.value)
  })
  after(() => release())
  return () => {
    if (helpers === undefined) throw new Error('The engine is not running yet.')
    return helpers
  }
}
