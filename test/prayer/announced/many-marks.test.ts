// Tens of thousands of marks, as after an import: who reads looks at those of its masjids alone, also over connections that planned their
// statements while there were none; and the job finds what it can do among what it cannot.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import type { Database } from '../../../src/db/database.ts'
import { sql } from '../../../src/db/sql.ts'
import { findDue, keepTimes } from '../../../src/prayer/announced/keep-times.ts'
import { insertMasjid } from '../../support/masjids.ts'
import { useDatabase } from '../../support/open-database.ts'
import { insertKept, keepAll, reach, readersGetTheDefinition, rowsAreTheDefinition } from './use-kept-times.ts'

const MARKS = 20_000
const database = useDatabase()
let masjids: string[] = []
before(async () => {
  masjids = await insertKept(database(), [{}, {}, {}])
})

/** Of masjids that are not calculated, which the job therefore leaves alone. */
const insertMarks = (count = MARKS): Promise<unknown> =>
  database().run(sql`insert into outdated_times (masjid_id) select gen_random_uuid() from generate_series(1, ${count})`)

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

const marksRead = (node: PlanNode): number =>
  (node['Relation Name'] === 'outdated_times'
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, part) => sum + marksRead(part), 0)

const explained = async (client: pg.Client, statement: string): Promise<number> => {
  const { rows } = await client.query(`explain (analyze, format json) ${statement}`)
  return marksRead(rows[0]['QUERY PLAN'][0].Plan)
}

const withClient = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client(database().connection)
  await client.connect()
  await work(client).finally(() => client.end())
}

const day = `select * from pc_prayer_times where date = '2026-02-20'`

test('a statement that was planned without marks is planned again once there are many', async () => {
  await withClient(async client => {
    await client.query('vacuum analyze outdated_times')
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query(`prepare times as ${day}`)
    await client.query('execute times')
    await insertMarks()
    await database().run(sql`insert into outdated_times (masjid_id) select unnest(${masjids}::uuid[])`)
    await database().run(sql`
      insert into outdated_times (masjid_id) select ${masjids[0] ?? ''}::uuid from generate_series(1, 200)`)
    await findDue(database(), reach)
    assert.ok((await explained(client, 'execute times')) <= 2 * masjids.length)
    await keepAll(database())
    assert.equal(await explained(client, 'execute times'), 0)
  })
  await readersGetTheDefinition(database())
})

test('marks of others are not read, whether a masjid is asked for or a day', async () => {
  await withClient(async client => {
    assert.equal(await explained(client, `${day} and masjid_id = '${masjids[0]}'`), 0)
    assert.equal(await explained(client, day), 0)
    assert.equal(await explained(client, `${day} order by date limit 5`), 0)
  })
})

const isKept = async (one: Database, masjid: string): Promise<boolean> =>
  (await one.first(sql`select from announced_reach where masjid_id = ${masjid}`)) !== undefined

test('a commit looks at the marks of its transaction alone', async () => {
  await withClient(async client => {
    assert.equal(await explained(client, 'select from outdated_times where transaction = pg_current_xact_id()'), 0)
  })
})

test('marks of masjids that are not calculated stay, and hold up no other', async () => {
  const [masjid = ''] = masjids
  const waiting = await insertMasjid(database())
  await database().run(sql`insert into outdated_times (masjid_id) values (${waiting}), (${masjid})`)
  assert.deepEqual(await findDue(database(), reach), [masjid])
  assert.equal(await keepTimes(database(), reach, masjid), true)
  assert.deepEqual(await findDue(database(), reach), [])
  assert.equal(await isKept(database(), waiting), false)
  await database().run(sql`delete from outdated_times`)
  await rowsAreTheDefinition(database())
})

test('a masjid that somebody removes meanwhile is left alone', async () => {
  const [masjid = ''] = masjids
  await database().run(sql`insert into outdated_times (masjid_id) values (${masjid})`)
  await withClient(async client => {
    await client.query(`begin; delete from up_masjids where id = '${masjid}'`)
    assert.equal(await keepTimes(database(), reach, masjid), false)
    await client.query('rollback')
  })
  assert.equal(await keepTimes(database(), reach, masjid), true)
})
