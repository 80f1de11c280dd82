// PostgreSQL ends a statement of the service because of a deadlock: it is repeated, as nothing of it was done. Nobody is told of a fault.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { sql } from '../../src/db/sql.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Service } from '../../src/service/start-service.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startedTemplate } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { serve } from './own-cluster.ts'

let database: TestDatabase
let service: Service
let other: pg.Client
let watching: pg.Client

/** Whoever has the first row goes on when the other session waits for it, or has committed. */
const tables = `
  create table minaret.pair (id integer primary key, count integer not null default 0);
  insert into minaret.pair values (1), (2);
  create function minaret.wait_for_other() returns integer language plpgsql security definer as $$
  begin
    while exists (select from pg_stat_activity where application_name = 'other' and pid <> pg_backend_pid()
      and (state like 'idle in%' or state = 'active' and wait_event_type is distinct from 'Lock')) loop
      perform pg_sleep(0.005), pg_stat_clear_snapshot();
    end loop;
    return 1;
  end $$;
  create function minaret.wait_after() returns trigger language plpgsql as $$ begin perform minaret.wait_for_other(); return null; end $$;`

before(async () => {
  database = await createDatabase(await startedTemplate())
  await withClient(database.connection, async owner => {
    await owner.query(tables)
    // The service looks at once, and is the one that is ended.
    await owner.query(`alter database ${database.connection.database} set deadlock_timeout = '5ms'`)
  })
  service = await serve(database.url)
  other = new pg.Client({ ...database.connection, application_name: 'other' })
  watching = new pg.Client(database.connection)
  await Promise.all([other.connect(), watching.connect()])
  await other.query("set deadlock_timeout = '1h'")
})
after(async () => {
  await Promise.all([other?.end(), watching?.end()])
  await service?.stop()
  await database.drop()
})

const waitsForOther = async (): Promise<boolean> =>
  (await watching.query(`select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`))
    .rowCount === 1

interface Pair {
  readonly first: string
  readonly second: string
}

/** The other session has the second row; then it wants the first, which the service has by now. */
const inDeadlock = async <T>({ first, second }: Pair, work: () => Promise<T>): Promise<T> => {
  await other.query(`begin; ${second}`)
  const working = work()
  await within(30_000, 'the service waits', waitsForOther)
  await other.query(first)
  await other.query('commit')
  return working
}

const pair: Pair = {
  first: 'update minaret.pair set count = count + 10 where id = 1',
  second: 'update minaret.pair set count = count + 10 where id = 2',
}
const counts = async (): Promise<number[]> =>
  (await watching.query('select count from minaret.pair order by id')).rows.map(({ count }) => count)

beforeEach(() => watching.query('update minaret.pair set count = 0'))

test('a statement is run once more', async () => {
  const changed = await inDeadlock(pair, () =>
    service.database.run(
      sql`update minaret.pair set count = count + case id when 1 then 1 else minaret.wait_for_other() end`,
    ),
  )
  assert.equal(changed, 2)
  assert.deepEqual(await counts(), [11, 11])
})

test('a transaction is run once more, from its beginning', async () => {
  let runs = 0
  await watching.query(
    `create trigger wait after update on minaret.pair for each row when (old.id = 1) execute function minaret.wait_after()`,
  )
  await inDeadlock(pair, () =>
    service.database.transaction(async transaction => {
      runs += 1
      await transaction.run(sql`update minaret.pair set count = count + 1 where id = 1`)
      await transaction.run(sql`update minaret.pair set count = count + 1 where id = 2`)
    }),
  )
  await watching.query('drop trigger wait on minaret.pair')
  assert.equal(runs, 2)
  assert.deepEqual(await counts(), [11, 11])
})
