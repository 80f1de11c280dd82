// The log's partitions are made ahead of time and dropped with their rows; cursors into what is gone are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepChangeLog } from '../../src/changes/keep-log.ts'
import { sql } from '../../src/db/sql.ts'
import { useDatabase } from '../support/open-database.ts'
import { settled } from './settled.ts'

const database = useDatabase()
const keep = () => keepChangeLog(database(), 7)

const partitions = async (): Promise<string[]> =>
  (
    await database().query<{ name: string }>(
      sql`select partition::text as name from changes.partitions() order by ends`,
    )
  ).map(({ name }) => name)

const add = (at: string) =>
  database().run(
    sql`insert into changes.log (at, table_name, kind) values (${at}::timestamptz, 'public.up_events', 'bulk')`,
  )

const kept = async (at: string): Promise<boolean> =>
  (await database().query(sql`select from changes.log where at = ${at}::timestamptz`)).length > 0

const accepts = async (cursor: string): Promise<boolean> =>
  database()
    .query(sql`select from public.up_changes_since(${cursor})`)
    .then(
      () => true,
      error => {
        assert.equal(error.code, 'MN008')
        return false
      },
    )

const now = async (): Promise<string> => {
  await settled(database())
  return (await database().first<{ cursor: string }>(sql`select changes.cursor_now() as cursor`))?.cursor ?? ''
}

test('partitions are made ahead, once, and processes may do it at the same time', async () => {
  await Promise.all([keep(), keep(), keep()])
  const first = await partitions()
  assert.ok(first.length >= 1)
  await keep()
  assert.deepEqual(await partitions(), first)
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  await add(inDays(2))
  const place = await database().first<{ name: string }>(
    sql`select tableoid::regclass::text as name from changes.log order by at desc limit 1`,
  )
  assert.equal(place?.name, first[0])
})

test('a row goes somewhere even if nobody made a partition, and partitions go on after it', async () => {
  const far = '2090-06-15T12:00:00Z'
  await add(far)
  assert.ok(await kept(far))
  await keep()
  await database().run(sql`delete from changes.log where at > now() + interval '1 year'`)
  await keep()
})

test('old rows go with their partition: first cursors into it are refused, then it is dropped', async () => {
  await database().run(
    sql`create table changes.log_old (like changes.log including defaults including constraints including indexes)`,
  )
  await database().run(
    sql`alter table changes.log attach partition changes.log_old for values from ('2020-01-01') to ('2020-01-04')`,
  )
  await database().run(sql`update changes.history set forgotten = '-infinity'`)
  const before = await now()
  await add('2020-01-02T00:00:00Z')
  await add('2019-01-02T00:00:00Z')
  const after = await now()
  assert.ok(await accepts(before))
  await keep()
  assert.ok(!(await accepts(before)), 'refused already')
  assert.ok(await accepts(after))
  assert.ok(await kept('2020-01-02T00:00:00Z'), 'but still there for whoever is reading')
  await keep()
  assert.ok(!(await kept('2020-01-02T00:00:00Z')))
  assert.ok(!(await kept('2019-01-02T00:00:00Z')), 'in the default partition too')
  assert.ok(!(await partitions()).includes('changes.log_old'))
  assert.ok(await accepts(after))
})

test('dropping waits for no writer, and neither does a writer for dropping', async () => {
  await database().run(
    sql`create table changes.log_older (like changes.log including defaults including constraints including indexes)`,
  )
  await database().run(
    sql`alter table changes.log attach partition changes.log_older for values from ('2018-01-01') to ('2018-01-04')`,
  )
  await database().transaction(async transaction => {
    await transaction.run(sql`insert into changes.log (table_name, kind) values ('public.up_events', 'bulk')`)
    await keep()
    assert.ok((await partitions()).includes('changes.log_older'))
  })
  await keep()
  assert.ok(!(await partitions()).includes('changes.log_older'))
})

test('rows that came with a dump of another cluster are gone, and cursors of that time with them', async () => {
  const cursor = await now()
  await database().run(
    sql`insert into changes.log (xid, table_name, kind) values ('900000000000', 'public.up_events', 'bulk')`,
  )
  await keep()
  assert.ok(await accepts(cursor))
  await database().run(sql`update changes.history set server = 'another'`)
  await keep()
  const rows = await database().query(sql`select from changes.log where xid = '900000000000'`)
  assert.equal(rows.length, 0)
  assert.ok(!(await accepts(cursor)))
})

test('functions of tables that are gone are dropped', async () => {
  await database().run(sql`create table public.up_rooms (id int primary key)`)
  await database().run(sql`select changes.watch('public.up_rooms')`)
  await keep()
  const there = () => database().query(sql`select from pg_proc where proname = 'public_up_rooms'`)
  assert.equal((await there()).length, 1)
  await database().run(sql`drop table public.up_rooms`)
  await keep()
  assert.equal((await there()).length, 0)
})
