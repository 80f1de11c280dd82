// Conditions and orders by instants, for which only the days around them are read: the same rows as without.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { rawSql, sql } from '../../src/db/sql.ts'
import { runOperations } from '../../src/graphql/entrance/entrance.ts'
import { insertRule } from '../support/iqamah.ts'
import { insertMasjid } from '../support/masjids.ts'
import { fillDays } from '../support/prayer-times.ts'
import { dataOf, everything, useEngine } from './use-engine.ts'

const masjids: Record<string, string> = {}
const running = useEngine(async database => {
  const places = {
    raleigh: {},
    auckland: { latitude: -36.85, longitude: 174.76, timezone: 'Pacific/Auckland' },
    kiritimati: { latitude: 1.87, longitude: -157.4, timezone: 'Pacific/Kiritimati' },
    samoa: { latitude: -14.28, longitude: -170.7, timezone: 'Pacific/Pago_Pago' },
    tromso: { latitude: 69.65, longitude: 18.96, timezone: 'Europe/Oslo' },
    pole: { latitude: 89, longitude: 0, timezone: 'Arctic/Longyearbyen' },
  }
  for (const [name, place] of Object.entries(places)) {
    const id = await insertMasjid(database, place)
    masjids[name] = id
    await insertRule(database, id, { prayer: 'isha', rule: 'fixed', fixed_time: '11:59' })
    await insertRule(database, id, { prayer: 'fajr', rule: 'offset', offset_minutes: 240 })
    await insertRule(database, id, { prayer: 'jumuah', session: 2, rule: 'fixed', fixed_time: '00:01' })
  }
  await fillDays(database, { from: '2026-03-01', days: 120 })
  await database.run(sql`
    with timetable as (
      insert into pc_timetables (masjid_id, name, first_date, last_date, entry_count)
      values (${masjids.raleigh}, 'Late', '2026-03-05', '2026-04-05', 1) returning id)
    insert into pc_timetable_days (masjid_id, timetable_id, date, prayer, adhan, in_force)
    select ${masjids.raleigh}, id, day, 'isha', '11:58', true
    from timetable, generate_series('2026-03-05'::date, '2026-04-05', '5 days') day`)
})

const statements: string[] = []

// biome-ignore lint/suspicious/noExplicitAny: a response has the shape of its query
const ask = async (query: string): Promise<any> => {
  const { engine } = running()
  const read: typeof engine.reader.read = (statement, signal) => {
    statements.push(statement.text)
    return engine.reader.read(statement, signal)
  }
  const watched = { ...engine, reader: { ...engine.reader, read } }
  const outcomes = await runOperations(watched, [{ query, variables: {}, operationName: undefined }], {
    grant: everything,
  })
  return JSON.parse(dataOf(outcomes))
}

const directly = (condition: string, order: string, limit: number) =>
  running().database.query<{ key: string }>(
    rawSql(`select masjid_id || ' ' || date || ' ' || prayer || ' ' || session as key from pc_prayer_times
      where ${condition} order by ${order}, masjid_id, date, prayer, session limit ${limit}`),
  )

interface Row {
  readonly masjid_id: string
  readonly date: string
  readonly prayer: string
  readonly session: number
}
const keyOf = ({ masjid_id, date, prayer, session }: Row): string => `${masjid_id} ${date} ${prayer} ${session}`
const tail = 'masjid_id: asc}, {date: asc}, {prayer: asc}, {session: asc'

before(async () => {
  const row = await running().database.first<{ far: number }>(sql`
    select count(*)::int as far from pc_prayer_times cross join lateral (values (adhan_at), (iqamah_at)) moment (at)
    where at at time zone 'UTC' < date - interval '1 day' or at at time zone 'UTC' >= date + interval '3 days'`)
  assert.equal(row?.far, 0, 'what the annotation says')
})

for (const column of ['adhan_at', 'iqamah_at'])
  test(`the first rows by ${column} of a masjid`, async () => {
    for (const masjid of Object.values(masjids))
      for (const limit of [1, 3, 20, 100])
        for (const from of [
          '2026-03-01T00:00:00Z',
          '2026-03-29T11:00:00Z',
          '2026-06-20T00:00:00Z',
          '2026-07-10T00:00:00Z',
        ]) {
          const { pc_prayer_times: found } = await ask(`{ pc_prayer_times(
            where: {masjid_id: {_eq: "${masjid}"}, ${column}: {_gte: "${from}"}}, order_by: [{${column}: asc}, {${tail}}], limit: ${limit}) {
            masjid_id date prayer session } }`)
          const expected = await directly(`masjid_id = '${masjid}' and ${column} >= '${from}'`, column, limit)
          assert.deepEqual(
            found.map(keyOf),
            expected.map(({ key }) => key),
            `${masjid} ${limit} ${from}`,
          )
        }
    assert.match(statements.at(-1) ?? '', /"dates"/, 'by the dates')
  })

test('without a condition, where the sun gives no time: rows without it come last', async () => {
  for (const masjid of Object.values(masjids)) {
    const { up_masjids_by_pk: one } = await ask(`{ up_masjids_by_pk(id: "${masjid}") {
      prayer_times(order_by: [{adhan_at: asc}, {${tail}}], limit: 100) { masjid_id date prayer session } } }`)
    const expected = await directly(`masjid_id = '${masjid}'`, 'adhan_at', 100)
    assert.deepEqual(
      one.prayer_times.map(keyOf),
      expected.map(({ key }) => key),
    )
  }
})

test('all masjids within an hour, and up to a moment', async () => {
  for (const [condition, where] of [
    [
      `adhan_at > '2026-04-01T03:00Z' and adhan_at < '2026-04-01T14:00Z'`,
      'adhan_at: {_gt: "2026-04-01T03:00:00Z", _lt: "2026-04-01T14:00:00Z"}',
    ],
    [`iqamah_at <= '2026-03-03T04:00Z'`, 'iqamah_at: {_lte: "2026-03-03T04:00:00Z"}'],
    [`adhan_at = '2026-04-01T03:00Z'`, 'adhan_at: {_eq: "2026-04-01T03:00:00Z"}'],
    [`not adhan_at > '2026-03-03T04:00Z'`, '_not: {adhan_at: {_gt: "2026-03-03T04:00:00Z"}}'],
    [
      `adhan_at > '2026-06-27T04:00Z' or prayer = 'eid_fitr'`,
      '_or: [{adhan_at: {_gt: "2026-06-27T04:00:00Z"}}, {prayer: {_eq: eid_fitr}}]',
    ],
  ] as const) {
    const { pc_prayer_times: found } =
      await ask(`{ pc_prayer_times(where: {${where}}, order_by: [{iqamah_at: desc}, {${tail}}], limit: 100) {
      masjid_id date prayer session } }`)
    const expected = await directly(condition, 'iqamah_at desc nulls first', 100)
    assert.deepEqual(
      found.map(keyOf),
      expected.map(({ key }) => key),
      where,
    )
  }
})
