import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { dataScopes } from '../../src/access/scopes.ts'
import { rawSql } from '../../src/db/sql.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Service } from '../../src/service/start-service.ts'
import { loadFixture, masjidId } from '../graphql/fixture.ts'
import { createLibrary } from '../graphql/write/library.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type Answer, type GraphqlClient, openClient } from '../support/graphql.ts'
import { getTokens, makeFlow, refresh, type Tokens, userinfo, within } from '../support/oauth.ts'
import { asTestMinaret, type OwnCluster, serve, startOwnCluster } from './own-cluster.ts'
import { startStandby } from './standby.ts'

const LAG_MS = 1500
/** Allowed on top of five seconds, on a machine that is busy with other tests. */
const BUSY_MS = 10_000

let primary: OwnCluster
let replica: OwnCluster
let service: Service
let client: GraphqlClient

before(async () => {
  primary = await startOwnCluster()
  replica = await startStandby(primary)
  service = await serve(primary.url, { DATABASE_READ_URL: replica.url, REPLICA_LAG_MS: String(LAG_MS) })
  await loadFixture(service.database)
  await createLibrary(service.database)
  const masjids = { only: '*', own: '*' } as const
  const app = await makeApp(service.database, { scopes: dataScopes, masjids })
  const { key } = await makeKey(service.database, { appId: app.id, scopes: dataScopes })
  client = openClient(service, key, { retryStale: true })
  await within(20_000, 'the table is there', async () => (await names()).status === 200)
  await within(60_000, 'the replica answers', readsReplica)
})
after(async () => {
  client.close()
  replica.thaw()
  await service.stop()
  await replica.remove()
  await primary.remove()
})

const names = (headers: Record<string, string> = {}): Promise<Answer> =>
  client.query({ query: '{ up_lib_authors(order_by: {name: asc}) { name } }' }, headers)

const insert = (name: string): Promise<Answer> =>
  client.query({
    query: `mutation { insert_up_lib_authors_one(object: {masjid_id: "${masjidId(1)}", name: "${name}"}) { id } }`,
  })

const has = ({ body }: Answer, name: string): boolean =>
  body.data.up_lib_authors.some((author: { name: string }) => author.name === name)

const onReplica = (statement: string) => withClient({ ...replica.connection }, one => one.query(statement))

/** The server that runs the statement says which it is. */
const readsReplica = async (): Promise<boolean> => {
  const count = async (): Promise<number> => {
    const { rows } = await onReplica(
      'select sum(xact_commit) as done from pg_stat_database where datname = current_database()',
    )
    return Number(rows[0].done)
  }
  const earlier = await count()
  await Promise.all(Array.from({ length: 40 }, () => names()))
  await delay(1200)
  return (await count()) - earlier > 20
}

test('who sends back the position of a write reads it, though the replica has not got it; one too far behind is left out', async () => {
  await onReplica('select pg_wal_replay_pause()')
  const written = await insert('Amina')
  const position = written.headers['x-minaret-position']
  assert.match(String(position), /^[0-9A-F]+\/[0-9A-F]+$/, JSON.stringify(written.body))
  const [plain, own] = await Promise.all([names(), names({ 'x-minaret-position': String(position) })])
  assert.ok(has(own, 'Amina'), 'read your own write')
  assert.ok(!has(plain, 'Amina'), 'others read the replica')
  await within(LAG_MS + 5000, 'the replica is left out', async () => has(await names(), 'Amina'))
  await onReplica('select pg_wal_replay_resume()')
  await within(60_000, 'the replica is taken in again', readsReplica)
  assert.ok(has(await names(), 'Amina'))
})

test('a column that the replica has not got yet is answered by the primary', async () => {
  await onReplica('select pg_wal_replay_pause()')
  await service.database.run(rawSql('alter table up_lib_authors add column shelf text'))
  const ask = () => client.query({ query: '{ up_lib_authors(limit: 1) { shelf } }' })
  await within(5000, 'the column is in the schema', async () => (await ask()).status !== 400)
  const { status, body } = await ask()
  assert.equal(status, 200, JSON.stringify(body))
  await onReplica('select pg_wal_replay_resume()')
  await within(60_000, 'the replica is taken in again', readsReplica)
})

test('a replica that falls silent, and one that stops, is left out within a second; it is taken in again', async () => {
  for (const [fail, mend] of [
    [async () => replica.freeze(), async () => replica.thaw()],
    [() => replica.stop(), () => replica.start()],
  ] as const) {
    await fail()
    const times: number[] = []
    for (const end = performance.now() + 2500; performance.now() < end; await delay(20)) {
      const started = performance.now()
      assert.equal((await names()).status, 200)
      times.push(performance.now() - started)
    }
    assert.ok(Math.max(...times) < 2000, `${Math.max(...times)} ms`)
    await mend()
    await within(60_000, 'the replica is taken in again', readsReplica)
  }
})

const onPrimary = (statement: string) => withClient({ ...primary.connection }, one => one.query(statement))

/** As libpq writes it. */
const bothHosts = (): string => {
  const url = new URL(primary.url)
  const [one, other] = [primary.connection, replica.connection]
  url.searchParams.set('host', `${one.host},${other.host}`)
  url.searchParams.set('port', `${one.port},${other.port}`)
  return url.href
}

test('failover: the primary stops, the replica is promoted, and the service goes on there with all it acknowledged', async () => {
  await onPrimary("alter system set synchronous_standby_names = '*'")
  await onPrimary('select pg_reload_conf()')
  const moving = await serve(bothHosts())
  const minaret = asTestMinaret(moving, '')
  try {
    const flow = await makeFlow(minaret)
    let tokens = await getTokens(minaret, flow)
    const renew = async (): Promise<number> => {
      const response = await refresh(minaret, flow.app, tokens.refresh_token)
      if (response.status === 200) tokens = (await response.json()) as Tokens
      else await response.text()
      return response.status
    }
    for (let count = 0; count < 5; count += 1) assert.equal(await renew(), 200)
    await primary.stop()
    assert.equal(await renew(), 503)
    await onReplica('select pg_promote(false)')
    const promoted = performance.now()
    await within(20_000, 'tokens are issued again', async () => (await renew()) === 200)
    await within(20_000, 'it is ready', async () => (await fetch(`${moving.baseUrl}/readyz`)).status === 200)
    const ms = performance.now() - promoted
    assert.ok(ms < 5000 + BUSY_MS, `${Math.round(ms)} ms`)
    assert.equal((await userinfo(minaret, tokens.access_token)).status, 200)
  } finally {
    await moving.stop()
    await primary.start()
  }
})
