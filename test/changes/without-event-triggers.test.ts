// The owner of the documents, who is not a superuser and so has no event triggers: everything is logged all the same, nothing is stale, and
// a superuser can add what is missing at any time.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dataScopes } from '../../src/access/scopes.ts'
import { createEventTriggers, eventTriggers } from '../../src/commands/doctor/event-triggers.ts'
import type { Finding } from '../../src/commands/doctor/finding.ts'
import type { Cluster } from '../../src/db/embedded/cluster.ts'
import { startCluster } from '../../src/db/embedded/cluster.ts'
import { rawSql, sql } from '../../src/db/sql.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Service } from '../../src/service/start-service.ts'
import { createCounters } from '../answers/counters.ts'
import { prove } from '../answers/prove.ts'
import { restructureAll } from '../answers/writers.ts'
import { serve } from '../faults/own-cluster.ts'
import { loadFixture, masjidId } from '../graphql/fixture.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { noPostgresql15, startFreshCluster15 } from '../support/cluster-15.ts'
import { createTestDatabase } from '../support/database.ts'
import { openClient } from '../support/graphql.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { createPlainOwner, type PlainOwner } from '../support/plain-owner.ts'
import { runCommand, temporaryFolder } from '../support/process.ts'

const startFreshCluster = async (): Promise<Cluster> => {
  const folder = temporaryFolder()
  const { connection, stop } = await startCluster(folder.path, { fsync: 'off', full_page_writes: 'off' })
  return { connection, stop: () => stop().then(folder.remove) }
}

const doctorOf = async (url: string): Promise<Finding | undefined> => {
  const { stdout } = await runCommand(['doctor', '--json'], { DATABASE_URL: url, MINARET_SECRET: TEST_SECRET })
  return (JSON.parse(stdout).findings as Finding[]).find(({ check }) => check === 'change-log')
}

const checkOwner = (start: () => Promise<Cluster>): void => {
  let cluster: Cluster
  let owner: PlainOwner
  let service: Service
  let key: string

  before(async () => {
    cluster = await start()
    owner = await createPlainOwner(cluster)
  })
  after(async () => {
    await service?.stop()
    await cluster.stop()
  })

  const run = (text: string) => service.database.run(rawSql(`set search_path = public, extensions; ${text}`))

  const lines = (from: string) =>
    service.database.query<{ kind: string; table_name: string; key: unknown }>(sql`
      select kind, table_name, key from changes.log where xid >= ${from}::xid8 order by xid, id`)

  const now = async () =>
    (await service.database.first<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`))?.xid ?? ''

  const untilLogged = (table: string) =>
    within(60_000, `${table} is logged`, async () => {
      const logged = await service.database.query(sql`
        select from changes.traced_tables() traced where traced = to_regclass(${`public.${table}`})`)
      return logged.length === 1
    })

  /** The structure that the statement makes is in force, and has been noted. */
  const restructured = async (statement: string, name: string): Promise<void> => {
    const from = await now()
    await run(statement)
    await within(60_000, `${statement} is noted`, async () =>
      (await lines(from)).some(({ kind, table_name }) => kind === 'structure' && table_name === name),
    )
  }

  test('doctor says so before the first start', async () => {
    const finding = await doctorOf(owner.url)
    assert.equal(finding?.status, 'warning')
    assert.match(finding?.found ?? '', /minaret_owner cannot create event triggers, as it is not a superuser/)
  })

  test('the service starts, and every table of the API is logged', async () => {
    service = await serve(owner.url, { ANSWER_CACHE_MB: '32' })
    await loadFixture(service.database)
    await createCounters(service.database)
    const app = await makeApp(service.database, { scopes: dataScopes, masjids: { only: '*', own: '*' } })
    key = (await makeKey(service.database, { appId: app.id, scopes: dataScopes })).key
    await untilLogged('up_counters')
    const from = await now()
    await run(`update up_counters set value = value where id = 1`)
    assert.deepEqual(await lines(from), [{ kind: 'update', table_name: 'public.up_counters', key: { id: 1 } }])
  })

  test('a copy is kept up to date: rows at once, and whatever was altered', async () => {
    const client = openClient({ baseUrl: service.baseUrl }, key)
    const ask = async (query: string) => {
      const { body } = await client.query({ query })
      assert.equal(body.errors, undefined, JSON.stringify(body.errors))
      return body.data
    }
    await run(`update up_masjids set name = name || '' where id = '${masjidId(1)}'`)
    const { up_changes } = await ask('{ up_changes(limit: 1) { cursor } }')
    const [{ cursor }] = up_changes
    await run(`update up_masjids set name = name || '' where id = '${masjidId(2)}'`)
    await restructured('alter table up_masjids alter column name set statistics 100', 'public.up_masjids')
    // A line shows when no older transaction is in progress any more.
    await within(60_000, 'the row and the table are told', async () => {
      const { up_changes_since } = await ask(`{ up_changes_since(args: {cursor: "${cursor}"}) { table_name id } }`)
      const masjids = up_changes_since.filter((line: { table_name: string }) => line.table_name === 'up_masjids')
      return JSON.stringify(masjids.slice(-2).map(({ id }: { id: string | null }) => id)) === `["${masjidId(2)}",null]`
    })
    client.close()
  })

  test('no write fails while a key has another name, and soon it is logged by that name', async () => {
    await restructured(
      `create table up_seats (id int primary key, masjid_id uuid); comment on table up_seats is '@scope masjid:read'`,
      'public.up_seats',
    )
    await untilLogged('up_seats')
    const from = await now()
    // At once, before the service can have looked.
    await service.database.transaction(async transaction => {
      await transaction.run(rawSql('alter table public.up_seats rename id to number'))
      await transaction.run(rawSql('insert into public.up_seats (number) values (1)'))
    })
    assert.deepEqual((await lines(from))[0], { kind: 'bulk', table_name: 'public.up_seats', key: null })
    await within(60_000, 'the key is logged by its new name', async () => {
      const since = await now()
      await run('update public.up_seats set number = number')
      const [line] = await lines(since)
      return JSON.stringify(line?.key) === '{"number":1}'
    })
    await restructured('drop table up_seats', 'public.up_seats')
  })

  test('rows of a new partition are read again, and then logged as those of its table', async () => {
    await restructured(
      `create table up_days (day int primary key) partition by list (day); comment on table up_days is '@scope masjid:read'`,
      'public.up_days',
    )
    await restructured(
      `create table up_days_1 partition of up_days for values in (1); insert into up_days_1 values (1)`,
      'public.up_days',
    )
    await within(60_000, 'its rows are logged', async () => {
      const from = await now()
      await run('update up_days_1 set day = day')
      const [line] = await lines(from)
      return line?.table_name === 'public.up_days'
    })
    await restructured('drop table up_days', 'public.up_days')
  })

  test('no read is stale while everything is written, and the structure changes', async () => {
    const { hits } = await prove({
      key,
      baseUrls: [service.baseUrl],
      database: service.database,
      reads: 20_000,
      disturb: restructureAll,
    })
    assert.equal(hits, 0, 'answers are not kept in memory')
  })

  test('doctor names the statements, and with them answers are kept, without a restart', async () => {
    const finding = await doctorOf(owner.url)
    assert.equal(finding?.status, 'warning')
    const [, statements = ''] = /as a superuser: (.*)$/.exec(finding?.remedy ?? '') ?? []
    await withClient(owner.superuser, client => client.query(statements))
    assert.equal((await doctorOf(owner.url))?.status, 'ok')

    const client = openClient({ baseUrl: service.baseUrl }, key)
    const query = '{ up_counter_notes(limit: 3) { id } }'
    await within(60_000, 'an answer from memory', async () => {
      await client.query({ query })
      const { body } = await client.query({ query }, { 'x-minaret-explain': '1' })
      return body.extensions?.cache?.hit === true
    })
    client.close()
  })

  test('doctor says if no table is logged at all', async () => {
    await service.stop()
    await withClient(owner.superuser, client =>
      client.query(`
      do $$ declare t regclass; begin
        for t in select changes.traced_tables() loop execute format('drop trigger changes_delete on %s', t); end loop;
      end $$`),
    )
    assert.equal((await doctorOf(owner.url))?.status, 'fault')
  })
}

describe('an owner that is not a superuser', () => checkOwner(startFreshCluster))

describe('an owner that is not a superuser, on PostgreSQL 15', { skip: noPostgresql15 }, () =>
  checkOwner(startFreshCluster15),
)

test('doctor creates what the migrations create where they may', async () => {
  const shapes = `select evtname, evtevent, evtfoid::regproc::text as called, evtenabled, evttags
    from pg_event_trigger where evtname like 'minaret%' order by evtname`
  const copy = await createTestDatabase()
  try {
    await withClient(copy.connection, async client => {
      const { rows: made } = await client.query(shapes)
      for (const { evtname } of made) await client.query(`drop event trigger ${evtname}`)
      for (const statement of createEventTriggers(Object.keys(eventTriggers))) await client.query(statement)
      assert.deepEqual((await client.query(shapes)).rows, made)
    })
  } finally {
    await copy.drop()
  }
})
