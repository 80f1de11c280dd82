// A masjid fills the job with rules that match no day, and changes them all the time: others still get their dates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { nextDueEvents } from '../../../src/events/due-events.ts'
import { eventGoal, materialiseEvents } from '../../../src/events/materialise-events.ts'
import { runSchema } from '../../../src/prayer/job/run-job.ts'
import { insertEvent } from '../../support/events.ts'
import { insertMasjid } from '../../support/masjids.ts'
import { useDatabase } from '../../support/open-database.ts'

const database = useDatabase()
const now = new Date('2026-03-01T12:00:00Z')
const NEVER = 'FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=20'

const stuckMasjid = async (rules: number): Promise<string> => {
  const masjid = await insertMasjid(database())
  for (let index = 0; index < rules; index++) await insertEvent(database(), masjid, { rrule: NEVER })
  return masjid
}
const change = (masjid: string): Promise<unknown> =>
  database().run(
    sql`update up_events set starts_local = starts_local + interval '1 second' where masjid_id = ${masjid}`,
  )

const datesOf = async (event: string): Promise<number> =>
  (await database().query(sql`select from up_event_occurrences where event_id = ${event} and deleted_at is null`))
    .length

const stateOf = (event: string) =>
  database().first<{ filled: boolean; until: string; refused: boolean; shown: boolean }>(sql`
    select filled_revision = revision as filled, filled_until::text as until, refused_recurrence is not null as refused,
      up_events_has_rule_without_dates(event) as shown
    from occurrence_states join up_events event on event.id = event_id where event_id = ${event}`)

test('masjids take turns, however many events of one of them have just been changed', async () => {
  const stuck = await stuckMasjid(40)
  const others = [await insertMasjid(database()), await insertMasjid(database())]
  const events: string[] = []
  for (const masjid of others)
    for (let index = 0; index < 2; index++) events.push(await insertEvent(database(), masjid, { rrule: 'FREQ=WEEKLY' }))
  await change(stuck)
  const due = await nextDueEvents(database(), eventGoal('public', now), { skip: [], limit: 500, turns: new Map() })
  const places = events.map(event => due.findIndex(({ id }) => id === event))
  assert.ok(
    places.every(place => place >= 0 && place < 6),
    `after two turns of three masjids: ${places}`,
  )
  // Each batch takes at least the first of them, however busy the machine is.
  const turns = new Map<string, number>()
  const withoutDates = async () => (await Promise.all(events.map(datesOf))).filter(count => count <= 50).length
  for (let batch = 0; batch < 12 && (await withoutDates()) > 0; batch++)
    await materialiseEvents({ database: database(), schema: 'public', now, forMs: 0, turns })
  assert.equal(await withoutDates(), 0)
})

test('a masjid whose rules take all the time of a batch does not come first in the next one', async () => {
  const stuck = await stuckMasjid(3)
  const other = await insertMasjid(database())
  const event = await insertEvent(database(), other, { rrule: 'FREQ=WEEKLY' })
  await change(stuck)
  const first = async (turns: ReadonlyMap<string, number>) =>
    (await nextDueEvents(database(), eventGoal('public', now), { skip: [], limit: 500, turns }))[0]
  assert.equal((await first(new Map()))?.masjid_id, stuck, 'the newest change')
  assert.equal((await first(new Map([[stuck, 1]])))?.id, event)
})

test('a masjid that changes its rules while they are followed keeps nobody from their turn in the same run', async () => {
  const stuck = await stuckMasjid(3)
  const other = await insertMasjid(database())
  const event = await insertEvent(database(), other, { rrule: 'FREQ=WEEKLY' })
  await change(stuck)
  // As if it changed all the time: what is followed cannot be stored.
  await database().transaction(async transaction => {
    await transaction.run(sql`
      select from occurrence_states where event_id in (select id from up_events where masjid_id = ${stuck}) for update`)
    await runSchema({ database: database(), now, slice: { forMs: 0, expandingMs: 0 } }, 'public')
  })
  assert.ok((await datesOf(event)) > 50)
})

test('a rule that matches no day is stored without dates, shown, and tried again only when it changes', async () => {
  const masjid = await insertMasjid(database())
  const event = await insertEvent(database(), masjid, { rrule: NEVER })
  const faults: string[] = []
  const materialise = (at = now) =>
    materialiseEvents({ database: database(), schema: 'public', now: at, onFault: what => faults.push(what) })
  const tried = (): number => faults.filter(what => what.includes(event)).length
  await materialise()
  assert.deepEqual(await stateOf(event), { filled: true, until: 'infinity', refused: true, shown: true })
  await materialise(new Date('2026-03-09T12:00:00Z'))
  await database().run(sql`update up_events set capacity = 20, title = 'Another' where id = ${event}`)
  await materialise()
  assert.equal(tried(), 1)
  assert.equal((await stateOf(event))?.refused, true)
  await database().run(sql`update up_events set rrule = 'FREQ=WEEKLY' where id = ${event}`)
  await materialise()
  assert.deepEqual(await stateOf(event), { filled: true, until: '2027-03-02', refused: false, shown: false })
  assert.ok((await datesOf(event)) > 50)
})

test('a day that none of the months has is refused, and stored rows can still be edited', async () => {
  const masjid = await insertMasjid(database())
  const write = (rrule: string, starts_local = '2026-03-06 19:30') =>
    insertEvent(database(), masjid, { rrule, starts_local })
  for (const rule of [
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=-30',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4,6,9,11',
    'FREQ=YEARLY;BYMONTH=13;BYMONTHDAY=1',
    'FREQ=MONTHLY;BYMONTHDAY=32',
    'BYMONTH=1;FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2',
  ])
    await assert.rejects(write(rule), /None of the months/, rule)
  await assert.rejects(write('FREQ=YEARLY;BYMONTH=2', '2026-03-30 19:30'), /None of the months/)
  for (const rule of [
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=MONTHLY;BYMONTHDAY=31',
    'FREQ=MONTHLY;BYMONTH=2,3;BYMONTHDAY=30,31',
    'FREQ=YEARLY;BYMONTH=2;BYDAY=1FR',
    'FREQ=MONTHLY;BYMONTHDAY=-31',
  ])
    assert.ok(await write(rule), rule)
  await write('FREQ=YEARLY;BYMONTH=2;BYDAY=1FR', '2026-03-30 19:30')
  const stored = await write('FREQ=DAILY')
  await database().transaction(async transaction => {
    await transaction.run(sql`alter table up_events disable trigger refuse_changed_rule_without_days`)
    await transaction.run(sql`update up_events set rrule = 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' where id = ${stored}`)
    await transaction.run(sql`alter table up_events enable trigger refuse_changed_rule_without_days`)
  })
  await database().run(sql`update up_events set title = 'New', rrule = rrule where id = ${stored}`)
  await assert.rejects(
    database().run(sql`update up_events set rrule = 'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31' where id = ${stored}`),
    /None of the months/,
  )
})
