import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highestFixtureId, lowestFixtureId } from './fixture-id.ts'
import { type Fixtures, generateFixtures } from './generate-fixtures.ts'
import { generateRsvps } from './rsvps.ts'

const today = '2026-03-08'
const fixtures = generateFixtures({ seed: 7, today })
const rowsOf = (name: string, from: Fixtures = fixtures) => from.tables.find(table => table.name === name)?.rows ?? []
const countBy = (name: string, column: string) =>
  Object.fromEntries([...Map.groupBy(rowsOf(name), row => row[column])].map(([key, rows]) => [key, rows.length]))

test('the same seed and day give the same data, another seed gives other data', () => {
  assert.deepEqual(generateFixtures({ seed: 7, today }), fixtures)
  const other = generateFixtures({ seed: 8, today })
  for (const { name, rows } of fixtures.tables) assert.notDeepEqual(rowsOf(name, other), rows, name)
})

test('another day moves dates and nothing else', () => {
  const later = generateFixtures({ seed: 7, today: '2026-03-22' })
  const dates = /^(starts_local|exdates|rrule|valid|.*_at|.*_on)$/
  const timeless = (from: Fixtures) =>
    from.tables.map(({ name, rows }) => ({
      name,
      rows: rows.map(row => Object.fromEntries(Object.entries(row).filter(([column]) => !dates.test(column)))),
    }))
  assert.deepEqual(timeless(later), timeless(fixtures))
  assert.notDeepEqual(rowsOf('ua_donations', later), rowsOf('ua_donations'))
})

test('counts are those of the domain model', () => {
  assert.deepEqual(countBy('up_masjids', 'country'), { US: 80, CA: 20, GB: 20 })
  assert.equal(rowsOf('up_events').length, 600)
  assert.equal(rowsOf('ua_members').length, 2000)
  assert.equal(rowsOf('ua_donations').length, 5000)
  assert.deepEqual(Object.keys(countBy('ua_donations', 'currency')).sort(), ['CAD', 'GBP', 'USD'])
  assert.deepEqual(Object.keys(countBy('pc_iqamah_schedules', 'rule')).sort(), ['fixed', 'offset', 'rounded_offset'])
})

test('awkward zones are among the masjids', () => {
  const cities = new Set(rowsOf('up_masjids').map(row => row.city))
  for (const city of ['Phoenix', 'Honolulu', 'Anchorage', 'Regina', 'St. John’s', 'Lerwick', 'Inuvik']) {
    assert.ok(cities.has(city), city)
  }
})

test('people are invented: sample names, mail at example.org, numbers kept free', () => {
  for (const row of rowsOf('ua_members')) {
    assert.match(`${row.given_name} ${row.family_name}`, /^Sample Member \d{3,4}$/)
    assert.match(String(row.email), /@example\.org$/)
    if (row.phone !== null) assert.match(String(row.phone), /555-01\d\d$/)
  }
  for (const row of rowsOf('up_masjids')) assert.doesNotMatch(String(row.name), /Islamic Cent/i)
})

test('every id is unique and recognisable as a fixture', () => {
  const ids = fixtures.tables.flatMap(({ rows }) => rows.map(row => row.id))
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.ok(id >= lowestFixtureId && id <= highestFixtureId, id)
})

test('every row of a table has the same columns', () => {
  for (const { name, rows } of fixtures.tables) {
    const shapes = new Set(rows.map(row => Object.keys(row).sort().join()))
    assert.equal(shapes.size, 1, name)
  }
})

test('answers keep within the places of an occurrence', () => {
  const members = rowsOf('ua_members') as unknown as { id: string; masjid_id: string }[]
  const occurrences = rowsOf('up_events').map(event => ({
    id: `occurrence of ${event.id}`,
    event_id: event.id,
    masjid_id: String(event.masjid_id),
    starts_local: String(event.starts_local),
    starts_at: `${event.starts_local}Z`,
    capacity: 6,
  }))
  const scene = { seed: 7, now: `${today}T00:00:00Z`, occurrences, members }
  const rows = generateRsvps(scene)
  assert.deepEqual(generateRsvps(scene), rows)
  assert.ok(rows.some(row => row.status === 'waitlisted'))
  for (const [id, answers] of Map.groupBy(rows, row => row.occurrence_id)) {
    const coming = answers.filter(row => row.status === 'going' || row.status === 'attended')
    assert.ok(coming.reduce((sum, row) => sum + Number(row.party_size), 0) <= 6, String(id))
  }
})
