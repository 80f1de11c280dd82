// The service gives every exposed table the triggers of the log, and knows which tables have them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readingScopes } from '../../src/access/scopes.ts'
import { createLogger, type Logger } from '../../src/base/log.ts'
import type { Model } from '../../src/catalog/model.ts'
import { type StructureWatch, watchStructure } from '../../src/catalog/watch-structure.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { type Listener, openListener } from '../../src/db/listener.ts'
import { rawSql, sql } from '../../src/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const log = createLogger('silent')
let made: TestDatabase
let database: Database
let listener: Listener
let structures: StructureWatch<Model>
const said: string[] = []
const warn = (facts: { table?: string }, text: string): void => void said.push(`${facts.table}: ${text}`)
const listening = { ...log, info: () => undefined, warn } as unknown as Logger

const watch = (): Promise<StructureWatch<Model>> =>
  watchStructure({
    database,
    listener,
    log: listening,
    schema: 'public',
    reader: 'minaret_reader',
    knownScopes: readingScopes,
    build: model => model,
  })

before(async () => {
  made = await createTestDatabase()
  database = openDatabase(made.connection, { poolSize: 6, log })
  listener = await openListener(made.connection, log)
  const all = await Promise.all([watch(), watch(), watch()])
  for (const one of all.slice(1)) one.close()
  structures = all[0] as StructureWatch<Model>
})
after(async () => {
  structures.close()
  await listener.close()
  await database.close()
  await made.drop()
})

const run = (text: string) => database.run(rawSql(`set search_path = public, extensions; ${text}`))

const unlogged = (): string[] =>
  [...structures.current().tables.values()].filter(({ logged }) => !logged).map(({ name }) => name)

const until = async (check: () => boolean | Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + 60_000; !(await check()); ) {
    assert.ok(Date.now() < deadline, 'it did not happen in time')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

test('processes that start at once log every exposed table, and no view', () => {
  const { tables } = structures.current()
  assert.ok(
    tables.get('up_events')?.logged && tables.get('ua_members')?.logged && tables.get('pc_calculated_times')?.logged,
  )
  assert.deepEqual(
    unlogged().filter(name => tables.get(name)?.kind === 'table'),
    [],
  )
  assert.equal(tables.get('up_changes')?.logged, false)
  assert.deepEqual(said, [])
})

test('a new table is logged by the time it is in the API', async () => {
  await run('create table up_rooms (id int primary key, masjid_id uuid)')
  await until(() => structures.current().tables.has('up_rooms'))
  assert.equal(structures.current().tables.get('up_rooms')?.logged, true)
})

test('a table whose trigger is disabled is known as not logged, and named once', async () => {
  await run('alter table up_rooms disable trigger changes_update')
  await until(() => structures.current().tables.get('up_rooms')?.logged === false)
  await run(`comment on table up_rooms is 'Rooms.'`)
  await until(() => structures.current().tables.get('up_rooms')?.description === 'Rooms.')
  assert.deepEqual(said, ['up_rooms: the changes of a table are not logged'])
  await run('alter table up_rooms enable trigger changes_update')
  await until(() => structures.current().tables.get('up_rooms')?.logged === true)
})

const isSettled = (): Promise<boolean> =>
  structures.settle().then(
    () => true,
    () => false,
  )

test('a table that is in use when it appears is tried again', async () => {
  const holding = Promise.withResolvers<void>()
  const held = database.transaction(async transaction => {
    await transaction.run(
      rawSql('set local search_path = public, extensions; create table up_halls (id int primary key)'),
    )
    await transaction.run(sql`commit`)
    await transaction.run(sql`begin`)
    await transaction.run(sql`lock table public.up_halls in row exclusive mode`)
    await holding.promise
  })
  await until(() => structures.current().tables.has('up_halls'))
  assert.equal(structures.current().tables.get('up_halls')?.logged, false)
  holding.resolve()
  await held
  await until(() => structures.current().tables.get('up_halls')?.logged === true)
})

test('nobody is told that the structure is settled while a lock keeps some of it back', async () => {
  await run(`create table up_vaults (id int primary key); comment on table up_vaults is '@writable'`)
  await until(() => structures.current().tables.get('up_vaults')?.writing !== undefined)
  const holding = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<void>()
  const held = database.transaction(async transaction => {
    await transaction.run(sql`alter table public.up_vaults add column word text`)
    await transaction.run(sql`drop trigger note_writing on public.up_vaults`)
    await transaction.run(sql`commit`)
    await transaction.run(sql`begin`)
    await transaction.run(sql`lock table public.up_vaults in access exclusive mode`)
    ready.resolve()
    await holding.promise
  })
  try {
    await ready.promise
    await assert.rejects(structures.settle(), /not in force/)
  } finally {
    holding.resolve()
    await held
  }
  await until(isSettled)
  assert.ok(structures.current().tables.get('up_vaults')?.columns.has('word'))
})
