// A whole Minaret for one test file: its own database, free ports, stopped and removed at the end.
import { after, before } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import type { Connection } from '../../src/db/connection.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { ServiceOptions } from '../../src/service/service-options.ts'
import { type Service, startService } from '../../src/service/start-service.ts'
import { createDatabase, TEMPLATE, type TestDatabase, urlOf } from './database.ts'
import { keepStructure } from './keep-structure.ts'
import { markSandboxFilled, sandboxTemplate } from './sandbox-template.ts'
import { share } from './share.ts'
import { makeTemplate } from './template.ts'

export interface TestMinaret {
  readonly service: Service
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly databaseUrl: string
  stop(): Promise<void>
}

/** The same in every test, so that the cluster's reading roles are created once. */
export const TEST_SECRET = 'a secret for tests only, at least 32 characters'

/** Every connection costs milliseconds of CPU time; tests of many requests at once ask for more. */
const few = { READ_CONNECTIONS: '1' }

/** Tests share processors: how long something may take is said by those that are about time. */
export const patient = { REQUEST_DEADLINE_MS: '30000', STATEMENT_TIMEOUT_MS: '20000' }

const configFor = (databaseUrl: string, environment: Record<string, string> = {}): Config =>
  readConfig({
    PORT: '0',
    SANDBOX_PORT: '0',
    DATABASE_URL: databaseUrl,
    MINARET_SECRET: TEST_SECRET,
    DEMO_DATA: 'off',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    RATE_LIMITS: 'off',
    ...patient,
    ...few,
    ...environment,
  })

/** What the first start on a database does takes longer than all later ones: signing keys, rights, triggers. */
const startOnce = async (connection: Connection): Promise<void> => {
  const config = configFor(urlOf(connection))
  const service = await startService({ config, log: createLogger(config.logLevel), sandboxData: false })
  await service.stop()
}

const startFirst = async (connection: Connection): Promise<void> => {
  await startOnce(connection)
  await withClient(connection, client => client.query(markSandboxFilled))
  await keepStructure(connection)
}

/** Migrated, and the service has run on it. */
export const startedTemplate = (): Promise<string> =>
  makeTemplate({ name: `${TEMPLATE}_started`, from: TEMPLATE, fill: startFirst })

/** Another secret could not read the template's signing keys. */
const emptyTemplate = async ({ MINARET_SECRET }: Record<string, string>): Promise<string> =>
  MINARET_SECRET === undefined ? startedTemplate() : TEMPLATE

interface TestOptions extends Pick<ServiceOptions, 'dial' | 'onRoutes'>, Partial<Pick<ServiceOptions, 'log'>> {
  /** An empty database's template → one with the rows and tables that the tests need, such as `fixtureTemplate`. */
  readonly template?: (empty: string) => Promise<string>
}

/** `SANDBOX_DATA: 'on'` is an option of this function only: the sandbox then has today's invented data. */
export const startTestMinaret = async (
  { SANDBOX_DATA, ...environment }: Record<string, string> = {},
  { template = async empty => empty, ...options }: TestOptions = {},
): Promise<TestMinaret> => {
  const filled = await template(await emptyTemplate(environment))
  const database: TestDatabase = await createDatabase(SANDBOX_DATA === 'on' ? await sandboxTemplate(filled) : filled)
  const config = configFor(database.url, environment)
  const started = await startService({
    config,
    log: createLogger(config.logLevel),
    sandboxData: SANDBOX_DATA === 'on',
    ...options,
  })
  return untilStopped(started, database)
}

/** What has been stopped is forgotten: the variables of a test file last as long as its process, which runs many files. */
const untilStopped = (service: Service, database: TestDatabase): TestMinaret => {
  const { baseUrl, sandboxUrl } = service
  let running: Service | undefined = service
  return {
    get service() {
      if (running === undefined) throw new Error('Minaret is not running any more.')
      return running
    },
    baseUrl,
    sandboxUrl,
    databaseUrl: database.url,
    stop: async () => {
      await running?.stop()
      running = undefined
      await database.drop()
    },
  }
}

/** The files of a group share those that were started alike. */
const sharedMinaret = (environment: Record<string, string>, options: Pick<TestOptions, 'template'>) =>
  share(JSON.stringify(['minaret', environment, options.template?.name]), () => startTestMinaret(environment, options))

/**
 * For the top of a test file: `const minaret = useMinaret()`, then `minaret().baseUrl` inside tests. What all tests of the
 * file need is created in `prepare`: a second `before` at the top of a file would run at the same time as this one.
 */
export const useMinaret = (
  environment: Record<string, string> = {},
  prepare: (minaret: TestMinaret) => Promise<void> = async () => undefined,
  options: Pick<TestOptions, 'template'> = {},
): (() => TestMinaret) => {
  let running: TestMinaret | undefined
  let release = async (): Promise<void> => undefined
  before(async () => {
    const shared = await sharedMinaret(environment, options)
    running = shared.value
    release = shared.release
    await prepare(running)
  })
  after(() => release())
  return () => {
    if (running === undefined) throw new Error('Minaret is not running yet.')
    return running
  }
}
