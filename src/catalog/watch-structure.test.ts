import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestDatabase } from '../../test/support/database.ts'
import { within } from '../../test/support/oauth.ts'
import { openStructures, type Structures } from '../../test/support/open-structures.ts'
import { passingBy } from '../../test/support/passing-by.ts'
import { createLogger } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { type Listener, openListener } from '../db/listener.ts'
import { rawSql, sql } from '../db/sql.ts'
import type { Model } from './model.ts'

const log = createLogger('silent')
/** A second on an idle machine. Without notifications the structure is read every half minute. */
const NOTIFIED_MS = 25_000
let opened: Structures
let made: TestDatabase
let database: Database
let listener: Listener

before(async () => {
  opened = await openStructures()
  ;({ made, database, listener } = opened)
})
after(() => opened.close())

const watch: Structures['watch'] = (build, asked) => opened.watch(build, asked)

test('the same structure is built once, whatever is granted', async () => {
  let builds = 0
  const structures = await watch((_model, version) => {
    builds += 1
    return version
  })
  const version = structures.current()
  await database.run(rawSql('revoke select on public.up_masjids from minaret_reader'))
  await Promise.all([structures.reload(), structures.reload(), structures.reload()])
  assert.equal(structures.current(), version)
  assert.equal(builds, 1)
  structures.close()
})

test('a lost right is restored when a statement fails because of it, and the structure stays', async () => {
  let builds = 0
  const structures = await watch((_model, version) => {
    builds += 1
    return version
  })
  await database.run(rawSql('revoke select on public.up_masjids from minaret_reader'))
  await structures.recover()
  const rights = await database.first<{ may: boolean }>(
    sql`select has_table_privilege('minaret_reader', 'public.up_masjids', 'select') as may`,
  )
  assert.equal(rights?.may, true)
  assert.equal(builds, 1)
  structures.close()
})

test('repeatedly failing statements reload the catalogue once a second', async () => {
  let reads = 0
  const counting = passingBy(database, (_text, run, method) => {
    if (method === 'first') reads += 1
    return run()
  })
  const structures = await watch((_model, version) => version, counting)
  reads = 0
  await structures.recover()
  await Promise.all(Array.from({ length: 50 }, () => structures.recover()))
  assert.equal(reads, 2)
  structures.close()
})

test('an unusable catalogue leaves the previous structure in force, and is not tried again', async () => {
  let tries = 0
  const structures = await watch((model, version) => {
    if (model.tables.has('up_broken')) {
      tries += 1
      throw new Error('unusable')
    }
    return version
  })
  const version = structures.current()
  await database.run(rawSql('create table public.up_broken (id int primary key)'))
  await structures.reload().catch(() => undefined)
  await structures.reload().catch(() => undefined)
  await structures.reload()
  assert.equal(structures.current(), version)
  assert.equal(tries, 1)
  await database.run(rawSql('drop table public.up_broken'))
  await structures.reload()
  assert.equal(structures.current(), version)
  structures.close()
})

test('a reload requested while one is in progress reads again', async () => {
  const structures = await watch(model => [...model.tables.keys()].join())
  const early = structures.reload()
  await database.run(rawSql('create table public.up_late (id int primary key)'))
  await Promise.all([early, structures.reload()])
  assert.match(structures.current(), /up_late/)
  structures.close()
})

test('whatever decides about writing is structure: a change of it is noticed without being asked', async () => {
  await database.run(
    rawSql(`create table public.up_watched (id int primary key, title text, constraint up_watched_short check (length(title) < 9));
      alter table public.up_watched enable row level security`),
  )
  const structures = await watch((_model, version) => version)
  const changes = [
    `comment on table public.up_watched is '@writable'`,
    `comment on column public.up_watched.title is '@preset'`,
    'create policy everyone on public.up_watched for select using (true)',
    'alter policy everyone on public.up_watched using (id > 0)',
    'alter policy everyone on public.up_watched using (true)',
    'drop policy everyone on public.up_watched',
    `comment on constraint up_watched_short on public.up_watched is 'Titles are short.'`,
    'alter table public.up_watched drop constraint up_watched_short',
    'create unique index up_watched_title on public.up_watched (lower(title)) where id > 0',
    `comment on index public.up_watched_title is 'Titles differ.'`,
    'alter index public.up_watched_title rename to up_watched_titles',
    'drop index public.up_watched_titles',
    'alter table public.up_watched alter title set default now()::text',
    'alter table public.up_watched disable row level security',
  ]
  for (const change of changes) {
    const before = structures.current()
    await database.run(rawSql(change))
    await within(NOTIFIED_MS, change, () => structures.current() !== before)
  }
  structures.close()
})

/** Counts the readings of the catalogue. */
const counting = (): { readonly counted: Database; reads(): number } => {
  let reads = 0
  const counted = passingBy(database, (text, run) => {
    if (text.includes('viewed')) reads += 1
    return run()
  })
  return { counted, reads: () => reads }
}

test('a new table is read once by the process that gives it triggers and rights; others notice that too', async () => {
  const { counted, reads } = counting()
  let builds = 0
  const isLogged = (model: Model): string => {
    builds += 1
    return String(model.tables.get('up_noticed')?.logged)
  }
  const structures = await watch(isLogged, counted)
  const before = { reads: reads(), builds }
  const elsewhere = await openListener(made.connection, log)
  const correctedBy: string[] = []
  await elsewhere.on('minaret_structure', by => void correctedBy.push(by))
  await database.run(
    rawSql(`create table public.up_noticed (id int primary key); comment on table public.up_noticed is '@writable'`),
  )
  await within(NOTIFIED_MS, 'the table is logged', () => structures.current() === 'true')
  await within(NOTIFIED_MS, 'the corrections are notified', () => correctedBy.includes(listener.id))
  // long enough to read again
  await new Promise(resolve => setTimeout(resolve, 200))
  assert.equal(reads() - before.reads, 1)
  await structures.reload()
  assert.equal(builds - before.builds, 1, 'reading again gives the same version')
  structures.close()
  await elsewhere.close()
})

/** Runs `between` after the first statement of the next reading of the structure, and before the second. */
const interrupted = (between: () => Promise<unknown>): { readonly asked: Database; arm(): void } => {
  let isArmed = false
  const asked = passingBy(database, async (_text, run, method) => {
    const value = await run()
    if (isArmed && method !== 'run') {
      isArmed = false
      await between()
    }
    return value
  })
  return {
    asked,
    arm: () => {
      isArmed = true
    },
  }
}

test('a table that is dropped while the structure is read is never in it without its log', async () => {
  const drop = 'drop table public.up_leaving; create table public.up_coming (id int primary key)'
  const { asked, arm } = interrupted(() => database.run(rawSql(drop)))
  await database.run(rawSql('create table public.up_leaving (id int primary key)'))
  const seen: (boolean | undefined)[] = []
  const structures = await watch(model => {
    seen.push(model.tables.get('up_leaving')?.logged)
    return [...model.tables.keys()].join()
  }, asked)
  assert.deepEqual(seen, [true])
  arm()
  await structures.reload()
  await within(NOTIFIED_MS, 'the table is gone', () => !structures.current().includes('up_leaving'))
  assert.ok(!seen.includes(false), 'subscriptions to it would be told that it is not logged')
  structures.close()
})

test('a change without a notification is found by polling', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const structures = await watch(model => [...model.tables.keys()].join())
  // Notifications have an order: those of earlier tests have arrived by then, and are read by the reload below at the latest.
  let hasArrived = false
  await listener.on('fence', () => {
    hasArrived = true
  })
  await database.run(rawSql('notify fence'))
  await within(60_000, 'the earlier notifications have arrived', () => hasArrived)
  await new Promise(resolve => setTimeout(resolve, 200))
  await structures.reload()
  await database.run(
    rawSql('set session_replication_role = replica; create table public.up_untold (id int primary key); reset all'),
  )
  // long enough for a notification, if there were one
  await new Promise(resolve => setTimeout(resolve, 200))
  assert.doesNotMatch(structures.current(), /up_untold/)
  t.mock.timers.tick(30_000)
  await within(60_000, 'the table is found', () => structures.current().includes('up_untold'))
  structures.close()
})

test('where the database cannot notify, a look twice a second finds a change, and reads the catalogue only then', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await database.run(rawSql('alter event trigger minaret_structure disable'))
  const { counted, reads } = counting()
  const structures = await watch(model => [...model.tables.keys()].join(), counted)
  let looks = 0
  const look = async (): Promise<void> => {
    looks += 1
    t.mock.timers.tick(500)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  // What the start corrected is seen as a change once.
  while (looks < 3) await look()
  const before = reads()
  while (looks < 13) await look()
  assert.equal(reads(), before)
  await database.run(rawSql('create table public.up_unheard (id int primary key)'))
  await within(60_000, 'the table is found', async () => {
    await look()
    return structures.current().includes('up_unheard')
  })
  structures.close()
  await database.run(rawSql('alter event trigger minaret_structure enable'))
})
