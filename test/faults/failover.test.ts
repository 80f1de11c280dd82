// Failover under load: the primary is killed, its synchronous standby promoted. Nothing that was acknowledged is lost.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dataScopes } from '../../src/access/scopes.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Service } from '../../src/service/start-service.ts'
import { loadFixture, masjidId } from '../graphql/fixture.ts'
import { createLibrary } from '../graphql/write/library.ts'
import { type OpenStreams, openStreams } from '../live/stream-clients.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import type { TestMinaret } from '../support/minaret.ts'
import {
  type Code,
  type Flow,
  getCode,
  getTokens,
  makeFlow,
  postToken,
  refresh,
  revoke,
  type Tokens,
  userinfo,
  within,
} from '../support/oauth.ts'
import { startWatch } from '../support/waited.ts'
import { asTestMinaret, type OwnCluster, serve, startOwnCluster } from './own-cluster.ts'
import { startStandby } from './standby.ts'

/** Of each kind, before the primary is killed. */
const LEAST = 5
/** Long enough for what is answered, on a machine that is busy with other tests. */
const DEADLINE_MS = 10_000
const RECOVERY_MS = 5000

let primary: OwnCluster
let standby: OwnCluster
let service: Service
let minaret: TestMinaret
let flow: Flow
let client: GraphqlClient
let streams: readonly OpenStreams[]

const TICKS = `subscription ($after: String) {
  up_lib_authors_stream(batch_size: 10, cursor: {initial_value: {name: "tick"}}, after: $after, where: {name: {_like: "tick %"}}) { name _cursor }
}`

const on = ({ connection }: OwnCluster, statement: string) => withClient(connection, one => one.query(statement))

/** As libpq writes it. */
const bothHosts = (): string => {
  const url = new URL(primary.url)
  const [one, other] = [primary.connection, standby.connection]
  url.searchParams.set('host', `${one.host},${other.host}`)
  url.searchParams.set('port', `${one.port},${other.port}`)
  return url.href
}

before(async () => {
  primary = await startOwnCluster()
  standby = await startStandby(primary)
  service = await serve(bothHosts(), {
    REQUEST_DEADLINE_MS: String(DEADLINE_MS),
    STATEMENT_TIMEOUT_MS: '8000',
    ANSWER_CACHE_MB: '8',
  })
  minaret = asTestMinaret(service, '')
  await loadFixture(service.database)
  await createLibrary(service.database)
  flow = await makeFlow(minaret)
  const app = await makeApp(service.database, { scopes: dataScopes, masjids: { only: '*', own: '*' } })
  const { key } = await makeKey(service.database, { appId: app.id, scopes: dataScopes })
  client = openClient(service, key, { retryStale: true })
  await within(60_000, 'the table is there', async () => (await insert('first')) === 200)
  streams = openStreams({
    url: `${minaret.baseUrl}/v1/graphql`,
    key,
    list: 'subscription { up_lib_authors_aggregate { aggregate { count } } }',
    stream: { query: TICKS, nameOf: ({ name }) => name },
  })
  await Promise.all(streams.map(one => one.untilOpen()))
  await on(primary, "alter system set synchronous_standby_names = '*'")
  await on(primary, 'select pg_reload_conf()')
  const isSynchronous = async () =>
    (await on(primary, "select from pg_stat_replication where sync_state = 'sync'")).rowCount === 1
  await within(60_000, 'the standby is synchronous', isSynchronous)
})
after(async () => {
  client.close()
  for (const one of streams) await one.stop()
  standby.thaw()
  await service.stop()
  await standby.remove()
  await primary.start()
  await primary.remove()
})

const insert = async (name: string): Promise<number> => {
  const { status } = await client.query(
    {
      query: `mutation { insert_up_lib_authors_one(object: {masjid_id: "${masjidId(1)}", name: "${name}"}) { id } }`,
    },
    { accept: 'application/graphql-response+json' },
  )
  return status
}

const renew = async (token: string): Promise<Tokens | number> => {
  const response = await refresh(minaret, flow.app, token)
  if (response.status === 200) return (await response.json()) as Tokens
  await response.text()
  return response.status
}

test('what the standby has not confirmed is not acknowledged', async () => {
  const tokens = await getTokens(minaret, flow)
  standby.freeze()
  const [renewed, inserted] = await Promise.all([renew(tokens.refresh_token), insert('unconfirmed')])
  standby.thaw()
  assert.equal(renewed, 503)
  assert.equal(inserted, 503)
  await within(60_000, 'writing goes on', async () => (await insert('confirmed')) === 200)
})

const COUNT = '{ up_lib_authors_aggregate { aggregate { count } } }'

interface Counted {
  readonly count: number
  readonly hit: boolean
}

/** Undefined if the service cannot say now. */
const countAuthors = async (headers: Record<string, string> = {}): Promise<Counted | undefined> => {
  const { status, body } = await client.query({ query: COUNT }, headers)
  if (status !== 200 || body.data === undefined) return undefined
  return { count: body.data.up_lib_authors_aggregate.aggregate.count, hit: body.extensions?.cache?.hit === true }
}

/** Whoever asks for explanations changes nothing, so that it is asked without too. */
const isFromMemory = async (): Promise<boolean> => {
  await countAuthors()
  return (await countAuthors({ 'x-minaret-explain': '1' }))?.hit === true
}

interface Acknowledged {
  readonly codes: Code[]
  /** The last refresh token of each family. */
  readonly refreshes: string[]
  readonly revoked: string[]
  readonly names: string[]
  /** Names that are sent in order. */
  readonly ticks: string[]
  /** How often authors were counted, and when there were fewer than had been acknowledged before. */
  reads: number
  readonly stale: string[]
}

/** Each worker does one thing after the other until told to stop; what was under way then is not acknowledged. */
const load = (isOver: () => boolean) => {
  const acknowledged: Acknowledged = {
    codes: [],
    refreshes: [],
    revoked: [],
    names: [],
    ticks: [],
    reads: 0,
    stale: [],
  }
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!isOver()) await work().catch(() => undefined)
  }
  let ticks = 0
  const workers = [
    repeat(async () => {
      const least = acknowledged.names.length + acknowledged.ticks.length
      const counted = await countAuthors()
      if (counted === undefined) return
      acknowledged.reads += 1
      if (counted.count < least) acknowledged.stale.push(`${counted.count} of ${least}`)
    }),
    repeat(async () => {
      ticks += 1
      const name = `tick ${String(ticks).padStart(6, '0')}`
      if ((await insert(name)) === 200) acknowledged.ticks.push(name)
    }),
    repeat(async () => void acknowledged.codes.push(await getCode(minaret, flow))),
    repeat(async () => {
      const first = await renew((await getTokens(minaret, flow)).refresh_token)
      const second = typeof first === 'number' ? first : await renew(first.refresh_token)
      if (typeof second !== 'number') acknowledged.refreshes.push(second.refresh_token)
    }),
    repeat(async () => {
      const { access_token, refresh_token } = await getTokens(minaret, flow)
      const [one, other] = [
        await revoke(minaret, flow.app, access_token),
        await revoke(minaret, flow.app, refresh_token),
      ]
      if (one.status === 200) acknowledged.revoked.push(access_token)
      if (other.status === 200) acknowledged.revoked.push(refresh_token)
    }),
    ...Array.from({ length: 3 }, (_, worker) =>
      repeat(async () => {
        const name = `author ${worker} ${acknowledged.names.length} ${performance.now()}`
        if ((await insert(name)) === 200) acknowledged.names.push(name)
      }),
    ),
  ]
  return { acknowledged, done: () => Promise.all(workers) }
}

const isReady = async (): Promise<boolean> => (await fetch(`${minaret.baseUrl}/readyz`)).status === 200
const isPromoted = async (): Promise<boolean> =>
  (await on(standby, 'select pg_is_in_recovery() as standby')).rows[0].standby === false

test('before that, answers come from memory', () => within(60_000, 'an answer from memory', isFromMemory))

test('the primary is killed under load: the service goes on within five seconds, with every code, refresh, revocation and write', async () => {
  let isOver = false
  const { acknowledged, done } = load(() => isOver)
  const { codes, refreshes, revoked, names, ticks } = acknowledged
  await within(60_000, 'all kinds are acknowledged', async () =>
    [codes, refreshes, revoked, names, ticks].every(({ length }) => length >= LEAST),
  )
  await primary.kill()
  isOver = true
  await done()
  await on(standby, 'select pg_promote(false)')
  await within(60_000, 'the standby is promoted', isPromoted)
  const watch = startWatch()
  await within(60_000, 'it is ready', isReady)
  await within(60_000, 'it is written to', async () => (await insert('after')) === 200)
  await within(60_000, 'tokens are issued', async () => {
    const response = await postToken(minaret, codes[0]?.form ?? {}, codes[0]?.headers)
    await response.text()
    return response.status === 200
  })
  const ms = watch()
  assert.ok(ms < RECOVERY_MS, `${Math.round(ms)} ms`)

  for (const { form, headers } of codes.slice(1))
    assert.equal((await postToken(minaret, form, headers)).status, 200, 'a code')
  for (const token of refreshes) assert.equal(typeof (await renew(token)), 'object', 'a refresh token')
  for (const token of revoked) {
    const status = token.startsWith('rt_') ? await renew(token) : (await userinfo(minaret, token)).status
    assert.equal(status, token.startsWith('rt_') ? 400 : 401, 'a revoked token')
  }
  const { rows } = await on(standby, 'select name from up_lib_authors order by name')
  const stored = new Set(rows.map(({ name }) => name))
  assert.deepEqual(
    [...names, ...ticks].filter(name => !stored.has(name)),
    [],
    'writes',
  )
  assert.deepEqual(acknowledged.stale, [], `among ${acknowledged.reads} reads`)
})

test('no answer in memory outlives the old primary: the new one is asked, and then answers are kept again', async () => {
  assert.equal(await insert('in the new history'), 200)
  const { rows } = await on(standby, 'select count(*)::int as count from up_lib_authors')
  await within(30_000, 'an answer', async () => (await countAuthors()) !== undefined)
  assert.equal((await countAuthors())?.count, rows[0].count)
  await within(60_000, 'an answer from memory', isFromMemory)
  assert.equal((await countAuthors())?.count, rows[0].count)
})

test('subscriptions that were open then go on: streams without a gap or a row twice, lists as they are now', async () => {
  assert.equal(await insert('tick last'), 200)
  const { rows } = await on(standby, 'select name from up_lib_authors order by name')
  const ticks: string[] = rows.map(({ name }) => name).filter(name => name.startsWith('tick '))
  for (const one of streams) {
    await one.untilRows(ticks.length)
    assert.deepEqual(one.rows, ticks, one.name)
    await one.untilList(({ up_lib_authors_aggregate }) => up_lib_authors_aggregate.aggregate.count === rows.length)
    assert.equal(one.connections(), 1, `${one.name} was not interrupted`)
  }
})
