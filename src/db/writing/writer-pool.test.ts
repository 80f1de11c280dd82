import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createEmptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { startWatch } from '../../../test/support/waited.ts'
import { createLogger } from '../../base/log.ts'
import type { SentStatement } from '../prepared-statements.ts'
import type { TransactionResult } from './transaction-channel.ts'
import { createWriterPool, type WriterPool } from './writer-pool.ts'

let database: TestDatabase
let observer: pg.Client
let pool: WriterPool

const log = createLogger('silent')

before(async () => {
  database = await createEmptyDatabase()
  observer = new pg.Client({ ...database.connection })
  await observer.connect()
  await observer.query('create table seat (id integer primary key, taken integer not null default 0)')
  await observer.query('insert into seat select generate_series(1, 3)')
  pool = createWriterPool({
    connection: database.connection,
    log,
    connections: 2,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 1000,
    patienceMs: 400,
  })
})

after(async () => {
  await pool.close()
  await observer.end()
  await database.drop()
})

const statement = (text: string, ...values: string[]): SentStatement => ({ text, name: '', values, prepare: false })
const write = (who: string, ...statements: SentStatement[]): Promise<TransactionResult> =>
  pool.write({ settings: [['test.who', who]], statements }, { who })
const sleep = (seconds: number): SentStatement => statement(`select pg_sleep(${seconds})`)
const take = (id: string): SentStatement => statement('update seat set taken = taken + 1 where id = $1', id)

const codeOf = ({ failure }: TransactionResult): unknown => (failure?.error as pg.DatabaseError | undefined)?.code

/** For what is not about time, on a machine that is busy with other tests. */
const STATEMENT_MS = 100_000
const openPatient = (connections: number): WriterPool =>
  createWriterPool({ connection: database.connection, log, connections, statementTimeoutMs: STATEMENT_MS })

/** Waits until the observer lets it go on. */
const LOCK = 4711
const held = statement(`select pg_advisory_xact_lock(${LOCK})`)

test('one key leaves a connection for others, however much it sends', async () => {
  const two = openPatient(2)
  const send = (who: string, one: SentStatement): Promise<TransactionResult> =>
    two.write({ settings: [['test.who', who]], statements: [one] }, { who })
  await observer.query(`select pg_advisory_lock(${LOCK})`)
  const greedy = [1, 2].map(() => send('greedy', held))
  assert.equal((await send('modest', statement('select 1'))).failure, undefined)
  // The second one waits for a connection: a few seconds are a small part of its time.
  await delay(3500)
  await observer.query(`select pg_advisory_unlock(${LOCK})`)
  for (const { failure } of await Promise.all(greedy)) assert.equal(failure, undefined)
  await two.close()
})

test('several keys that write for long leave a connection for those who do not', async () => {
  const few = openPatient(4)
  const one = (who: string, seconds: number) =>
    few.write({ settings: [['test.who', who]], statements: [sleep(seconds)] }, { who })
  let finished = 0
  const finish = (): void => {
    finished += 1
  }
  const greedy = ['greedy', 'grabby'].flatMap(who => Array.from({ length: 9 }, () => one(who, 0.8).then(finish)))
  await Promise.race(greedy)
  // The first ones started before anything was known about them.
  while (finished < 4) await one('modest', 0)
  const waitedFor: number[] = []
  while (!waitedFor.includes(0) && finished < greedy.length) {
    await delay(50)
    const before = finished
    await one(`modest ${waitedFor.length}`, 0)
    waitedFor.push(finished - before)
  }
  assert.ok(waitedFor.includes(0), `slow ones that each had to wait for: ${waitedFor}`)
  await Promise.all(greedy)
  await few.close()
})

test('a transaction after a cancelled one has its full time', async () => {
  const single = openPatient(1)
  const one = (text: string, since?: number) =>
    single.write({ settings: [['test.who', '']], statements: [statement(text)] }, { who: '', since })
  const stubborn = 'begin perform pg_sleep(600); exception when query_canceled then perform pg_sleep(0.2); end'
  // Its request arrived long ago: there are two seconds left.
  await one(`do $$ ${stubborn} $$`, performance.now() - STATEMENT_MS * 2 + 2000)
  const until = performance.now() + 2500
  while (performance.now() < until) assert.equal((await one('select pg_sleep(0.05)')).failure, undefined)
  await single.close()
})

test('whoever waits too long for a connection is told so, and when to return', async () => {
  const running = write('greedy', sleep(3))
  await assert.rejects(write('greedy', take('1')), { code: 'overloaded', status: 503, headers: { 'retry-after': '1' } })
  await running
  const { rows } = await observer.query('select taken from seat where id = 1')
  assert.equal(rows[0].taken, 0, 'it was never sent')
})

test('a key with too many waiting transactions is told so at once', async () => {
  const running = write('greedy', sleep(0.2))
  const waiting = Array.from({ length: 210 }, () => write('greedy', statement('select 1')))
  const outcomes = await Promise.allSettled(waiting)
  const refused = outcomes.filter(one => one.status === 'rejected')
  assert.ok(refused.length > 0)
  for (const { reason } of refused) assert.ok(['too-many-waiting', 'overloaded'].includes(reason.code), reason)
  assert.ok(refused.some(({ reason }) => reason.code === 'too-many-waiting' && reason.status === 429))
  await running
})

test('an abandoned transaction is withdrawn before it is sent, and runs to its end after that', async () => {
  const leaving = (): [{ add: (one: () => void) => void; delete: () => void }, () => void] => {
    let leave = (): void => undefined
    const add = (one: () => void): void => {
      leave = one
    }
    return [{ add, delete: () => undefined }, () => leave()]
  }
  const [sent, leaveSent] = leaving()
  const [waiting, leaveWaiting] = leaving()
  const options = { who: 'visitor' }
  const running = pool.write(
    { settings: [['a.b', '']], statements: [sleep(0.1), take('2')] },
    { ...options, abandoned: sent },
  )
  const later = pool.write({ settings: [['a.b', '']], statements: [take('2')] }, { ...options, abandoned: waiting })
  leaveSent()
  leaveWaiting()
  await assert.rejects(later)
  assert.equal((await running).failure, undefined)
  const { rows } = await observer.query('select taken from seat where id = 2')
  assert.equal(rows[0].taken, 1)
})

test('a row that another transaction holds is waited for, but not for long', async () => {
  await observer.query('begin')
  await observer.query('update seat set taken = 9 where id = 3')
  const result = await write('visitor', take('3'))
  await observer.query('rollback')
  assert.equal(codeOf(result), '55P03')
})

test('a transaction of many slow statements ends at its deadline, and the connection is used again', async () => {
  const watch = startWatch()
  const result = await write('visitor', ...Array.from({ length: 10 }, () => sleep(3)))
  assert.equal(codeOf(result), '57014')
  assert.equal(result.failure?.unknown, false)
  assert.ok(watch() < 14_000)
  for (let round = 0; round < 3; round += 1)
    assert.deepEqual((await write('visitor', statement('select 1'))).texts, ['1'])
})

test('after the server ended its connections, the next transaction opens new ones', async () => {
  await write('visitor', statement('select 1'))
  await observer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'minaret writer' and datname = current_database()`,
  )
  for (;;) {
    const { rows } = await observer.query(
      `select 1 from pg_stat_activity where application_name = 'minaret writer' and datname = current_database()`,
    )
    if (rows.length === 0) break
  }
  const result = await write('visitor', statement('select 2'))
  // The loss may be noticed only by writing, without a word from the server: that is unknown, and not repeated.
  assert.ok(result.failure === undefined || result.failure.unknown)
  assert.deepEqual((await write('visitor', statement('select 2'))).texts, ['2'])
})

/** A server in between that can keep back what its present clients send. */
const openRelay = async (): Promise<{ readonly port: number; hold(): void; close(): void }> => {
  const { host, port } = database.connection
  const clients = new Set<Socket>()
  const held = new Set<Socket>()
  const relay = createServer(client => {
    clients.add(client)
    const server = host?.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port ?? 0, host)
    client.on('data', bytes => held.has(client) || server.write(bytes)).on('error', () => server.destroy())
    server.pipe(client)
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (relay.address() as AddressInfo).port,
    hold: () => {
      for (const client of clients) held.add(client)
    },
    close: () => relay.close(),
  }
}

test('a transaction that the server closed the connection on before it saw it is sent again, once', async () => {
  const relay = await openRelay()
  const one = createWriterPool({
    connection: { ...database.connection, host: '127.0.0.1', port: relay.port },
    log,
    connections: 1,
    statementTimeoutMs: STATEMENT_MS,
  })
  const settings = [['a.b', '']] as const
  const [id = ''] = (await one.write({ settings, statements: [statement('select pg_backend_pid()')] }, { who: '' }))
    .texts
  relay.hold()
  const writing = one.write({ settings, statements: [take('1'), statement('select 2')] }, { who: '' })
  const before = (await observer.query('select taken from seat where id = 1')).rows[0].taken
  await observer.query('select pg_terminate_backend($1)', [Number(id)])
  assert.deepEqual((await writing).texts.at(-1), '2')
  const { rows } = await observer.query('select taken from seat where id = 1')
  assert.equal(rows[0].taken, before + 1)
  await one.close()
  relay.close()
})

test('a database that cannot be reached is reported as unavailable', async () => {
  const nowhere = createWriterPool({
    connection: { ...database.connection, port: 1 },
    log,
    connections: 1,
    statementTimeoutMs: 1000,
  })
  await assert.rejects(nowhere.write({ settings: [['a.b', '']], statements: [] }, { who: '' }), {
    code: 'database-unavailable',
    status: 503,
  })
  await nowhere.close()
})
