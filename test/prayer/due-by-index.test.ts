// What is due is asked after every change, so asking must not read what is not due.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayNumberAt } from '../../src/base/civil-date.ts'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase, type Queryable } from '../../src/db/database.ts'
import { rawSql, sql } from '../../src/db/sql.ts'
import { countDueEvents } from '../../src/events/due-events.ts'
import { eventGoal } from '../../src/events/materialise-events.ts'
import { readEngineVersion } from '../../src/prayer/calculation/engine-version.ts'
import { findWorkDue, runJob } from '../../src/prayer/job/run-job.ts'
import { countStaleMasjids, nearestGoal, readGoal } from '../../src/prayer/job/stale-masjids.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { insertEvent } from '../support/events.ts'
import { insertMasjid } from '../support/masjids.ts'

const now = new Date('2026-03-01T12:00:00Z')
const MASJIDS = 20
const EVENTS = 60
const DELETED = 20
let throwaway: TestDatabase
let database: Database

const analyze = () => database.run(rawSql('analyze calculation_states, up_masjids, occurrence_states, up_events'))

before(async () => {
  throwaway = await createTestDatabase()
  database = openDatabase(throwaway.connection, { poolSize: 4, log: createLogger('silent') })
  const masjids: string[] = []
  for (let count = 0; count < MASJIDS; count += 1) masjids.push(await insertMasjid(database))
  for (let count = 0; count < EVENTS; count += 1) await insertEvent(database, masjids[count % MASJIDS] ?? '')
  await database.run(sql`
    update up_events set deleted_at = now() where id in (select id from up_events order by id limit ${DELETED})`)
  await runJob({ database, now })
  await analyze()
})
after(async () => {
  await database.close()
  await throwaway.drop()
})

/** Of the four tables, in this transaction and maybe in some before it. */
const rowsRead = async (transaction: Queryable): Promise<number> =>
  (
    await transaction.first<{ rows: number }>(sql`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
      where schemaname = 'public' and relname in ('calculation_states', 'up_masjids', 'occurrence_states', 'up_events')`)
  )?.rows ?? 0

/** Counts what is due, and how many rows were read for it, and before that for the goal. */
const counted = (at: Date) =>
  database.transaction(async transaction => {
    // On so few rows, reading all of them would be the quickest way.
    await transaction.run(rawSql('set local enable_seqscan = off'))
    const start = await rowsRead(transaction)
    const goal = await readGoal(transaction, { schema: 'public', today: dayNumberAt(at), engine: readEngineVersion() })
    const before = await rowsRead(transaction)
    const due = {
      masjids: await countStaleMasjids(transaction, goal),
      nearest: await countStaleMasjids(transaction, nearestGoal(goal)),
      events: await countDueEvents(transaction, eventGoal('public', at), 50),
    }
    return {
      due,
      rows: (await rowsRead(transaction)) - before,
      forGoal: before - start,
      olderEngines: goal.olderEngines,
    }
  })

test('while nothing is due, no row is read', async () => {
  const { due, rows } = await counted(now)
  assert.deepEqual({ due, rows }, { due: { masjids: 0, nearest: 0, events: 0 }, rows: 0 })
})

test('of what changed, only that is read', async () => {
  await database.run(sql`
    update up_events set title = 'Changed', starts_local = starts_local + interval '1 hour'
    where id = (select id from up_events where deleted_at is null limit 1)`)
  const { due, rows } = await counted(now)
  assert.equal(due.events, 1)
  assert.ok(rows <= 6, `${rows} rows`)
  await runJob({ database, now })
})

test('the next day everything is due but deleted events, and again nothing once it is done', async () => {
  const tomorrow = new Date('2026-03-02T12:00:00Z')
  const { due } = await counted(tomorrow)
  assert.deepEqual(due, { masjids: MASJIDS, nearest: 0, events: EVENTS - DELETED })
  await runJob({ database, now: tomorrow })
  assert.deepEqual(await findWorkDue(database, tomorrow), { masjids: 0, events: 0 })
  await analyze()
  assert.equal((await counted(tomorrow)).rows, 0)
})

test('an event that is restored has its occurrences again', async () => {
  const event = await database.first<{ id: string }>(sql`
    update up_events set deleted_at = null where id = (select id from up_events where deleted_at is not null limit 1) returning id`)
  await runJob({ database, now })
  const state = await database.first<{ until: string; occurrences: number }>(sql`
    select filled_until::text as until, (select count(*)::int from up_event_occurrences where event_id = state.event_id) as occurrences
    from occurrence_states state where event_id = ${event?.id ?? ''}`)
  assert.equal(state?.occurrences, 1)
  assert.match(state?.until ?? '', /^2027-/)
})

test('older engines are found among all masjids by a few rows', async () => {
  await database.run(sql`
    update calculation_states set engine_version = case when masjid_id::text < '8' then '0.1' else '0.2' end
    where masjid_id in (select masjid_id from calculation_states order by masjid_id limit ${MASJIDS - 2})`)
  // Once for the rows that were replaced, which the index leads to until somebody finds them dead.
  await counted(now)
  const { forGoal, olderEngines, due } = await counted(now)
  assert.deepEqual(olderEngines, ['0.1', '0.2'])
  assert.equal(due.masjids, MASJIDS - 2)
  assert.ok(forGoal < MASJIDS / 2, `${forGoal} rows`)
})
