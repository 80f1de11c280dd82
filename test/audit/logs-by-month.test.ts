// The audit log and the read log are partitioned by month: no entry is lost, none that is to be kept can be removed, and whole
// months go when their time has come.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keepLogs, type Retention } from '../../src/audit/keep-logs.ts'
import { selectAudit } from '../../src/audit/read-audit.ts'
import { selectWrittenRows } from '../../src/audit/read-written-rows.ts'
import { rawSql, type Sql, sql } from '../../src/db/sql.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()
const usual: Retention = { auditLog: 400, readLog: 90, writtenRows: 0 }

const monthOf = (months: number): Date => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
}
const nameOf = (log: string, month: Date): string => `${log}_${month.toISOString().slice(0, 7).replace('-', '_')}`

const monthsOf = async (log: string): Promise<string[]> =>
  (
    await database().query<{ name: string }>(
      sql`select partition_class.relname as name from minaret.months_of(${`minaret.${log}`}::regclass) month
        join pg_class partition_class on partition_class.oid = month.partition order by ends`,
    )
  ).map(({ name }) => name)

const add = (at: Date | string, action: string) =>
  database().run(sql`insert into minaret.audit_log (at, action) values (${at}::timestamptz, ${action})`)

const placeOf = async (action: string): Promise<string[]> =>
  (
    await database().query<{ place: string }>(
      sql`select (select relname from pg_class where oid = audit_log.tableoid) as place from minaret.audit_log where action = ${action} order by at`,
    )
  ).map(({ place }) => place)

/** As if the service had run at that time. */
const openMonth = async (log: string, months: number): Promise<string> => {
  const name = nameOf(log, monthOf(months))
  await database().run(
    rawSql(`create table ${name} (like ${log} including all);
    alter table ${log} attach partition ${name}
      for values from ('${monthOf(months).toISOString()}') to ('${monthOf(months + 1).toISOString()}')`),
  )
  return name
}

test('this month and the next three are open, once, whoever opens them at the same time', async () => {
  await Promise.all([1, 2, 3].map(() => keepLogs(database(), usual)))
  for (const log of ['audit_log', 'read_log'])
    assert.deepEqual(
      (await monthsOf(log)).slice(-4),
      [0, 1, 2, 3].map(months => nameOf(log, monthOf(months))),
    )
})

test('an entry is in its month, by UTC, on both sides of the boundary', async () => {
  const boundary = monthOf(1)
  await add(new Date(boundary.getTime() - 1), 'test.boundary')
  await add(boundary, 'test.boundary')
  assert.deepEqual(await placeOf('test.boundary'), [nameOf('audit_log', monthOf(0)), nameOf('audit_log', boundary)])
})

test('months are those of UTC, whatever the time zone of the session', async () => {
  await database().transaction(async transaction => {
    await transaction.run(sql`set local time zone 'Pacific/Kiritimati'`)
    await transaction.run(rawSql(`drop table minaret.${nameOf('audit_log', monthOf(3))}`))
    await transaction.run(sql`select minaret.open_months('audit_log')`)
    const last = await transaction.first<{ begins: Date; ends: Date }>(
      sql`select begins, ends from minaret.months_of('minaret.audit_log') order by ends desc limit 1`,
    )
    assert.deepEqual(last, { begins: monthOf(3), ends: monthOf(4) })
  })
})

describe('a month that nobody opened in time', () => {
  test('loses no entry: they wait in the default partition, and are moved into their month', async () => {
    for (const name of await monthsOf('read_log')) await database().run(rawSql(`drop table minaret.${name}`))
    const insert = (number: number) =>
      database().run(sql`insert into minaret.read_log (table_name, row_count) values ('x', ${number})`)
    await insert(1)
    await insert(2)
    assert.equal((await database().query(sql`select from minaret.read_log_default`)).length, 2)
    await keepLogs(database(), usual)
    await insert(3)
    const rows = await database().query(
      sql`select row_count, (select relname from pg_class where oid = read_log.tableoid) as place from minaret.read_log order by id`,
    )
    const place = nameOf('read_log', monthOf(0))
    assert.deepEqual(
      rows,
      [1, 2, 3].map(row_count => ({ row_count, place })),
    )
    await assert.rejects(database().run(sql`truncate minaret.read_log_default`), /can only grow/)
  })

  test('while a long transaction reads the log, nobody waits for it, and the next round opens it', async () => {
    const last = nameOf('audit_log', monthOf(3))
    await database().run(rawSql(`drop table minaret.${last}`))
    await add(monthOf(3), 'test.early')
    await database().transaction(async transaction => {
      await transaction.query(sql`select from minaret.audit_log limit 1`)
      await keepLogs(database(), usual)
      assert.equal((await monthsOf('audit_log')).at(-1), nameOf('audit_log', monthOf(2)))
    })
    await keepLogs(database(), usual)
    assert.deepEqual(await placeOf('test.early'), [last])
  })
})

describe('past its retention', () => {
  test('a whole month is dropped, and one with an entry to keep is not', async () => {
    const past = await openMonth('minaret.audit_log', -15)
    await openMonth('minaret.audit_log', -12)
    await add(monthOf(-15), 'test.past')
    await add(monthOf(-12), 'test.kept')
    const { months } = await keepLogs(database(), usual)
    assert.deepEqual(months, [past])
    assert.deepEqual(
      [await placeOf('test.past'), await placeOf('test.kept')],
      [[], [nameOf('audit_log', monthOf(-12))]],
    )
  })

  test('an operator who keeps less has it dropped sooner', async () => {
    const { months } = await keepLogs(database(), { ...usual, auditLog: 300 })
    assert.deepEqual(months, [`minaret.${nameOf('audit_log', monthOf(-12))}`])
    await keepLogs(database(), usual)
  })

  test('entries that are not in a month of their own are deleted, in batches', async () => {
    await database().run(sql`insert into minaret.read_log (at, table_name, row_count)
      select now() - interval '1 year', 'past', 1 from generate_series(1, 2500)`)
    await database().run(sql`insert into minaret.read_log (at, table_name, row_count)
      values (now() - interval '89 days', 'recent', 1)`)
    assert.equal((await keepLogs(database(), usual)).entries, 2500)
    assert.deepEqual(await database().query(sql`select table_name from minaret.read_log_default`), [
      { table_name: 'recent' },
    ])
  })

  test('written rows are kept for good, unless it is said how long', async () => {
    const past = await openMonth('public.written_rows', -30)
    assert.deepEqual((await keepLogs(database(), usual)).months, [])
    assert.deepEqual((await keepLogs(database(), { ...usual, writtenRows: 700 })).months, [past])
  })
})

describe('until then', () => {
  const refused = async (statement: Sql): Promise<void> =>
    void (await assert.rejects(database().run(statement), { code: '42501' }))

  test('nobody changes or removes an entry, not even in its partition', async () => {
    await add(new Date(), 'test.guarded')
    const places = ['audit_log', 'audit_log_default', ...(await monthsOf('audit_log'))]
    for (const place of places) await refused(rawSql(`truncate minaret.${place}`))
    for (const place of ['audit_log', nameOf('audit_log', monthOf(0))]) {
      await refused(rawSql(`delete from minaret.${place} where action = 'test.guarded'`))
      await refused(rawSql(`update minaret.${place} set detail = '{"x": 1}' where action = 'test.guarded'`))
      await refused(rawSql(`update minaret.${place} set at = now() - interval '2 years' where action = 'test.guarded'`))
    }
    assert.equal((await placeOf('test.guarded')).length, 1)
  })

  test('but an address is taken out when an account is erased, and nothing else with it', async () => {
    await database().run(sql`insert into minaret.audit_log (action, address) values ('test.erased', '198.51.100.7')`)
    await refused(sql`update minaret.audit_log set address = null, actor = 'system' where action = 'test.erased'`)
    await refused(sql`update minaret.audit_log set address = '198.51.100.8' where action = 'test.erased'`)
    await database().run(sql`update minaret.audit_log set address = address where action = 'test.erased'`)
    await database().run(sql`update minaret.audit_log set address = null where action = 'test.erased'`)
    assert.deepEqual(await database().query(sql`select address from minaret.audit_log where action = 'test.erased'`), [
      { address: null },
    ])
  })

  test('nor does an earlier version, which deletes by ctid: rows of other partitions have the same', async () => {
    await add('2020-01-01', 'test.ancient')
    const rows = async () => (await database().query(sql`select from minaret.audit_log`)).length
    const before = await rows()
    await refused(sql`
      delete from minaret.audit_log where ctid = any (array(
        select t.ctid from minaret.audit_log t where at < now() - interval '400 days' limit 1000 for update of t skip locked))`)
    assert.equal(await rows(), before)
  })

  test('and no retention is shorter than 30 days', async () => {
    await assert.rejects(keepLogs(database(), { ...usual, auditLog: 29 }), { code: '23514' })
  })
})

describe('pages of logs look only into the months that they show', () => {
  const scanned = async (statement: Sql): Promise<string[]> => {
    const lines = await database().query<Record<string, string>>(sql`explain (costs off) ${statement}`)
    const text = lines.map(line => line['QUERY PLAN']).join('\n')
    return [
      ...new Set(
        [...text.matchAll(/ on ((?:audit_log|written_rows)(?:_\d{4}_\d{2}|_default)?)(?= |$)/gm)].map(found =>
          String(found[1]),
        ),
      ),
    ].sort()
  }
  const month = (log: string, months: number) => nameOf(log, monthOf(months))

  test('the audit log, by its days', async () => {
    assert.deepEqual(await scanned(selectAudit({ from: monthOf(1), to: monthOf(2) })), [month('audit_log', 1)])
    assert.deepEqual(await scanned(selectAudit({ from: monthOf(0), to: monthOf(2), action: 'app.' })), [
      month('audit_log', 0),
      month('audit_log', 1),
    ])
  })

  test('the audit log, from an entry on', async () => {
    const before = { micros: String((monthOf(1).getTime() - 1) * 1000), id: '1' }
    assert.deepEqual(await scanned(selectAudit({ before, from: monthOf(0) })), [month('audit_log', 0)])
  })

  test('the audit trail of written rows', async () => {
    const before = { micros: String((monthOf(1).getTime() - 1) * 1000), id: '1' }
    const filters = { from: monthOf(0), to: monthOf(3) }
    assert.deepEqual(await scanned(selectWrittenRows({ filters, before, limit: 10 })), [month('written_rows', 0)])
  })
})
