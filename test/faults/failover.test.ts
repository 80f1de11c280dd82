// Failover under load: the primary is killed, its synchronous standby promoted. Nothing that was acknowledged is lost.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dataScopes } from '../../src/access/scopes.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Service } from '../../src/service/start-service.ts'
import { loadFixture } from '../graphql/fixture.ts'
import { createLibrary } from '../graphql/write/library.ts'
import { type OpenStreams, openStreams } from '../live/stream-clients.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import type { TestMinaret } from '../support/minaret.ts'
import { getTokens, makeFlow, within } from '../support/oauth.ts'
import { startWatch } from '../support/waited.ts'
import { type Acts, assertKept, type InUse, openActs, startLoad, untilAcknowledged } from './mixed-load.ts'
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
let inUse: InUse
let acts: Acts
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
  const app = await makeApp(service.database, { scopes: dataScopes, masjids: { only: '*', own: '*' } })
  const { key } = await makeKey(service.database, { appId: app.id, scopes: dataScopes })
  inUse = { minaret, flow: await makeFlow(minaret), key }
  acts = openActs(inUse)
  await within(60_000, 'the table is there', async () => (await acts.insert('first')) === 200)
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
  acts.close()
  for (const one of streams) await one.stop()
  standby.thaw()
  await service.stop()
  await standby.remove()
  await primary.start()
  await primary.remove()
})

test('what the standby has not confirmed is not acknowledged', async () => {
  const tokens = await getTokens(minaret, inUse.flow)
  standby.freeze()
  const [renewed, inserted] = await Promise.all([acts.renew(tokens.refresh_token), acts.insert('unconfirmed')])
  standby.thaw()
  assert.equal(renewed, 503)
  assert.equal(inserted, 503)
  await within(60_000, 'writing goes on', async () => (await acts.insert('confirmed')) === 200)
})

/** Whoever asks for explanations changes nothing, so that it is asked without too. */
const isFromMemory = async (): Promise<boolean> => {
  await acts.countAuthors()
  return (await acts.countAuthors({ 'x-minaret-explain': '1' }))?.hit === true
}

const isReady = async (): Promise<boolean> => (await fetch(`${minaret.baseUrl}/readyz`)).status === 200
const isPromoted = async (): Promise<boolean> =>
  (await on(standby, 'select pg_is_in_recovery() as standby')).rows[0].standby === false

test('before that, answers come from memory', () => within(60_000, 'an answer from memory', isFromMemory))

test('the primary is killed under load: the service goes on within five seconds, with every code, refresh, revocation and write', async () => {
  const tokens = await getTokens(minaret, inUse.flow)
  const load = startLoad(inUse)
  await untilAcknowledged(load, LEAST)
  await primary.kill()
  await load.stop()
  await on(standby, 'select pg_promote(false)')
  await within(60_000, 'the standby is promoted', isPromoted)
  const watch = startWatch()
  await within(60_000, 'it is ready', isReady)
  await within(60_000, 'it is written to', async () => (await acts.insert('after')) === 200)
  await within(60_000, 'tokens are issued', async () => typeof (await acts.renew(tokens.refresh_token)) === 'object')
  const ms = watch()
  assert.ok(ms < RECOVERY_MS, `${Math.round(ms)} ms`)

  const { rows } = await on(standby, 'select name from up_lib_authors order by name')
  await assertKept(inUse, load.acknowledged, new Set(rows.map(({ name }) => name)))
})

test('no answer in memory outlives the old primary: the new one is asked, and then answers are kept again', async () => {
  assert.equal(await acts.insert('in the new history'), 200)
  const { rows } = await on(standby, 'select count(*)::int as count from up_lib_authors')
  await within(30_000, 'an answer', async () => (await acts.countAuthors()) !== undefined)
  assert.equal((await acts.countAuthors())?.count, rows[0].count)
  await within(60_000, 'an answer from memory', isFromMemory)
  assert.equal((await acts.countAuthors())?.count, rows[0].count)
})

test('subscriptions that were open then go on: streams without a gap or a row twice, lists as they are now', async () => {
  assert.equal(await acts.insert('tick last'), 200)
  const { rows } = await on(standby, 'select name from up_lib_authors order by name')
  const ticks: string[] = rows.map(({ name }) => name).filter(name => name.startsWith('tick '))
  for (const one of streams) {
    await one.untilRows(ticks.length)
    assert.deepEqual(one.rows, ticks, one.name)
    await one.untilList(({ up_lib_authors_aggregate }) => up_lib_authors_aggregate.aggregate.count === rows.length)
    assert.equal(one.connections(), 1, `${one.name} was not interrupted`)
  }
})
