// What people type → what they find first, over HTTP: in any script, by name, city and country, near a place or not.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { GraphqlClient } from '../support/graphql.ts'
import { useMinaret } from '../support/minaret.ts'
import { askFor, directory, insertDirectory, type Nearby, openReading, slugsFor } from './searched-directory.ts'
import { suggestionsFor } from './suggestions-for.ts'

let client: GraphqlClient
const minaret = useMinaret({}, async started => {
  await insertDirectory(started)
  client = await openReading(started)
})
after(() => client?.close())

const slugs = (search: string, place: Nearby = {}): Promise<string[]> => slugsFor(client, search, place)

describe('finds first', () => {
  for (const [typed, expected] of [
    ['noor', ['noor-houston']],
    ['an-noor', ['noor-houston']],
    ['النور', ['noor-houston']],
    ['مسجد النور', ['noor-houston']],
    ['fatih istanbul', ['istanbul-one']],
    ['Fatih Camii Ankara', ['fatih-ankara']],
    ['suleymaniye', ['istanbul-two']],
    ['SÜLEYMANİYE', ['istanbul-two']],
    ['sulaymaniya', ['istanbul-two']],
    ['ISIKLAR', ['isiklar']],
    ['ışıklar ılıca', ['isiklar']],
    ['diyarbakir', ['isiklar']],
    ['new york', ['york', 'brooklyn']],
    ['new yrok', ['york', 'brooklyn']],
    ['york', ['york-england', 'york']],
    ['taqwa new york', ['brooklyn']],
    ['masjid in pakistan', ['faisal', 'lahore']],
    ['باكستان', ['faisal', 'lahore']],
    ['پاکستان', ['faisal', 'lahore']],
    ['مدینہ', ['lahore']],
    ['مدينة', ['lahore']],
    ['кул шариф', ['kazan']],
    ['kazan', ['kazan']],
    ['мечеть казань', ['kazan']],
    ['মোকাররম', ['dhaka']],
    ['mukarram', ['dhaka']],
    ['madina mosque', ['madina-leeds']],
    ['faysal', ['faisal']],
    ['fiasal', ['faisal']],
    ['sulemaniye', ['istanbul-two']],
    ['houstn', ['noor-houston']],
  ] as const)
    test(`"${typed}": ${expected.join(', ')}`, async () => {
      const found = await slugs(typed)
      assert.deepEqual(found.slice(0, expected.length), expected, found.join())
    })
})

test('a country and a name find those of that name there', async () => {
  assert.deepEqual((await slugs('Türkiye fatih')).sort(), ['fatih-ankara', 'istanbul-one'])
  assert.ok((await slugs('masjid')).includes('plain'))
})

test('other spellings of a name are found after its own', async () => {
  const found = await slugs('noor')
  assert.deepEqual(found.slice(0, 2).sort(), ['noor-houston', 'noor-islam'])
  assert.deepEqual(found.slice(2).sort(), ['nour-paris', 'nur-berlin'])
})

test('words such as mosque count only when they are alone', async () => {
  for (const alone of ['mosque', 'cami', 'Mosquée', 'мечеть', 'মসজিদ', 'islamic center', 'جامع'])
    assert.notDeepEqual(await slugs(alone), [], alone)
  for (const [beside, first] of [
    ['mosque kazan', 'kazan'],
    ['جامع فيصل', 'faisal'],
    ['islamic center taqwa', 'brooklyn'],
  ] as const)
    assert.equal((await slugs(beside))[0], first, beside)
})

test('of those that fit alike, the nearest come first', async () => {
  assert.deepEqual((await slugs('fatih', { latitude: 39.9, longitude: 32.8 })).slice(0, 2), [
    'fatih-ankara',
    'istanbul-one',
  ])
  assert.deepEqual((await slugs('fatih', { latitude: 41, longitude: 29 })).slice(0, 2), [
    'istanbul-one',
    'fatih-ankara',
  ])
  assert.equal(
    (await slugs('noor', { latitude: 52.5, longitude: 13.4 }))[0],
    'nur-berlin',
    'another spelling, around the corner',
  )
  assert.equal((await slugs('mosque', { latitude: 33.7, longitude: 73 }))[0], 'faisal')
})

test('nothing is found by what says nothing, and every text is understood', async () => {
  for (const typed of ['', ' ', '%', '___', '\\', '🕌', '!?.,', '---', '‏', "'' or 1=1"]) {
    const found = await slugs(typed)
    assert.ok(found.length === 0 || typed.includes('or'), `${typed}: ${found.join()}`)
  }
  assert.deepEqual(await slugs('zzzyx'), [])
})

test('a masjid that is renamed, moved, deleted or restored is found by what it is now', async () => {
  const { database } = minaret().service
  await database.run(sql`update up_masjids set name = 'Masjid Tamarisk', city = 'Ndola' where slug = 'plain'`)
  assert.deepEqual(await slugs('tamarisk'), ['plain'])
  assert.deepEqual(await slugs('ndola'), ['plain'])
  assert.deepEqual(await slugs('lusaka'), [])
  await database.run(sql`update up_masjids set deleted_at = now() where slug = 'plain'`)
  assert.deepEqual(await slugs('tamarisk'), [])
  await database.run(
    sql`update up_masjids set deleted_at = null, name = 'Masjid', city = 'Lusaka' where slug = 'plain'`,
  )
  assert.deepEqual(await slugs('lusaka'), ['plain'])
})

describe('a place', () => {
  for (const [place, says] of [
    [{ latitude: 10 }, /longitude is missing/],
    [{ longitude: 10 }, /latitude is missing/],
    [{ latitude: 91, longitude: 0 }, /latitude is 91; it may be -90 to 90/],
    [{ latitude: 0, longitude: -180.5 }, /longitude is -180.5; it may be -180 to 180/],
  ] as const)
    test(`that is none is an error that names the argument: ${JSON.stringify(place)}`, async () => {
      const { errors } = await askFor(client, 'nur', place)
      assert.match(errors?.[0]?.message ?? '', says)
    })

  test('is a number', async () => {
    for (const wrong of ['NaN', 'Infinity', '-Infinity'])
      await assert.rejects(
        minaret().service.database.query(sql`select from up_masjids_search('nur', ${wrong}::float8, 0)`),
        { code: '22023' },
      )
  })

  test('may be left out', async () => {
    const { errors, data } = await askFor(client, 'nur')
    assert.equal(errors, undefined)
    assert.equal(data.found.length, 4)
  })
})

describe('suggestions', () => {
  test('are cities that begin so, then masjids with their city', async () => {
    assert.deepEqual(await suggestionsFor(minaret(), 'istan'), [
      'İstanbul',
      'Fatih Camii, İstanbul',
      'Süleymaniye Camii, İstanbul',
    ])
    assert.equal((await suggestionsFor(minaret(), 'faisal', { lang: 'ar' }))[0], 'مسجد فيصل، Islamabad')
  })

  test('find what they say', async () => {
    for (const typed of ['fat', 'sule', 'tax', 'kaz', 'mokar', 'النو']) {
      for (const suggestion of await suggestionsFor(minaret(), typed)) {
        const [first] = await slugs(suggestion)
        const said = directory.find(([slug]) => slug === first)
        assert.ok(said !== undefined && suggestion.includes(said[3]), `${typed} → ${suggestion} → ${first}`)
      }
    }
  })

  test('need three letters', async () => {
    for (const typed of ['', 'no', '%%%%', '🕌🕌🕌'])
      assert.deepEqual(await suggestionsFor(minaret(), typed), [], typed)
  })
})
