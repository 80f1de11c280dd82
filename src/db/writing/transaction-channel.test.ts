import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { SentStatement } from '../prepared-statements.ts'
import { createDriverClient } from '../wire/driver-seam.ts'
import { type Failure, openTransactionChannel, type TransactionChannel } from './transaction-channel.ts'

let database: TestDatabase
let observer: pg.Client
let client: pg.Client
let channel: TransactionChannel

const connect = async (): Promise<[pg.Client, TransactionChannel]> => {
  const opened = createDriverClient({ ...database.connection })
  await opened.connect()
  const over = openTransactionChannel(opened)
  opened.on('error', error => over.fail(error))
  opened.on('end', () => over.fail(new Error('closed')))
  return [opened, over]
}

before(async () => {
  database = await createEmptyDatabase()
  observer = new pg.Client({ ...database.connection })
  await observer.connect()
  await observer.query('create table pet (id integer primary key deferrable initially deferred, name text not null)')
  ;[client, channel] = await connect()
})

beforeEach(async () => {
  await observer.query('truncate pet')
})

after(async () => {
  await client.end()
  await observer.end()
  await database.drop()
})

const statement = (text: string, ...values: (string | null)[]): SentStatement => ({
  text,
  name: `s${Buffer.from(text).toString('hex').slice(0, 50)}${text.length}`,
  values,
  prepare: true,
})

const insert = (id: string, name: string | null): SentStatement =>
  statement('insert into pet values ($1, $2) returning name', id, name)
const count = statement('select count(*) from pet')
const none: readonly (readonly [string, string])[] = [['test.who', 'amina']]

const databaseError = (failure: Failure | undefined): Partial<pg.DatabaseError> =>
  (failure?.error ?? {}) as Partial<pg.DatabaseError>

const stored = async (): Promise<string[]> =>
  (await observer.query('select name from pet order by id')).rows.map(({ name }) => name)

test('statements of one transaction see what came before, and all of it is committed', async () => {
  const statements = [insert('1', 'cat'), count, insert('2', 'dog'), count, statement('select 1 where false')]
  const { texts, failure } = await channel.run({ settings: none, statements })
  assert.equal(failure, undefined)
  assert.deepEqual(texts, ['cat', '1', 'dog', '2', ''])
  assert.deepEqual(await stored(), ['cat', 'dog'])
})

test('settings hold for the whole transaction and not beyond it', async () => {
  const who = statement(`select current_setting('test.who', true)`)
  const keep = statement(`select set_config('test.kept', 'x', true)`)
  const first = await channel.run({ settings: none, statements: [who, keep, who] })
  assert.deepEqual(first.texts, ['amina', 'x', 'amina'])
  const kept = statement(`select coalesce(current_setting('test.kept', true), '')`)
  const second = await channel.run({ settings: [['test.other', '']], statements: [who, kept] })
  assert.deepEqual(second.texts, ['', ''])
})

test('a statement that fails is named by its index, and nothing of the transaction remains', async () => {
  const { texts, failure } = await channel.run({
    settings: none,
    statements: [insert('1', 'cat'), insert('2', null), insert('3', 'dog')],
  })
  assert.equal(databaseError(failure).code, '23502')
  assert.equal(databaseError(failure).column, 'name')
  assert.deepEqual([failure?.at, failure?.unknown, texts], [1, false, ['cat']])
  assert.deepEqual(await stored(), [])
})

test('an error of the commit belongs to no statement', async () => {
  const { failure } = await channel.run({ settings: none, statements: [insert('1', 'cat'), insert('1', 'dog')] })
  assert.equal(databaseError(failure).code, '23505')
  assert.equal(databaseError(failure).constraint, 'pet_pkey')
  assert.deepEqual([failure?.at, failure?.unknown], [2, false])
  assert.deepEqual(await stored(), [])
})

test('a statement that cannot be parsed fails each time; those prepared before it stay usable', async () => {
  for (let round = 0; round < 2; round += 1) {
    const { failure } = await channel.run({ settings: none, statements: [count, statement('select nonsense'), count] })
    assert.equal(databaseError(failure).code, '42703')
    assert.equal(failure?.at, 1)
  }
  assert.deepEqual((await channel.run({ settings: none, statements: [count] })).texts, ['0'])
})

test('names that the server has lost fail once as such, and are prepared again', async () => {
  const statements = [count, insert('1', 'cat')]
  await channel.run({ settings: none, statements })
  await channel.run({ settings: none, statements: [{ ...statement('deallocate all'), prepare: false }] })
  const lost = await channel.run({ settings: none, statements })
  assert.equal(databaseError(lost.failure).code, '26000')
  await observer.query('truncate pet')
  assert.deepEqual((await channel.run({ settings: none, statements })).texts, ['0', 'cat'])
})

test('a thousand statements leave in one packet and are all answered', async () => {
  const statements = Array.from({ length: 1000 }, (_, index) => insert(String(index), 'x'.repeat(200)))
  const { texts, failure } = await channel.run({ settings: none, statements: [...statements, count] })
  assert.equal(failure, undefined)
  assert.equal(texts.at(-1), '1000')
})

test('a server process that is ended in the middle commits nothing, and that is known', async () => {
  const [doomed, over] = await connect()
  const { processID } = doomed as unknown as { processID: number }
  const running = over.run({
    settings: none,
    statements: [insert('1', 'cat'), statement('select pg_sleep(30)'), count],
  })
  await observer.query('select pg_terminate_backend($1)', [processID])
  const { failure } = await running
  assert.equal(databaseError(failure).code, '57P01')
  assert.equal(failure?.unknown, false)
  assert.deepEqual(await stored(), [])
})

test('a connection that is lost without a word leaves the outcome unknown', async () => {
  const [, over] = await connect()
  const running = over.run({ settings: none, statements: [insert('1', 'cat'), count] })
  over.destroy(new Error('cable pulled'))
  const { failure } = await running
  assert.equal(failure?.unknown, true)
})
