// Prayer times and searches are answered from memory, and follow every table they are made of at once.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { masjidId } from '../graphql/fixture.ts'
import { within } from '../support/oauth.ts'
import { useKept } from './use-kept.ts'

const { api, factsOf, isHit, staysThrough, untilKept, run } = useKept()
const textOf = async (query: string): Promise<string> => (await api().post({ query })).text()
const id = (number: number): string => `37000000-0000-4000-8000-${String(number).padStart(12, '0')}`

describe('pc_prayer_times of a masjid', () => {
  let query: string
  let day: string

  /** The job calculates the times of a new masjid, and nothing else is to do for it then. */
  before(async () => {
    const { database } = api().minaret.service
    await within(60_000, 'the times are calculated', async () => {
      const row = await database.first<{ day: string }>(sql`
        select date::text as day from pc_calculated_times times
        where masjid_id = ${masjidId(1)} and extract(isodow from date) = 4 and date > now() + interval '20 days'
          and not exists (select from calculation_states where filled_revision is distinct from revision)
        order by date limit 1`)
      day = row?.day ?? ''
      return row !== undefined
    })
    query = `{ pc_prayer_times(where: {masjid_id: {_eq: "${masjidId(1)}"}, date: {_eq: "${day}"}}) {
      prayer session adhan_at iqamah_local iqamah_at label source confidence timezone timetable_id } }`
    await run(`insert into pc_prayer_sources (id, masjid_id, kind, label, priority)
      values ('${id(1)}', '${masjidId(1)}', 'manual', 'A source', 99)`)
    await run(`insert into pc_timetables (id, masjid_id, name, first_date, last_date, entry_count)
      values ('${id(3)}', '${masjidId(1)}', 'Days', '${day}', '${day}', 1)`)
    await run(`insert into pc_iqamah_schedules (id, masjid_id, source_id, prayer, rule, offset_minutes, layer) values
      ('${id(2)}', '${masjidId(1)}', '${id(1)}', 'asr', 'offset', 10, null),
      ('${id(4)}', '${masjidId(1)}', null, 'fajr', 'offset', 10, nextval('timetable_layers'))`)
  })

  /** Each in the order they build on each other: table, what is written, what shows it. */
  const writes: readonly (readonly [string, () => string])[] = [
    [
      'pc_calculated_times',
      () =>
        `update pc_calculated_times set dhuhr = dhuhr + interval '1 s' where masjid_id = '${masjidId(1)}' and date = '${day}'`,
    ],
    [
      'pc_iqamah_schedules',
      () => `update pc_iqamah_schedules set offset_minutes = offset_minutes + 1 where id = '${id(2)}'`,
    ],
    ['pc_prayer_sources', () => `update pc_prayer_sources set confidence = 0.123 where id = '${id(1)}'`],
    [
      'pc_timetable_days',
      () => `insert into pc_timetable_days (masjid_id, timetable_id, date, prayer, adhan, iqamah, in_force)
        values ('${masjidId(1)}', '${id(3)}', '${day}', 'fajr', '06:07', '06:18', true)`,
    ],
    ['pc_timetables', () => `update pc_timetables set layer = nextval('timetable_layers') where id = '${id(3)}'`],
    ['weekly_iqamah', () => `update pc_iqamah_schedules set changes_on = 1 where id = '${id(2)}'`],
    [
      'the days that weekly_iqamah reads',
      () =>
        `update pc_calculated_times set asr = asr - interval '9 s' where masjid_id = '${masjidId(1)}' and date = date '${day}' - 3`,
    ],
    [
      'the offsets of its time zone',
      () =>
        `update zone_offsets known set clock.seconds = array(select one + 3600 from unnest((known.clock).seconds) one)
         from up_masjids masjid where masjid.id = '${masjidId(1)}' and zone = masjid.timezone`,
    ],
    ['up_masjids', () => `update up_masjids set timezone = 'Asia/Tokyo' where id = '${masjidId(1)}'`],
  ]
  for (const [what, statement] of writes)
    test(`follows ${what}`, async () => {
      await untilKept(query)
      const before = await textOf(query)
      await run(statement())
      const after = await textOf(query)
      assert.notEqual(after, before)
    })

  test('stays when another masjid’s times change', async () => {
    const other = `{ pc_prayer_times(where: {masjid_id: {_eq: "${masjidId(2)}"}, date: {_eq: "${day}"}}) { prayer adhan_at } }`
    await staysThrough(
      other,
      `update pc_calculated_times set dhuhr = dhuhr + interval '1 s' where masjid_id = '${masjidId(3)}' and date = '${day}'`,
    )
    await run(
      `update pc_calculated_times set dhuhr = dhuhr + interval '1 s' where masjid_id = '${masjidId(2)}' and date = '${day}'`,
    )
    assert.equal(await isHit(other), false)
  })
})

describe('of functions', () => {
  for (const [what, field] of Object.entries({
    'masjids nearby':
      'up_masjids_nearby(args: {latitude: 40, longitude: -74, radius_km: 20000}, limit: 100) { name distance_km(args: {latitude: 40, longitude: -74}) }',
    'masjids searched for': 'up_masjids_search(args: {search: "masjid"}) { name }',
  }))
    test(`${what} are kept, and follow up_masjids`, async () => {
      const query = `{ ${field} }`
      await untilKept(query)
      await run(`update up_masjids set name = 'Masjid ${what}' where id = '${masjidId(1)}'`)
      assert.match(await textOf(query), new RegExp(`Masjid ${what}`))
    })

  for (const field of ['pc_prayer_times_nearby', 'pc_next_prayers_nearby'])
    test(`${field} follows the clock, and is never kept`, async () => {
      const query = `{ ${field}(args: {latitude: 40, longitude: -74, radius_km: 100}, limit: 5) { prayer } }`
      for (let count = 0; count < 3; count += 1) await textOf(query)
      const { hit, kept } = await factsOf(query)
      assert.deepEqual({ hit, kept }, { hit: false, kept: false })
    })
})
