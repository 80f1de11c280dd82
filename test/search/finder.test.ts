// What people notice of the order in which masjids are found, on the finder's page and in the API alike; and what both say without a database.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { getPage, linksOf, textOf } from '../masjid/use-masjid-page.ts'
import { asAdmin } from '../support/database.ts'
import type { GraphqlClient } from '../support/graphql.ts'
import { useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { askFor, insertDirectory, openReading, slugsFor } from './searched-directory.ts'

let client: GraphqlClient
const minaret = useMinaret({}, async started => {
  await insertDirectory(started)
  client = await openReading(started)
})
after(() => client?.close())

/** The masjids of the page, in its order. */
const shown = async (query: Record<string, string>): Promise<string[]> =>
  linksOf(await textOf(minaret(), `/find?${new URLSearchParams(query)}`)).flatMap(
    link => /^\/m\/([a-z-]+)(?:\?|$)/.exec(link)?.[1] ?? [],
  )

const rules: Readonly<Record<string, readonly (readonly [typed: string, first: readonly string[]])[]>> = {
  'a name that is typed as it is comes first': [
    ['Masjid An-Noor', ['noor-houston']],
    ['York Mosque', ['york-england']],
    ['Madina Mosque', ['madina-leeds']],
    ['Fatih Camii Ankara', ['fatih-ankara']],
    ['Noor-ul-Islam Mosque', ['noor-islam']],
  ],
  'spelling mistakes are forgiven': [
    ['houstn', ['noor-houston']],
    ['fiasal mosque', ['faisal']],
    ['sulemaniye', ['istanbul-two']],
    ['new yrok', ['york', 'brooklyn']],
    ['diyarbakir', ['isiklar']],
  ],
  'Arabic and Latin letters find each other': [
    ['النور', ['noor-houston']],
    ['مسجد فيصل', ['faisal']],
    ['faysal', ['faisal']],
    ['مدينه', ['lahore']],
    ['sulaymaniya', ['istanbul-two']],
    ['mukarram', ['dhaka']],
  ],
  'a city, a part of it or a country finds what is there': [
    ['istanbul', ['istanbul-one', 'istanbul-two']],
    ['houst', ['noor-houston']],
    ['masjid in pakistan', ['faisal', 'lahore']],
  ],
}

for (const [rule, cases] of Object.entries(rules))
  test(`${rule}, on the page as in the API`, async () => {
    for (const [typed, first] of cases) {
      const page = await shown({ q: typed })
      assert.deepEqual(page.slice(0, first.length), first, `${typed}: ${page.join()}`)
      assert.deepEqual(page.slice(0, 5), await slugsFor(client, typed), typed)
    }
  })

test('what is near comes first, and other spellings around the corner are found', async () => {
  const berlin = { latitude: 52.5, longitude: 13.4 }
  assert.equal((await slugsFor(client, 'noor', berlin))[0], 'nur-berlin')
  assert.deepEqual(await shown({ q: 'noor', lat: '52.5', lon: '13.4' }), ['nur-berlin'])
  const istanbul = { lat: '41.0165', lon: '28.9636' }
  assert.deepEqual(await shown(istanbul), ['istanbul-two', 'istanbul-one'])
  assert.deepEqual(await shown({ ...istanbul, q: 'fatih' }), ['istanbul-one'])
  assert.deepEqual(await slugsFor(client, 'fatih', { latitude: 39.9, longitude: 32.8 }), [
    'fatih-ankara',
    'istanbul-one',
  ])
})

test('a city that was chosen shows its masjids alone, with or without a name', async () => {
  assert.deepEqual((await shown({ city: 'New York' })).sort(), ['brooklyn', 'york'])
  assert.deepEqual(await shown({ city: 'york' }), ['york-england'])
  assert.deepEqual(await shown({ q: 'taqwa', city: 'new york' }), ['brooklyn'])
})

test('what says nothing finds nothing, on a page that says so', async () => {
  for (const q of ['zzzyx', '%', '🕌']) {
    assert.deepEqual(await shown({ q }), [], q)
    assert.deepEqual(await slugsFor(client, q), [], q)
  }
  assert.match(await textOf(minaret(), '/find?q=zzzyx'), /No masjid was found/)
})

const LEAKS = /select |ECONN|57P|55000|permission|allow_connections|up_masjids|at .*\.ts:|node_modules/

const withoutDatabase = async (work: () => Promise<void>): Promise<void> => {
  const name = new URL(minaret().databaseUrl).pathname.slice(1)
  const allow = (allowed: boolean) =>
    asAdmin(admin => admin.query(`alter database ${name} allow_connections ${allowed}`))
  await allow(false)
  try {
    await asAdmin(admin =>
      admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]),
    )
    await work()
  } finally {
    await allow(true)
  }
}

test('without a database, programs get 503 and people a page that says so; nothing leaks, and all is well afterwards', async () => {
  await withoutDatabase(async () => {
    const api = await client.query({ query: '{ up_masjids_search(args: {search: "away"}) { slug } }' })
    assert.equal(api.status, 503, api.text)
    assert.match(api.headers['retry-after'] ?? '', /^\d+$/)
    assert.equal(api.body.errors?.[0]?.extensions.code, 'database-unavailable')
    assert.doesNotMatch(api.text, LEAKS)
    for (const [path, says] of [
      ['/find?q=away', /We cannot answer right now/],
      ['/find?lat=41&lon=29', /We cannot answer right now/],
      ['/find?q=away&lang=ar', /لا يمكننا الإجابة الآن/],
      ['/find/suggestions?q=away', undefined],
    ] as const) {
      const page = await getPage(minaret(), path)
      const text = await page.text()
      assert.equal(page.status, 503, `${path}: ${text}`)
      assert.match(page.headers.get('retry-after') ?? '', /^\d+$/, path)
      assert.equal(page.headers.get('cache-control'), 'no-store', path)
      assert.doesNotMatch(text, LEAKS, path)
      if (says !== undefined) assert.match(text, says)
    }
  })
  await within(60_000, 'masjids are found again', async () => {
    const { errors } = await askFor(client, 'away')
    return errors === undefined && (await getPage(minaret(), '/find?q=fatih')).status === 200
  })
  assert.deepEqual(await shown({ q: 'houstn' }), ['noor-houston'])
})
