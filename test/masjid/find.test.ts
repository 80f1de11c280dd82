// The finder over HTTP, without script: by name, city, place and the time of Jumu'ah.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { insertRule } from '../support/iqamah.ts'
import { insertMasjid } from '../support/masjids.ts'
import { type TestMinaret, useMinaret } from '../support/minaret.ts'
import { untilSettled } from '../support/settled.ts'
import { getPage, linksOf, textOf } from './use-masjid-page.ts'

/** Along a road out of Raleigh; one degree of latitude is 111.2 km. */
const road = {
  sorrel: { name: 'Masjid Jāmiʿ as-Sorrel', city: 'Raleigh', latitude: 35.78, jumuah: '13:00' },
  hawthorn: { name: 'Hawthorn Hill Masjid', city: 'Raleigh', latitude: 35.8, jumuah: '13:45' },
  quillwort: { name: 'Quillwort Court Masjid', city: 'Montréal', latitude: 35.9, jumuah: '14:30' },
  tansy: { name: 'Tansy Street Masjid', city: 'Durham', latitude: 37.5, jumuah: '13:30' },
} as const
type Name = keyof typeof road

const prepare = async ({ service: { database } }: TestMinaret): Promise<void> => {
  for (const [slug, { jumuah, ...given }] of Object.entries(road)) {
    const id = await insertMasjid(database, { ...given, longitude: -78.64 })
    await database.run(sql`update up_masjids set slug = ${slug} where id = ${id}`)
    await insertRule(database, id, { prayer: 'jumuah', rule: 'fixed', fixed_time: jumuah })
    await insertRule(database, id, { prayer: 'asr', rule: 'offset', offset_minutes: 10 })
  }
  await database.run(sql`update up_masjids set name_ar = 'مسجد السرو' where slug = 'quillwort'`)
  await untilSettled(database)
}
const minaret = useMinaret({}, prepare)

/** The masjids found, in their order. */
const found = async (query: Record<string, string>): Promise<Name[]> => {
  const page = await textOf(minaret(), `/find?${new URLSearchParams(query)}`)
  return linksOf(page)
    .map(link => /^\/m\/([a-z]+)(\?|$)/.exec(link)?.[1])
    .filter(slug => slug !== undefined) as Name[]
}

test('a name is found with slips of spelling, without accents, and in Arabic', async () => {
  for (const [words, first] of [
    ['hawthorne hil', 'hawthorn'],
    ['jami as sorrel', 'sorrel'],
    ['مسجد السرو', 'quillwort'],
  ] as const)
    assert.equal((await found({ q: words }))[0], first, words)
})

test('a city is found exactly, and without its accents', async () => {
  assert.deepEqual((await found({ city: 'raleigh' })).sort(), ['hawthorn', 'sorrel'])
  assert.deepEqual(await found({ city: 'Montreal' }), ['quillwort'])
  assert.deepEqual(await found({ q: 'masjid', city: 'Durham' }), ['tansy'])
})

test('a place finds the nearest first, with their distance, within a radius', async () => {
  const here = { lat: '35.78', lon: '-78.64' }
  assert.deepEqual(await found(here), ['sorrel', 'hawthorn', 'quillwort'])
  assert.deepEqual(await found({ ...here, radius: '250' }), ['sorrel', 'hawthorn', 'quillwort', 'tansy'])
  assert.deepEqual(await found({ ...here, q: 'hawthorn' }), ['hawthorn'])
  const page = await textOf(minaret(), `/find?${new URLSearchParams(here)}`)
  assert.match(page.replaceAll(/<[^>]+>/g, ''), /Raleigh, NC, US · 2\.2 km/)
  const far = await textOf(minaret(), '/find?lat=36.8&lon=-78.64')
  assert.ok(linksOf(far).includes('/find?lat=36.8&lon=-78.64&radius=50'), 'a wider search is offered')
})

test('Jumu’ah not before a time, together with a city or a place', async () => {
  assert.deepEqual(await found({ city: 'Raleigh', jumuah: '13:30' }), ['hawthorn'])
  assert.deepEqual(await found({ lat: '35.78', lon: '-78.64', jumuah: '13:30' }), ['hawthorn', 'quillwort'])
  assert.deepEqual(await found({ jumuah: '13:30' }), [])
  assert.match(await textOf(minaret(), '/find?jumuah=13:30'), /give a name or a city as well/)
})

test('each result has its next iqamah and the times of Jumu’ah by its own clock', async () => {
  const page = (await textOf(minaret(), '/find?q=tansy')).replaceAll(/<[^>]+>/g, '')
  assert.match(page, /Next iqamah: (Asr|Jumu’ah) \d+:\d\d [AP]M · Jumu’ah: 1:30 PM/)
})

test('results are kept by caches, but not those that tell where somebody is', async () => {
  const byName = await getPage(minaret(), '/find?q=tansy')
  assert.match(byName.headers.get('cache-control') ?? '', /^public, max-age=([1-9]|[1-5]\d|60)$/)
  assert.equal(byName.headers.get('set-cookie'), null)
  const near = await getPage(minaret(), '/find?lat=35.78&lon=-78.64')
  assert.match(near.headers.get('cache-control') ?? '', /^private, max-age=\d+$/)
})

test('pages through many results, by links', async () => {
  const { database } = minaret().service
  await database.run(sql`
    insert into up_masjids (slug, name, address, city, country, latitude, longitude, timezone)
    select 'many-' || n, 'Yarrow Masjid ' || lpad(n::text, 2, '0'), 'x', 'Yarrowtown', 'US', 10, 10, 'UTC' from generate_series(1, 45) n`)
  const first = await textOf(minaret(), '/find?city=Yarrowtown')
  assert.ok(linksOf(first).includes('/find?city=Yarrowtown&page=2'))
  const third = linksOf(await textOf(minaret(), '/find?city=Yarrowtown&page=3'))
  assert.equal(third.filter(link => link.startsWith('/m/')).length, 5)
  assert.ok(!third.includes('/find?city=Yarrowtown&page=4'))
})

test('what makes no sense finds nothing and breaks nothing', async () => {
  for (const query of [
    'lat=91&lon=0',
    'lat=1e3&lon=NaN',
    'lat=--1&lon=0',
    'q=%25%5F%5C',
    'city=%25',
    'q=%00',
    `q=${'x'.repeat(5000)}`,
    'page=-1&q=tansy',
    'page=999999999&q=tansy',
    'jumuah=99:99&q=tansy',
    'q=a&q=b&city[]=x',
    "q=' or 1=1 --",
  ])
    assert.equal((await getPage(minaret(), `/find?${query}`)).status, 200, query)
  assert.deepEqual(await found({ city: '%' }), [])
  assert.match(await textOf(minaret(), '/find?q=zzzzqqq'), /No masjid was found/)
})
