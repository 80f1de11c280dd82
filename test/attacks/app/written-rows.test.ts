// Somebody who found a way to run SQL as the API's writer, or just sends clever rows, tries to write what is not theirs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql, type Sql, sql } from '../../../src/db/sql.ts'
import { useDatabase } from '../../data-model/use-database.ts'
import { tryAs, writeAs } from '../../data-model/writing.ts'
import {
  actors,
  fillWritingActors,
  masjids,
  memberOf,
  place,
  rows,
  users,
  uuid,
} from '../../data-model/writing-actors.ts'

const model = useDatabase(fillWritingActors)

const refused = async (who: string, ...statements: readonly Sql[]): Promise<void> => {
  const outcome = await tryAs(model().owner, actors[who] ?? {}, ...statements)
  assert.ok([0, '42501', 'MN003', '23503', '23514'].includes(outcome), `${who}: ${outcome}`)
}

test('whoever looks after people cannot become admin: not by role, account, capability, nor by taking over an admin’s membership', async () => {
  const victim = memberOf('admin')
  await refused('people', sql`update ua_members set role = 'admin' where id = ${memberOf('people')} returning id`)
  await refused('people', sql`select ua_set_role(${memberOf('people')}, 'admin')`)
  await refused('people', sql`select ua_grant_capability(${masjids.a}, ${users.people}, 'capabilities')`)
  await refused(
    'people',
    sql`insert into ua_capabilities (masjid_id, user_id, capability) values (${masjids.a}, ${users.people}, 'giving')`,
  )
  await refused('people', sql`select ua_link_account(${victim}, ${users.service})`)
  await refused(
    'people',
    sql`insert into ua_members (masjid_id, given_name, role) values (${masjids.a}, 'x', 'admin') returning id`,
  )
  await refused('people', sql`update ua_members set status = 'inactive' where id = ${victim} returning id`)
  await refused('people', sql`update ua_members set deleted_at = now() where id = ${memberOf('times')} returning id`)
})

test('an account that holds nothing yet cannot be given one that was granted to the member before it', async () => {
  const moved = sql`select ua_link_account(${memberOf('events')}, ${users.service})`
  await refused('people', moved)
  const outcome = await tryAs(
    model().owner,
    actors.admin ?? {},
    moved,
    sql`select id from ua_capabilities where masjid_id = ${masjids.a} and user_id in (${users.events}, ${users.service}) and withdrawn_at is null`,
  )
  assert.equal(outcome, 0)
})

test('a capability does not come back with a membership that had ended', async () => {
  const { owner } = model()
  const status = (value: string) =>
    sql`update ua_members set status = ${value}::ua_member_status where id = ${memberOf('screens')} returning id`
  await writeAs(owner, actors.admin ?? {}, status('inactive'))
  await writeAs(owner, actors.admin ?? {}, status('active'))
  assert.equal(
    await tryAs(owner, actors.screens ?? {}, sql`select where ${masjids.a} = any (writing_masjids('screens'))`),
    0,
  )
})

test('rows of one masjid cannot hang on rows of another', async () => {
  const b = rows.b
  await refused(
    'admin',
    sql`insert into ua_members (masjid_id, given_name, household_id) values (${masjids.a}, 'x', ${b[place.ua_households]}) returning id`,
  )
  await refused(
    'admin',
    sql`update pc_iqamah_schedules set source_id = ${b[place.pc_prayer_sources]} where id = ${rows.a[place.pc_iqamah_schedules]} returning id`,
  )
  await refused(
    'admin',
    sql`insert into ua_donations (masjid_id, campaign_id, amount_minor, currency, method)
        values (${masjids.a}, ${b[place.ua_campaigns]}, 1, 'USD', 'cash') returning id`,
  )
  await refused(
    'events',
    sql`insert into up_event_rsvps (occurrence_id, member_id) values (${b[place.up_event_occurrences]}, ${memberOf('board')}) returning id`,
  )
})

test('the waiting list cannot be passed by an attendance or by a party that grows', async () => {
  const occurrence = rows.a[place.up_event_occurrences]
  const answer = (status: string) =>
    sql`insert into up_event_rsvps (occurrence_id, member_id, status, party_size) values (${occurrence}, ${memberOf('member')}, ${status}::up_rsvp_status, 1) returning id`
  await refused('member', answer('attended'))
  await refused(
    'member',
    answer('going'),
    sql`update up_event_rsvps set party_size = 40 where member_id = ${memberOf('member')} returning id`,
  )
})

test('the writer can neither read nor forge nor change the audit trail', async () => {
  await refused('admin', sql`select id from written_rows`)
  await refused('admin', sql`delete from written_rows`)
  await refused(
    'admin',
    sql`insert into written_rows (table_name, kind, changed_columns, authority, database_user) values ('x', 'insert', '{}', 'database', 'x')`,
  )
  await refused('admin', sql`select record_history('ua_members', ${memberOf('admin')}, null, 100)`)
})

test('functions that run as the owner cannot be called, nor put on a table of one’s own', async () => {
  await refused(
    'admin',
    sql`select count_gifts(array[row(${rows.a[place.ua_campaigns]}, ${uuid(9)}, true, 'x', 1000000, now())::gift_change])`,
  )
  const names = [
    'note_writing',
    'note_inserted',
    'note_insert_into_up_events',
    'note_deletion',
    'end_capabilities',
    'settle_answered',
  ]
  for (const name of names)
    await refused(
      'admin',
      sql`create temporary table up_events (id uuid, masjid_id uuid, user_id uuid, occurrence_id uuid) on commit drop`,
      rawSql(`create trigger mine after insert on pg_temp.up_events for each row execute function ${name}()`),
    )
})

test('a temporary table in the place of ours gives no rights', async () => {
  await refused(
    'member',
    sql`create temporary table ua_members (id uuid, masjid_id uuid, user_id uuid, role public.ua_member_role, status public.ua_member_status, deleted_at timestamptz, household_id uuid) on commit drop`,
    sql`insert into pg_temp.ua_members values (gen_random_uuid(), ${masjids.a}, ${users.member}, 'admin', 'active', null, null)`,
    sql`update public.up_events set title = 'mine' where id = ${rows.a[place.up_events]} returning id`,
  )
  await refused(
    'member',
    sql`create temporary table ua_capabilities (masjid_id uuid, user_id uuid, capability public.ua_capability, withdrawn_at timestamptz) on commit drop`,
    sql`insert into pg_temp.ua_capabilities values (${masjids.a}, ${users.member}, 'capabilities', null)`,
    sql`select public.ua_grant_capability(${masjids.a}, ${users.member}, 'giving')`,
  )
})

test('the last who manages capabilities cannot leave, whoever tries', async () => {
  const { owner } = model()
  const leave = (name: 'admin' | 'capabilities') =>
    sql`update ua_members set status = 'inactive' where id = ${memberOf(name)} returning id`
  assert.equal(await tryAs(owner, actors.admin ?? {}, leave('capabilities')), 1)
  assert.equal(await tryAs(owner, actors.admin ?? {}, leave('capabilities'), leave('admin')), '23514')
  assert.equal(await tryAs(owner, actors['the own app'] ?? {}, leave('capabilities'), leave('admin')), '23514')
})
