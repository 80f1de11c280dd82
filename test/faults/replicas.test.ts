import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { joinSockets } from '../../scripts/cluster/join-sockets.ts'
import { dataScopes } from '../../src/access/scopes.ts'
import { rawSql } from '../../src/db/sql.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Service } from '../../src/service/start-service.ts'
import { copyOf, createCounters, type Floors } from '../answers/counters.ts'
import { EXPLAINED_SHARE, type Expected, floorsOf, prove, untilAnsweredFromMemory } from '../answers/prove.ts'
import { loadFixture, masjidId } from '../graphql/fixture.ts'
import { createLibrary } from '../graphql/write/library.ts'
import { follow } from '../live/events.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Answer, type GraphqlClient, openClient } from '../support/graphql.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { getCode, makeFlow, postToken, readTokens, refresh, revoke, userinfo, within } from '../support/oauth.ts'
import { createPerson } from '../support/person.ts'
import { runCommand, temporaryFolder } from '../support/process.ts'
import { rounds } from '../support/rounds.ts'
import { startWatch } from '../support/waited.ts'
import { asTestMinaret, type OwnCluster, runCluster, serve, startOwnCluster } from './own-cluster.ts'
import { startStandby } from './standby.ts'

/** Long enough to ask a replica that is behind, on a machine that is busy with other tests. */
const LAG_MS = 8000
/** Within this time a replica that fails, or is too far behind, is left out. */
const LEAVE_MS = 1000

let primary: OwnCluster
let replica: OwnCluster
let service: Service
let client: GraphqlClient
let key: string

/** The service's own words, with its own times: this process may be waiting for a processor. */
const said: { readonly time: number; readonly msg: string; readonly reason?: string }[] = []
const log = pino({ level: 'info' }, { write: line => void said.push(JSON.parse(line)) })

/** When a replica was left out after this moment. */
const leftOut = async (since: number): Promise<number> => {
  const find = () => said.find(({ time, msg }) => time >= since && msg.startsWith('a replica is left out'))?.time
  await within(60_000, 'the replica is left out', async () => find() !== undefined)
  return find() ?? 0
}

before(async () => {
  primary = await startOwnCluster()
  replica = await startStandby(primary)
  const settings = {
    DATABASE_READ_URL: replica.url,
    REPLICA_LAG_MS: String(LAG_MS),
    // Answers from memory would not say which server reads.
    ANSWER_CACHE_MB: '0',
  }
  service = await serve(primary.url, settings, log)
  await loadFixture(service.database)
  await createLibrary(service.database)
  const masjids = { only: '*', own: '*' } as const
  const app = await makeApp(service.database, { scopes: dataScopes, masjids })
  key = (await makeKey(service.database, { appId: app.id, scopes: dataScopes })).key
  client = openClient(service, key, { retryStale: true })
  await within(60_000, 'the table is there', async () => (await names()).status === 200)
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
  // From here on the replica may be behind: the service writes too.
  const began = Date.now()
  const watch = startWatch()
  await onReplica('select pg_wal_replay_pause()')
  const written = await insert('Amina')
  const position = written.headers['x-minaret-position']
  assert.match(String(position), /^[0-9A-F]+\/[0-9A-F]+$/, JSON.stringify(written.body))
  const [plain, own] = await Promise.all([names(), names({ 'x-minaret-position': String(position) })])
  assert.ok(has(own, 'Amina'), 'read your own write')
  assert.ok(!has(plain, 'Amina'), 'others read the replica')
  const left = await leftOut(began)
  const ms = watch()
  // It may have been behind already when it was paused.
  assert.ok(
    left >= began + LAG_MS / 2 && ms < LAG_MS + LEAVE_MS,
    `left out after ${left - began} ms, noticed after ${ms} ms`,
  )
  await within(60_000, 'the primary answers', async () => has(await names(), 'Amina'))
  await onReplica('select pg_wal_replay_resume()')
  await within(60_000, 'the replica is taken in again', readsReplica)
  assert.ok(has(await names(), 'Amina'))
})

test('doctor tells a replica that follows from one that is behind, one of another cluster, and one that is gone', async () => {
  const look = async (url: string) => {
    const environment = { DATABASE_URL: primary.url, DATABASE_READ_URL: url, REPLICA_LAG_MS: '100' }
    const { stdout } = await runCommand(['doctor', '--json'], { ...environment, MINARET_SECRET: TEST_SECRET })
    const { findings } = JSON.parse(stdout) as { findings: readonly { check: string; status: string; found: string }[] }
    return findings.find(({ check }) => check === 'replica')
  }
  await within(60_000, 'it follows', async () => (await look(replica.url))?.status === 'ok')
  await onReplica('select pg_wal_replay_pause()')
  await insert('Bilal')
  await within(60_000, 'it is behind', async () => /seconds behind/.test((await look(replica.url))?.found ?? ''))
  await onReplica('select pg_wal_replay_resume()')
  const database = await createTestDatabase()
  const other = await look(database.url)
  await database.drop()
  assert.equal(other?.status, 'fault')
  assert.match(other?.found ?? '', /is not a replica of this database/)
  const gone = await look('postgres://minaret:x@127.0.0.1:1/minaret')
  assert.equal(gone?.status, 'fault')
  assert.match(gone?.found ?? '', /minaret on 127\.0\.0\.1:1 cannot be reached/)
})

test('subscriptions never go back to what a replica that lags still has', async () => {
  const query = 'subscription { up_lib_authors_aggregate { aggregate { count } } }'
  const list = await follow({ url: `${service.baseUrl}/v1/graphql`, key, query })
  const countOf = ({ data }: { data: Answer['body']['data'] }): number => data.up_lib_authors_aggregate.aggregate.count
  const first = countOf(await list.until(1))
  await onReplica('select pg_wal_replay_pause()')
  for (const [index, name] of ['Layla', 'Maryam', 'Nuh'].entries()) {
    assert.equal((await insert(name)).status, 200)
    await list.untilSo(`${name} counts`, result => countOf(result) === first + index + 1)
  }
  await onReplica('select pg_wal_replay_resume()')
  assert.equal((await insert('Omar')).status, 200)
  await list.untilSo('the last counts', result => countOf(result) === first + 4)
  const counts = list.results.map(countOf)
  assert.deepEqual(
    counts,
    counts.toSorted((one, other) => one - other),
  )
  await list.close()
  await within(60_000, 'the replica is taken in again', readsReplica)
})

test('a column that the replica has not got yet is answered by the primary', async () => {
  await onReplica('select pg_wal_replay_pause()')
  await service.database.run(rawSql('alter table up_lib_authors add column shelf text'))
  const ask = () => client.query({ query: '{ up_lib_authors(limit: 1) { shelf } }' })
  await within(60_000, 'the column is in the schema', async () => (await ask()).status !== 400)
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
    const began = Date.now()
    let isOver = false
    const asking = (async () => {
      while (!isOver) assert.equal((await names()).status, 200)
    })()
    await fail()
    const watch = startWatch()
    await leftOut(began)
    const ms = watch()
    isOver = true
    await asking
    assert.ok(ms < LEAVE_MS, `${ms} ms after it failed`)
    await mend()
    await within(60_000, 'the replica is taken in again', readsReplica)
  }
})

const asFreshAs = (other: pg.Client) => async (): Promise<Expected> => ({
  floors: await floorsOf(async text => (await other.query(text)).rows),
  headers: {},
})

/** Whoever has seen a write, and says so, reads it. */
const withPosition = async (floors: Floors): Promise<Expected> => {
  const seen = copyOf(floors)
  const row = await service.database.first<{ at: string }>(rawSql('select pg_current_wal_lsn()::text as at'))
  return { floors: seen, headers: { 'x-minaret-position': row?.at ?? '' } }
}

test('no answer from memory is staler than the replica it was read on, or than what the client has seen', async t => {
  const settings = { DATABASE_READ_URL: replica.url, REPLICA_LAG_MS: String(LAG_MS), ANSWER_CACHE_MB: '8' }
  const remembering = await serve(primary.url, settings)
  const direct = new pg.Client(replica.connection)
  try {
    await createCounters(service.database)
    await direct.connect()
    await within(60_000, 'the counters are on the replica', () =>
      direct.query('select from up_counters').then(
        () => true,
        () => false,
      ),
    )
    await untilAnsweredFromMemory(remembering.baseUrl, key)
    const fresh = asFreshAs(direct)
    const expecting = (floors: Floors) => (Math.random() < 0.8 ? fresh() : withPosition(floors))
    const baseUrls = [remembering.baseUrl]
    const reads = rounds(20_000, 50_000)
    const disturb = async () => undefined
    const counted = await prove({ key, baseUrls, database: service.database, reads, expecting, disturb })
    t.diagnostic(`${counted.hits} hits among ${Math.round(counted.reads * EXPLAINED_SHARE)} of ${counted.reads} reads`)
  } finally {
    await direct.end()
    await remembering.stop()
  }
})

test('tokens, revocations and account pages tell their position too', async () => {
  const minaret = asTestMinaret(service, '')
  const flow = await makeFlow(minaret)
  const { form, headers } = await getCode(minaret, flow)
  const issued = await postToken(minaret, form, headers)
  const tokens = await readTokens(issued)
  const renewed = await refresh(minaret, flow.app, tokens.refresh_token)
  const refused = await refresh(minaret, flow.app, 'rt_nothing')
  const revoked = await revoke(minaret, flow.app, tokens.access_token)
  const read = await userinfo(minaret, (await readTokens(renewed)).access_token)
  const member = createPerson(minaret.baseUrl)
  const [name = '', value = ''] = flow.cookie.split(/=(.*)/)
  member.cookies.set(name, value)
  const person = await member.submit('/account', '/account/profile', { name: 'Amina', picture: '', language: 'en' })
  assert.ok(person.status < 400, person.text)
  for (const { status, headers: sent } of [issued, renewed, revoked, person])
    assert.match(sent.get('x-minaret-position') ?? '', /^[0-9A-F]+\/[0-9A-F]+$/, String(status))
  assert.match(issued.headers.get('access-control-expose-headers') ?? '', /x-minaret-position/)
  for (const { headers: sent } of [refused, read]) assert.equal(sent.get('x-minaret-position'), null)
})

const onPrimary = (statement: string) => withClient({ ...primary.connection }, one => one.query(statement))

/** What doctor says in one of its checks: the status, and what was found. */
const doctorSays = async (check: string, changes: Record<string, string> = {}): Promise<string[]> => {
  const environment = { DATABASE_URL: primary.url, MINARET_SECRET: TEST_SECRET, ...changes }
  const { stdout } = await runCommand(['doctor', '--json'], environment)
  const { findings } = JSON.parse(stdout) as { findings: readonly { check: string; status: string; found: string }[] }
  return findings.filter(one => one.check === check).map(({ status, found }) => `${status}: ${found}`)
}

const untilDoctorSays = (check: string, words: RegExp, changes: Record<string, string> = {}): Promise<void> =>
  within(60_000, `${check} says ${words}`, async () => (await doctorSays(check, changes)).some(one => words.test(one)))

type Place = Pick<OwnCluster['connection'], 'host' | 'port'>

/** Names several hosts, as libpq does. */
const urlOfAll = (...places: readonly Place[]): string => {
  const url = new URL(primary.url)
  url.searchParams.set('host', places.map(({ host }) => host).join(','))
  url.searchParams.set('port', places.map(({ port }) => port).join(','))
  return url.href
}

test('doctor finds a balancer that leads to several servers in DATABASE_READ_URL', async () => {
  const all = [primary.connection, replica.connection]
  let turn = 0
  const balancer = createServer({ allowHalfOpen: true }, socket => {
    const { host, port } = all[turn++ % all.length] as (typeof all)[number]
    joinSockets(socket, connect({ path: `${host}/.s.PGSQL.${port}`, allowHalfOpen: true }))
  })
  await new Promise<void>(resolve => void balancer.listen(0, '127.0.0.1', resolve))
  const url = new URL(primary.url)
  url.searchParams.set('host', '127.0.0.1')
  url.searchParams.set('port', String((balancer.address() as AddressInfo).port))
  try {
    const said = await doctorSays('replica', { DATABASE_READ_URL: url.href })
    assert.match(said.join(), /^fault: .* leads to several servers/)
  } finally {
    balancer.close()
  }
})

test('doctor says what a crash or a failover may lose: no standby that confirms, none that is there, nobody who waits for one', async () => {
  const change = async (statement: string) => {
    await onPrimary(statement)
    await onPrimary('select pg_reload_conf()')
  }
  try {
    // The clusters of the tests do without.
    await untilDoctorSays('durability', /^warning: .*crash: fsync is off/)
    await untilDoctorSays('durability', /^warning: 1 standbys follow, and none has to confirm/)
    await change("alter system set synchronous_standby_names = '*'")
    const isSynchronous = async () =>
      (await onPrimary("select from pg_stat_replication where sync_state = 'sync'")).rowCount === 1
    await within(60_000, 'the standby is synchronous', isSynchronous)
    const said = await doctorSays('durability')
    assert.deepEqual(
      said.filter(one => !one.includes('fsync')),
      [],
    )
    await onPrimary("alter role current_user set synchronous_commit = 'local'")
    await untilDoctorSays('durability', /^fault: synchronous_commit is local for this role/)
    await onPrimary('alter role current_user reset synchronous_commit')
    await change("alter system set synchronous_standby_names = 'nobody'")
    await untilDoctorSays('durability', /^fault: No standby of synchronous_standby_names \(nobody\)/)
  } finally {
    await change('alter system reset synchronous_standby_names')
  }
})

test('doctor finds a replication slot whose replica has fallen too far behind', async () => {
  await onPrimary("select pg_create_physical_replication_slot('forgotten', true)")
  await onPrimary("alter system set max_slot_wal_keep_size = '16MB'")
  await onPrimary('select pg_reload_conf()')
  try {
    for (let count = 0; count < 4; count += 1) {
      await onPrimary("select pg_logical_emit_message(false, 'test', 'a record')")
      await onPrimary('select pg_switch_wal()')
    }
    await onPrimary('checkpoint')
    await untilDoctorSays(
      'replication-slot',
      /^warning: The replica of the replication slot forgotten has fallen so far behind/,
    )
  } finally {
    await onPrimary("select pg_drop_replication_slot('forgotten')")
    await onPrimary('alter system reset max_slot_wal_keep_size')
  }
})

test('doctor looks at each host of DATABASE_URL: one that is away, one of another cluster', async () => {
  const [one, other] = [primary.connection, replica.connection]
  const look = (...places: readonly Place[]) => doctorSays('hosts', { DATABASE_URL: urlOfAll(...places) })
  assert.match((await look(one, other)).join(), /^ok: .*exactly one of them can be written to/)
  assert.match((await look(one, { host: '127.0.0.1', port: 1 })).join(), /^warning: .*127\.0\.0\.1.* cannot be reached/)
  const stranger = await runCluster(temporaryFolder(), { fsync: 'off' })
  await withClient(stranger.connection, client =>
    client.query(`alter role current_user password ${client.escapeLiteral(String(one.password))}`),
  )
  const mixed = await look(one, stranger.connection)
  await stranger.remove()
  assert.match(mixed.join(), /^fault: .*of another cluster than the rest/)
})

test('two hosts that can be written to: the one that was promoted is used, with every connection; doctor names both', async () => {
  const [one, other] = [primary.connection, replica.connection]
  const both = await serve(urlOfAll(one, other), { ANSWER_CACHE_MB: '0' }, log)
  const writer = openClient(both, key, { retryStale: true })
  const write = (name: string): Promise<Answer> =>
    writer.query({
      query: `mutation { insert_up_lib_authors_one(object: {masjid_id: "${masjidId(1)}", name: "${name}"}) { id } }`,
    })
  const counted = "select from up_lib_authors where name = 'Promoted'"
  try {
    await within(60_000, 'it writes', async () => (await write('Before')).status === 200)
    await onReplica('select pg_promote()')
    assert.match(
      (await doctorSays('hosts', { DATABASE_URL: urlOfAll(one, other) })).join(),
      /^fault: .*can all be written/,
    )
    await within(60_000, 'the promoted one is written to', async () => {
      await write('Promoted')
      return (await onReplica(counted)).rowCount !== 0
    })
    assert.equal((await write('Afterwards')).status, 200)
    const afterwards = "select from up_lib_authors where name = 'Afterwards'"
    const rows = [(await onPrimary(afterwards)).rowCount, (await onReplica(afterwards)).rowCount]
    assert.deepEqual(rows, [0, 1], 'nothing more goes to the other one')
  } finally {
    writer.close()
    await both.stop()
  }
})
