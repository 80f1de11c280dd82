import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql, type Sql, sql } from '../../src/db/sql.ts'
import { insertRow, useDatabase } from './use-database.ts'

/** Along a road out of Raleigh; one degree of latitude is 111.2 km. */
const road = [
  ['Larkspur Lane Masjid', 'Raleigh', 35.78],
  ['Masjid Jāmiʿ as-Sorrel', 'Raleigh', 35.8],
  ['Hawthorn Hill Masjid', 'Montréal', 35.85],
  ['Quillwort Court Masjid', 'Durham', 36.5],
] as const

const model = useDatabase(async owner => {
  for (const [index, [name, city, latitude]] of road.entries()) {
    const values = {
      slug: `m${index}`,
      name,
      city,
      latitude,
      longitude: -78.64,
      address: 'x',
      country: 'US',
      timezone: 'UTC',
    }
    await insertRow(owner, 'up_masjids', values)
  }
  // far away, and many: with fewer the planner would not use an index
  await owner.run(sql`
    insert into up_masjids (slug, name, city, latitude, longitude, address, country, timezone)
    select 'far-' || number, 'Far ' || md5(number::text), 'Elsewhere', -50 + (number * 7919 % 8000) / 100.0, (number * 104729 % 15000) / 100.0, 'x', 'US', 'UTC'
    from generate_series(1, 3000) number`)
  await owner.run(sql`update up_masjids set name_ar = 'مسجد السرو' where name = 'Quillwort Court Masjid'`)
  await owner.run(sql`analyze up_masjids`)
})

const names = async (statement: Sql) => (await model().owner.query<{ name: string }>(statement)).map(row => row.name)
const planOf = async (statement: Sql) =>
  (await model().owner.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`))
    .map(row => row['QUERY PLAN'])
    .join('\n')

test('nearby masjids come nearest first, within the radius, ten kilometres by default', async () => {
  const all = road.map(([name]) => name)
  assert.deepEqual(await names(sql`select name from up_masjids_nearby(35.78, -78.64)`), all.slice(0, 3))
  assert.deepEqual(await names(sql`select name from up_masjids_nearby(35.78, -78.64, 3)`), all.slice(0, 2))
  assert.deepEqual(await names(sql`select name from up_masjids_nearby(36.5, -78.64, 100)`), all.toReversed())
})

for (const [place, says] of [
  ['91, 0, 20000', /latitude is 91; it may be -90 to 90/],
  ['0, -181, 5', /longitude is -181; it may be -180 to 180/],
  ['35.78, -78.64, -1', /radius_km is -1; it may be 0 or more/],
  ["'nan', 0, 1", /latitude is NaN/],
] as const)
  test(`an invalid place or a negative radius is an error: ${place}`, async () => {
    for (const name of ['up_masjids_nearby', 'pc_prayer_times_nearby', 'pc_next_prayers_nearby'])
      await assert.rejects(model().owner.query(rawSql(`select from ${name}(${place})`)), {
        code: '22023',
        message: says,
      })
  })

test('a radius around the whole earth finds everything, across the date line too', async () => {
  const [row] = await model().owner.query<{ count: string }>(sql`select count(*) from up_masjids_nearby(0, 180, 30000)`)
  assert.equal(Number(row?.count), road.length + 3000)
})

test('deleted masjids are not found nearby', async () => {
  const { owner } = model()
  await owner.run(sql`update up_masjids set deleted_at = now() where slug = 'm0'`)
  const near = await names(sql`select name from up_masjids_nearby(35.78, -78.64, 3)`)
  await owner.run(sql`update up_masjids set deleted_at = null where slug = 'm0'`)
  assert.deepEqual(near, ['Masjid Jāmiʿ as-Sorrel'])
})

/** The textbook formula, as a cross-check. */
const haversine = (from: readonly [number, number], to: readonly [number, number]): number => {
  const [fromLatitude, fromLongitude, toLatitude, toLongitude] = [...from, ...to].map(
    degrees => (degrees * Math.PI) / 180,
  )
  const half = (a = 0, b = 0) => Math.sin((b - a) / 2) ** 2
  const along = Math.cos(fromLatitude ?? 0) * Math.cos(toLatitude ?? 0) * half(fromLongitude, toLongitude)
  return 2 * 6371.0088 * Math.asin(Math.sqrt(half(fromLatitude, toLatitude) + along))
}

test('the distance is the great-circle distance', async () => {
  const [row] = await model().owner.query<{ distance: number }>(sql`
    select up_masjids_distance_km(masjid, 40.7128, -74.006) as distance from up_masjids masjid where slug = 'm0'`)
  assert.ok(
    Math.abs((row?.distance ?? 0) - haversine([35.78, -78.64], [40.7128, -74.006])) < 0.001,
    String(row?.distance),
  )
})

test('nearby uses the place index to find and to order', async () => {
  const plan = await planOf(sql`select id from up_masjids_nearby(35.78, -78.64, 10) limit 5`)
  assert.match(plan, /Index Scan.*up_masjids_earth_point_idx/)
  assert.doesNotMatch(plan, /Seq Scan/)
})

for (const [searched, found] of [
  ['larkspur', 'Larkspur Lane Masjid'],
  ['LARKSPUR LANE', 'Larkspur Lane Masjid'],
  ['larkspurr lan', 'Larkspur Lane Masjid'],
  ['jami sorrel', 'Masjid Jāmiʿ as-Sorrel'],
  ['montreal', 'Hawthorn Hill Masjid'],
  ['montréal hawthron', 'Hawthorn Hill Masjid'],
  ['quilwort', 'Quillwort Court Masjid'],
  ['مسجد السرو', 'Quillwort Court Masjid'],
  ['السرؤ', 'Quillwort Court Masjid'],
] as const) {
  test(`searching for "${searched}" finds ${found} first`, async () => {
    const [first] = await names(sql`select name from up_masjids_search(${searched})`)
    assert.equal(first, found)
  })
}

test('searching for an unknown name finds nothing', async () => {
  assert.deepEqual(await names(sql`select name from up_masjids_search('zzzyx')`), [])
  assert.deepEqual(await names(sql`select name from up_masjids_search('')`), [])
})

test('searching and _ilike use trigram indexes', async () => {
  const search = sql`select id from up_masjids where search_document operator(extensions.%>) 'larkspur'`
  assert.match(await planOf(search), /up_masjids_search_document_idx/)
  assert.match(await planOf(sql`select id from up_masjids where name ilike '%larkspur%'`), /up_masjids_name_idx1?/)
})
