// The reference cluster with an app in use, and what must hold whatever fails: for the tests of its faults.
import assert from 'node:assert/strict'
import { after, before, type TestContext } from 'node:test'
import { type DatabaseHost, ports, services } from '../../scripts/cluster/hosts.ts'
import { findLeaders } from '../../scripts/cluster/patroni.ts'
import { type Cluster, startCluster } from '../../scripts/cluster/start-cluster.ts'
import { dataScopes } from '../../src/access/scopes.ts'
import { createLogger } from '../../src/base/log.ts'
import { fromUrl } from '../../src/db/connection.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'
import type { Service } from '../../src/service/start-service.ts'
import {
  type Acts,
  assertKept,
  type InUse,
  openActs,
  redeemCodes,
  startLoad,
  untilAcknowledged,
} from '../faults/mixed-load.ts'
import { loadFixture } from '../graphql/fixture.ts'
import { createLibrary } from '../graphql/write/library.ts'
import { type OpenStreams, openStreams } from '../live/stream-clients.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { getTokens, makeFlow, within } from '../support/oauth.ts'
import { markSandboxFilled } from '../support/sandbox-template.ts'
import { startWatch } from '../support/waited.ts'
import { createProbeTable, startProbe } from './probe.ts'
import { watchRevocations } from './revocations.ts'

/** Of each kind, before and after what fails. */
const LEAST = 3
const TICKS = `subscription ($after: String) {
  up_lib_authors_stream(batch_size: 10, cursor: {initial_value: {name: "tick"}}, after: $after, where: {name: {_like: "tick %"}}) { name _cursor }
}`
const COUNT = 'subscription { up_lib_authors_aggregate { aggregate { count } } }'

/** What docs/errors.md says of a database that is not there for a moment. */
const DOCUMENTED = [
  /^\w+ 503 (database-unavailable|temporarily_unavailable|unavailable|overloaded)$/,
  /^503: .*"temporarily_unavailable"/,
  /^no (redirect|consent page), but 503$/,
]

interface Fault {
  /** Makes it fail. Resolves when it has. */
  readonly strike: (leader: DatabaseHost) => Promise<unknown>
  /** Makes it whole again. */
  readonly mend: (leader: DatabaseHost) => Promise<unknown>
}

interface Outcome {
  /** From the promotion until each process has written. */
  readonly servesAfterMs: number
  /** The same, without what a busy machine added. */
  readonly idleMs: number
  /** The longest time without an acknowledged write. */
  readonly withoutWritesMs: number
  readonly refused: readonly string[]
}

/** For the options of a suite: a cluster takes minutes of a processor. */
export const onlyInLongRuns: string | false = process.env.MINARET_LONG === undefined && 'in `npm run test:long` only'

/** What docs/operations.md says in its table. */
export const describeOutcome = (t: TestContext, { servesAfterMs, withoutWritesMs, refused }: Outcome): void => {
  const [serves, without] = [servesAfterMs, withoutWritesMs].map(ms => (ms / 1000).toFixed(1))
  t.diagnostic(
    `serves after ${serves} s; ${without} s without an acknowledged write; refused: ${refused.join(', ') || 'nothing'}`,
  )
}

interface UsedCluster {
  readonly cluster: Cluster
  /** What has to hold of every fault is asserted here. */
  endure(fault: Fault): Promise<Outcome>
}

const fillTables = async (database: Database): Promise<void> => {
  await database.run(rawSql(markSandboxFilled))
  await loadFixture(database)
  await createLibrary(database)
}

const makeInUse = async (cluster: Cluster, database: Database): Promise<InUse> => {
  const app = await makeApp(database, { scopes: dataScopes, masjids: { only: '*', own: '*' } })
  const { key } = await makeKey(database, { appId: app.id, scopes: dataScopes })
  const service = { database } as Service
  const { baseUrl, sandboxUrl, ownerUrl } = cluster
  const minaret = { service, baseUrl, sandboxUrl, databaseUrl: ownerUrl, stop: () => cluster.stop() }
  return { minaret, flow: await makeFlow(minaret), key }
}

const longestGap = (times: readonly number[]): number =>
  Math.max(0, ...times.slice(1).map((at, index) => at - (times[index] ?? at)))

export const useCluster = (): UsedCluster => {
  let cluster: Cluster
  let inUse: InUse
  let streams: readonly OpenStreams[] = []
  let round = 0
  const patroniOf = (host: DatabaseHost): number => cluster.portOf(host, ports.patroni)
  const processes = (): string[] => services.map(host => `http://127.0.0.1:${cluster.portOf(host, ports.service)}`)
  const silent = createLogger('silent')

  before(async () => {
    cluster = await startCluster({
      environment: {
        MINARET_SECRET: TEST_SECRET,
        DEMO_DATA: 'off',
        LOG_LEVEL: 'info',
        RATE_LIMITS: 'off',
        READ_CONNECTIONS: '1',
        REQUEST_DEADLINE_MS: '10000',
        STATEMENT_TIMEOUT_MS: '8000',
      },
      prepare: async connection => {
        const owner = openDatabase(connection, { poolSize: 1, log: silent })
        await fillTables(owner).finally(() => owner.close())
      },
    })
    const database = openDatabase(fromUrl(cluster.urlOf(await leader())), { poolSize: 2, log: silent })
    inUse = await makeInUse(cluster, database).finally(() => database.close())
    // From now on nobody is asked for consent.
    await getTokens(inUse.minaret, inUse.flow)
    await createProbeTable(cluster.urlOf(await leader(), 'postgres'))
    await within(
      60_000,
      'the table is there',
      async () => (await tryWriting(inUse.minaret.baseUrl, `first ${performance.now()}`)) === 200,
    )
    streams = openStreams({
      url: `${cluster.baseUrl}/v1/graphql`,
      key: inUse.key,
      list: COUNT,
      stream: { query: TICKS, nameOf: ({ name }) => name },
    })
    await Promise.all(streams.map(one => one.untilOpen()))
  })
  after(async () => {
    for (const one of streams) await one.stop()
    await cluster?.stop()
  })

  const leader = async (): Promise<DatabaseHost> => {
    let found: readonly DatabaseHost[] = []
    await within(120_000, 'one leader', async () => {
      found = await findLeaders(patroniOf)
      return found.length === 1
    })
    return found[0] as DatabaseHost
  }
  const tryWriting = async (baseUrl: string, name: string): Promise<number> => {
    const acts: Acts = openActs({ ...inUse, minaret: { ...inUse.minaret, baseUrl } })
    return acts.insert(name).finally(() => acts.close())
  }
  const untilServing = async (): Promise<Pick<Outcome, 'servesAfterMs' | 'idleMs'>> => {
    const since = performance.now()
    const watch = startWatch()
    const serves = async (baseUrl: string): Promise<void> =>
      within(
        60_000,
        `${baseUrl} is written to`,
        async () => (await tryWriting(baseUrl, `after ${performance.now()}`)) === 200,
      )
    await Promise.all(processes().map(serves))
    return { servesAfterMs: performance.now() - since, idleMs: watch() }
  }
  const untilElected = (before: DatabaseHost): Promise<void> =>
    within(120_000, 'another leader', async () => (await findLeaders(patroniOf)).some(host => host !== before))
  const namesOn = async (host: DatabaseHost): Promise<string[]> => {
    const database = openDatabase(fromUrl(cluster.urlOf(host)), { poolSize: 1, log: silent })
    const rows = await database.query<{ name: string }>(rawSql('select name from up_lib_authors order by name'))
    await database.close()
    return rows.map(({ name }) => name)
  }
  const assertStreams = async (stored: readonly string[]): Promise<void> => {
    const ticks = stored.filter(name => name.startsWith('tick '))
    for (const one of streams) {
      await one.untilRows(ticks.length)
      assert.deepEqual(one.rows, ticks, one.name)
      await one.untilList(data => data.up_lib_authors_aggregate.aggregate.count === stored.length)
    }
  }

  return {
    get cluster() {
      return cluster
    },
    endure: async ({ strike, mend }) => {
      await cluster.untilWhole()
      const old = await leader()
      round += 1
      const load = startLoad(inUse, round)
      const probe = startProbe(cluster)
      const revocations = watchRevocations(inUse, processes())
      await untilAcknowledged(load, LEAST)
      const struck = strike(old)
      await untilElected(old)
      const serving = await untilServing()
      await redeemCodes(inUse, load.acknowledged)
      const { names } = load.acknowledged
      const enough = names.length + LEAST
      await within(60_000, 'the load goes on', () => names.length >= enough)
      await struck
      await mend(old)
      await cluster.untilWhole()
      await Promise.all([load.stop(), probe.stop(), revocations.stop()])
      const stored = await namesOn(await leader())
      const { refused } = load.acknowledged
      assert.deepEqual(probe.overlaps(), [], 'two leaders')
      assert.deepEqual(revocations.accepted, [], `revoked tokens, of ${revocations.looked()}`)
      await assertKept(inUse, load.acknowledged, new Set(stored))
      await assertStreams(stored)
      const kinds = [...new Set(refused.map(({ what }) => what))]
      assert.deepEqual(
        kinds.filter(kind => !DOCUMENTED.some(pattern => pattern.test(kind))),
        [],
      )
      return { ...serving, withoutWritesMs: longestGap(load.acknowledged.writtenAt), refused: kinds }
    },
  }
}
