// Times of a masjid whose days are not stored: the same as the job stores later, everywhere where people ask for them, and marked.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '../../src/base/civil-date.ts'
import { localDateAt } from '../../src/base/local-time.ts'
import { sql } from '../../src/db/sql.ts'
import { useApi } from '../graphql/use-api.ts'
import type { Data } from '../support/graphql.ts'
import { insertRule } from '../support/iqamah.ts'
import { countDays, type ImportedMasjid, insertImported, type TestMasjid } from '../support/masjids.ts'
import { within } from '../support/oauth.ts'

const api = useApi()
const database = () => api().minaret.service.database

const ask = async (query: string, variables: object = {}): Promise<Data> =>
  (await api().post({ query, variables })).json()

const text = async (path: string): Promise<string> => {
  const response = await fetch(`${api().minaret.baseUrl}${path}`)
  assert.equal(response.status, 200, path)
  return response.text()
}

const imported = (given: TestMasjid = {}): Promise<ImportedMasjid> => insertImported(database(), given)

const today = localDateAt(new Date(), 'America/New_York')

const prayers = [
  'imsak',
  'fajr',
  'sunrise',
  'duha',
  'duha_ends',
  'dhuhr',
  'asr',
  'evening_forbidden',
  'sunset',
  'maghrib',
  'isha',
  'first_third_ends',
  'midnight',
  'midnight_to_sunrise',
  'last_third',
] as const

const TIMES = `query Times($masjid: uuid!, $from: date!, $to: date!) {
  pc_times_at(args: {masjid_id: $masjid, from: $from, to: $to}) {
    date masjid_id source time_zone method ${prayers.join(' ')} hijri_year hijri_month hijri_day is_ramadan
  }
}`

const STORED = `query Stored($masjid: uuid!, $from: date!, $to: date!) {
  pc_calculated_times(where: {masjid_id: {_eq: $masjid}, date: {_gte: $from, _lte: $to}}, order_by: [{date: asc}], limit: 100) {
    date ${prayers.join(' ')} hijri_year hijri_month hijri_day is_ramadan
  }
}`

const isStored = (masjid: string) =>
  within(60_000, 'days are stored', async () => (await countDays(database(), masjid)) >= 400)

const places: Readonly<Record<string, TestMasjid>> = {
  'in Raleigh': {},
  'in Tromsø': { latitude: 69.65, longitude: 18.96, timezone: 'Europe/Oslo', calculation_method: 'MuslimWorldLeague' },
  'in Makkah, a day ahead of the calendar': {
    latitude: 21.42,
    longitude: 39.83,
    timezone: 'Asia/Riyadh',
    calculation_method: 'UmmAlQura',
    hijri_adjustment: 1,
  },
}

describe('pc_times_at with masjid_id', () => {
  for (const [where, given] of Object.entries(places))
    test(`answers at once what is stored later, ${where}`, async () => {
      const { id } = await imported(given)
      assert.equal(await countDays(database(), id), 0)
      const variables = { masjid: id, from: addDays(today, 1), to: addDays(today, 90) }
      const { data, errors } = await ask(TIMES, variables)
      assert.equal(errors, undefined, JSON.stringify(errors))
      assert.equal(data.pc_times_at.length, 90)
      for (const row of data.pc_times_at) {
        assert.equal(row.source, 'calculated')
        assert.equal(row.masjid_id, id)
      }
      await isStored(id)
      const stored = (await ask(STORED, variables)).data.pc_calculated_times
      const bare = data.pc_times_at.map(({ masjid_id, source, time_zone, method, ...row }: Data) => row)
      assert.deepEqual(bare, stored)
    })

  test('follows what the masjid is now, and months that it announced', async () => {
    const { id } = await imported()
    const first = (await ask(TIMES, { masjid: id, from: '2040-01-01', to: '2040-01-01' })).data.pc_times_at[0]
    await database().run(sql`update public.up_masjids set adjustments = '{"fajr": 5}' where id = ${id}`)
    const second = (await ask(TIMES, { masjid: id, from: '2040-01-01', to: '2040-01-01' })).data.pc_times_at[0]
    assert.equal(Date.parse(second.fajr) - Date.parse(first.fajr), 300_000)
    const starts = (await ask(TIMES, { masjid: id, from: today, to: addDays(today, 60) })).data.pc_times_at.find(
      (row: Data) => row.hijri_day === 1,
    )
    await database().run(sql`
      select public.announce_hijri_month(${starts.hijri_year}, ${starts.hijri_month}, ${addDays(starts.date, 1)}::date, masjid_id => ${id}::uuid)`)
    const [moved] = (await ask(TIMES, { masjid: id, from: starts.date, to: starts.date })).data.pc_times_at
    assert.notEqual(moved.hijri_day, 1)
  })

  test('names what is wrong with the question', async () => {
    const { id } = await imported()
    const wrong: Readonly<Record<string, RegExp>> = {
      'masjid_id: "00000000-0000-0000-0000-000000000000"': /"masjid_id" is the id of no masjid/,
      [`masjid_id: "${id}", latitude: 1`]: /"latitude" goes without "masjid_id"/,
      [`masjid_id: "${id}", method: Karachi`]: /"method" goes without "masjid_id"/,
      [`masjid_id: "${id}", from: "2026-01-01", to: "2027-12-31"`]: /"to" is more than 400 days/,
      'longitude: 1': /"latitude" is missing/,
    }
    for (const [args, message] of Object.entries(wrong)) {
      const { errors } = await ask(`{ pc_times_at(args: {${args}}) { date } }`)
      assert.match(errors?.[0]?.message ?? '', message, args)
      assert.equal(errors[0].extensions.code, 'bad-value')
    }
  })

  test('does not know a masjid that was deleted, nor one of the other world', async () => {
    const [{ id }, invented] = [await imported(), await imported({ schema: 'sandbox' })]
    await database().run(sql`update public.up_masjids set deleted_at = now() where id = ${id}`)
    for (const masjid of [id, invented.id]) {
      const { errors } = await ask(`{ pc_times_at(args: {masjid_id: "${masjid}"}) { date } }`)
      assert.match(errors?.[0]?.message ?? '', /is the id of no masjid/)
    }
  })

  test('answers in the sandbox too, which notes nothing', async () => {
    const { id } = await imported({ schema: 'sandbox' })
    const response = await fetch(`${api().minaret.sandboxUrl}/v1/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ pc_times_at(args: {masjid_id: "${id}"}) { date fajr masjid_id } }` }),
    })
    const { data } = (await response.json()) as Data
    assert.equal(data.pc_times_at.length, 1)
    assert.equal(data.pc_times_at[0].masjid_id, id)
    const state = await database().first<{ is_wanted: boolean }>(sql`
      select is_wanted from sandbox.calculation_states where masjid_id = ${id}`)
    assert.equal(state?.is_wanted, false)
  })
})

describe('of a masjid whose days are not stored', () => {
  test('the row says so, and asking for rows has them stored', async () => {
    const { id, slug } = await imported()
    const row = `{ up_masjids_by_slug(slug: "${slug}") { has_stored_times } }`
    assert.equal((await ask(row)).data.up_masjids_by_slug.has_stored_times, false)
    const rows = `{ pc_prayer_times(where: {masjid_id: {_eq: "${id}"}, date: {_eq: "${today}"}}) { prayer } }`
    assert.deepEqual((await ask(rows)).data.pc_prayer_times, [])
    await isStored(id)
    assert.equal((await ask(rows)).data.pc_prayer_times.length, 5)
    assert.equal((await ask(row)).data.up_masjids_by_slug.has_stored_times, true)
  })

  for (const [how, query] of Object.entries({
    'by its slug': ({ slug }: ImportedMasjid) =>
      `{ up_masjids_by_slug(slug: "${slug}") { prayer_times(where: {date: {_eq: "${today}"}}) { prayer } } }`,
    'today’s times': ({ id }: ImportedMasjid) => `{ pc_prayer_times_today(args: {masjid_id: "${id}"}) { prayer } }`,
  }))
    test(`asking has them stored, ${how}`, async () => {
      const masjid = await imported()
      assert.equal((await ask(query(masjid))).errors, undefined)
      await isStored(masjid.id)
    })

  test('the page and its calendar have the times at once, and the page says that they are calculated', async () => {
    const { id, slug } = await imported()
    const { data } = await ask(TIMES, { masjid: id, from: today, to: today })
    const fajr = new Date(data.pc_times_at[0].fajr).toISOString()
    await database().run(sql`select public.times_on_demand(array[${id}::uuid])`)
    const page = await text(`/m/${slug}`)
    assert.ok(page.includes(fajr), 'the page has Fajr')
    assert.match(page, /Adhan times are calculated/)
    for (const name of ['Imsak', 'Duha', 'Midnight', 'Last third of the night']) assert.ok(page.includes(name), name)
    assert.match(await text(`/m/${slug}?lang=ar`), /الإمساك.*منتصف الليل/s)
    assert.equal([...page.matchAll(/<tr[^>]*><th scope="row">[^<]*\d/g)].length >= 28, true)
    await database().run(sql`select public.times_on_demand(array[${id}::uuid])`)
    const calendar = await text(`/m/${slug}/prayer-times.ics?days=30`)
    assert.equal(calendar.split('BEGIN:VEVENT').length - 1, 150)
    assert.match(calendar, /Source: calculated/)
  })

  /** As the finder writes it, at this moment. */
  const nextAdhan = async (id: string): Promise<string> => {
    const variables = { masjid: id, from: addDays(today, -1), to: addDays(today, 1) }
    const now = Date.now()
    const { data } = await ask(TIMES, variables)
    const named = { fajr: 'Fajr', dhuhr: 'Dhuhr', asr: 'Asr', maghrib: 'Maghrib', isha: 'Isha' } as const
    const coming = data.pc_times_at.flatMap((row: Data) =>
      Object.entries(named).map(([prayer, name]) => ({ name, at: Date.parse(row[prayer]) })),
    )
    const [next] = coming.filter(({ at }: Data) => at > now).sort((one: Data, other: Data) => one.at - other.at)
    const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'America/New_York' }).format(next.at)
    return `Next adhan: ${next.name} ${clock} (calculated)`
  }

  const wordsOf = (page: string): string => page.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')

  test('the finder shows the next adhan, marked, and listing it has nothing stored', async () => {
    const { id } = await imported({ name: 'Zelkova Grove Masjid', latitude: 35.1, longitude: -80.2 })
    const others = await Promise.all(
      Array.from({ length: 23 }, (_, index) => imported({ name: `Hornbeam ${index} Masjid`, city: 'Hornbeamton' })),
    )
    for (const path of ['/find?q=zelkova+grove', '/find?lat=35.1&lon=-80.2&radius=10']) {
      const before = await nextAdhan(id)
      const page = wordsOf(await text(path))
      assert.ok(
        [before, await nextAdhan(id)].some(words => page.includes(words)),
        `${path} has ${before}`,
      )
    }
    assert.match(wordsOf(await text('/find?q=zelkova+grove&lang=ar')), /الأذان القادم: .+ \(وقت محسوب\)/)
    assert.equal((await text('/find?city=Hornbeamton')).split('(calculated)').length - 1, 20)
    assert.match(await text('/find?q=zelkova&lang=en'), /Next adhan/)
    const missing = await fetch(`${api().minaret.baseUrl}/m/zelkova-grov`)
    assert.equal(missing.status, 404)
    assert.match(wordsOf(await missing.text()), /Zelkova Grove Masjid.*Next adhan: .* \(calculated\)/)
    const asked = await imported()
    await text(`/m/${asked.slug}`)
    await isStored(asked.id)
    for (const other of others) assert.equal(await countDays(database(), other.id), 0)
  })

  test('the finder shows the same once the days are stored, and the iqamah once there is one', async () => {
    const { id, slug } = await imported({ name: 'Ailanthus Row Masjid' })
    await text(`/m/${slug}`)
    await isStored(id)
    const before = await nextAdhan(id)
    const page = wordsOf(await text('/find?q=ailanthus+row'))
    assert.ok(
      [before, await nextAdhan(id)].some(words => page.includes(words)),
      page,
    )
    await insertRule(database(), id, { prayer: 'isha', rule: 'fixed', fixed_time: '23:59' })
    assert.match(wordsOf(await text('/find?q=ailanthus+row')), /Next iqamah: Isha 11:59 PM/)
    assert.doesNotMatch(await text('/find?q=ailanthus+row'), /calculated/)
  })

  test('nobody but those who ask has days stored', async () => {
    const { id, slug } = await imported()
    assert.equal((await ask(`{ up_masjids_by_slug(slug: "${slug}") { name } }`)).errors, undefined)
    const other = await imported()
    await ask(`{ pc_prayer_times(where: {masjid_id: {_eq: "${other.id}"}}, limit: 1) { prayer } }`)
    await isStored(other.id)
    assert.equal(await countDays(database(), id), 0)
  })

  test('a rule of its own has them stored without anybody asking', async () => {
    const { id } = await imported()
    await insertRule(database(), id, { prayer: 'isha', rule: 'fixed', fixed_time: '21:00' })
    await isStored(id)
  })
})

test('days beyond the stored ones of any masjid are calculated on its page, and the page says so', async () => {
  const { id, slug } = await imported()
  await insertRule(database(), id, { prayer: 'isha', rule: 'fixed', fixed_time: '21:00' })
  await isStored(id)
  const last = addDays(today, 20)
  await database().run(sql`delete from public.pc_calculated_times where masjid_id = ${id} and date > ${last}`)
  const page = await text(`/m/${slug}?month=${addDays(`${today.slice(0, 7)}-01`, 31).slice(0, 7)}`)
  const rows = [...page.matchAll(/<tr[^>]*><th scope="row">[^<]*\d/g)].length
  assert.ok(rows >= 28, `${rows} days`)
})
