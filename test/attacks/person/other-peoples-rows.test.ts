// Somebody with a capability at one masjid, or its app, reaches for people: other masjids' members, and members' accounts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../../src/db/sql.ts'
import { useDatabase } from '../../data-model/use-database.ts'
import { tryAs } from '../../data-model/writing.ts'
import { actors, fillWritingActors, masjids, memberOf, place, rows, users } from '../../data-model/writing-actors.ts'

const model = useDatabase(fillWritingActors)

const tryIt = (who: string, ...statements: readonly Sql[]): Promise<number | string> =>
  tryAs(model().owner, actors[who] ?? {}, ...statements)

test('staff and a masjid’s app cannot answer an invitation in the name of another masjid’s member', async () => {
  const theirs = rows.b[place.ua_members]
  const occurrence = rows.a[place.up_event_occurrences]
  const answer = sql`insert into up_event_rsvps (occurrence_id, member_id) values (${occurrence}, ${theirs})`
  const turned = sql`update up_event_rsvps set member_id = ${theirs} where id = ${rows.a[place.up_event_rsvps]}`
  for (const who of ['events', 'board', 'admin', 'the own app'])
    for (const statement of [answer, turned]) assert.equal(await tryIt(who, statement), 'MN003', who)
})

test('people answer for themselves at another masjid, and staff for their own members', async () => {
  const mine = memberOf('member')
  const elsewhere = rows.b[place.up_event_occurrences]
  const here = rows.a[place.up_event_occurrences]
  const answer = (occurrence: string | undefined) =>
    sql`insert into up_event_rsvps (occurrence_id, member_id) values (${occurrence}, ${mine}) returning id`
  assert.equal(await tryIt('member', answer(elsewhere)), 1)
  assert.equal(await tryIt('events', answer(here)), 1)
})

test('whoever looks after people cannot take a member’s account away to read their gifts and decide about their consent', async () => {
  const link = (account: string | null) => sql`select id from ua_link_account(${memberOf('member')}, ${account})`
  assert.equal(await tryIt('people', link(users.service)), 'MN003')
  assert.equal(await tryIt('people', link(null)), 'MN003')
  assert.equal(await tryIt('admin', link(users.service)), 1)
})

test('texts that would make every list too long to be sent are refused', async () => {
  const long = 'x'.repeat(20_001)
  const event = rows.a[place.up_events]
  for (const statement of [
    sql`update up_events set description = ${long} where id = ${event}`,
    sql`update up_events set location = ${long} where id = ${event}`,
    sql`update up_masjids set address = ${long} where id = ${masjids.a}`,
    sql`update ua_campaigns set description = ${long} where id = ${rows.a[place.ua_campaigns]}`,
    sql`update up_events set rrule = 'FREQ=DAILY', exdates = array_fill(timestamp '2026-01-01', array[1001]) where id = ${event}`,
  ])
    assert.equal(await tryIt('the own app', statement), '23514')
})
