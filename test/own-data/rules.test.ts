import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql, sql } from '../../src/db/sql.ts'
import { eraseFaults } from '../../src/own-data/check-rules.ts'
import { planErasure } from '../../src/own-data/erase/erasure-plan.ts'
import { orderTables } from '../../src/own-data/erase/order-tables.ts'
import { fullName } from '../../src/own-data/own-table.ts'
import { readOwnTables } from '../../src/own-data/read-tables.ts'
import { ar } from '../../src/site/texts/ar.ts'
import { en } from '../../src/site/texts/en.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { runCommand } from '../support/process.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
/** Tables of other test files that share the service. */
const ours = (name: string): boolean => !/erase_test_|up_notes|up_odd|plain_notes|up_secrets/.test(name)

test('every personal column says what becomes of it when an account is erased', async () => {
  assert.deepEqual(eraseFaults(await readOwnTables(database())).filter(ours), [])
})

test('`minaret schema check` names each column without a rule, and each rule that cannot be kept', async () => {
  await database().run(sql`
    create table public.erase_test_notes (id int primary key, writer_email text, made_by uuid, member_id uuid references public.ua_members,
      phone text not null, score int not null, wording text)`)
  await database().run(sql`comment on column public.erase_test_notes.phone is '@erase delete'`)
  await database().run(sql`comment on column public.erase_test_notes.score is '@erase anonymise'`)
  await database().run(sql`comment on column public.erase_test_notes.wording is '@erase retain'`)
  await database().run(
    sql`create table minaret.erase_test_keys (id int primary key, user_id uuid references minaret.users on delete cascade)`,
  )
  const environment = { DATABASE_URL: minaret().databaseUrl, MINARET_SECRET: TEST_SECRET }
  const { stdout } = await runCommand(['schema', 'check', '--json'], environment)
  const named = (JSON.parse(stdout).erasure as string[]).filter(line => line.includes('erase_test_')).join('\n')
  assert.match(named, /erase_test_notes\.writer_email: holds or points to personal data/)
  assert.match(named, /erase_test_notes\.made_by: holds or points/)
  assert.match(named, /erase_test_notes\.member_id: holds or points/)
  assert.match(named, /erase_test_notes\.phone: cannot be empty/)
  assert.match(named, /erase_test_notes\.score: has the type integer, which cannot be anonymised/)
  assert.match(named, /erase_test_notes\.wording: @erase is delete, anonymise, retain: reason/)
  // A foreign key with "on delete cascade" says it already.
  assert.doesNotMatch(named, /erase_test_keys/)
  const { stdout: text } = await runCommand(['schema', 'check'], environment)
  assert.match(text, /What becomes of it when an account is erased is not clear: [1-9]/)
  // The service may be giving them triggers just now.
  for (const table of ['public.erase_test_notes', 'minaret.erase_test_keys'])
    await within(60_000, `${table} is dropped`, () =>
      database()
        .run(sql`drop table if exists ${rawSql(table)}`)
        .then(
          () => true,
          () => false,
        ),
    )
})

test('tables are erased before those they refer to, and the account last', async () => {
  const order = orderTables(await readOwnTables(database())).map(fullName)
  const place = (name: string): number => {
    assert.ok(order.includes(name), name)
    return order.indexOf(name)
  }
  assert.ok(place('public.ua_donations') < place('public.ua_recurring_donations'))
  assert.ok(place('public.up_event_rsvps') < place('public.ua_members'))
  assert.ok(place('public.ua_members') < place('public.ua_households'))
  assert.ok(place('minaret.device_codes') < place('minaret.sessions'))
  assert.equal(order.at(-1), 'minaret.users')
})

test('every reason to keep something is worded in each language', async () => {
  const { deleted, kept } = planErasure(await readOwnTables(database()))
  for (const { table, reason } of [...deleted, ...kept].filter(({ table }) => ours(table)))
    for (const { ownData } of [en, ar])
      if (reason !== undefined) assert.ok(Object.hasOwn(ownData.reasons, reason), `${table}: ${reason}`)
})
