// What others read of a masjid: previews, search engines, calendars; and what they get for an address that no masjid has.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import ICAL from 'ical.js'
import { localDateAt } from '../../src/base/local-time.ts'
import { sql } from '../../src/db/sql.ts'
import { readEdges, readFile } from '../../src/feeds/sitemap.ts'
import type { Masjid } from '../staff/use-staff.ts'
import { asAdmin } from '../support/database.ts'
import { daysAfter } from '../support/dates.ts'
import { resolvedTimes } from '../support/iqamah.ts'
import { useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { getPage, linksOf, makeShownMasjid, metaOf, textOf } from './use-masjid-page.ts'

let masjid: Masjid
const minaret = useMinaret({}, async started => {
  masjid = await makeShownMasjid(started)
})
const baseUrl = (): string => minaret().baseUrl
const pageUrl = (): string => `${baseUrl()}/m/${masjid.slug}`

interface Node {
  readonly '@type': string | readonly string[]
  readonly [name: string]: unknown
}

const linkedDataOf = (page: string): readonly Node[] => {
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
  return (JSON.parse(text) as { '@graph': readonly Node[] })['@graph']
}

describe('previews and search engines', () => {
  test('read one address for the page, and one for each language', async () => {
    const page = await textOf(minaret(), `/m/${masjid.slug}?month=2027-01`)
    assert.equal(metaOf(page, 'og:url'), pageUrl())
    assert.ok(page.includes(`<link rel="canonical" href="${pageUrl()}">`))
    for (const language of ['en', 'ar']) assert.ok(linksOf(page).includes(`${pageUrl()}?lang=${language}`))
    assert.match(page, /hreflang="x-default"/)
    const arabic = await textOf(minaret(), `/m/${masjid.slug}?lang=ar`)
    assert.equal(metaOf(arabic, 'og:url'), `${pageUrl()}?lang=ar`)
    assert.equal(metaOf(arabic, 'og:title'), 'مسجد زهرة الوادي، Raleigh: مواقيت الصلاة')
    assert.equal(metaOf(page, 'og:title'), 'Larkspur Lane Masjid, Raleigh: prayer times')
    assert.equal(metaOf(page, 'twitter:card'), 'summary_large_image')
  })

  test('find a Mosque with its place, and its events', async () => {
    const [mosque, ...events] = linkedDataOf(await textOf(minaret(), `/m/${masjid.slug}`))
    assert.deepEqual(mosque?.['@type'], ['Mosque', 'PlaceOfWorship'])
    assert.equal(mosque?.name, 'Larkspur Lane Masjid')
    assert.equal(mosque?.alternateName, 'مسجد زهرة الوادي')
    assert.deepEqual(mosque?.address, {
      '@type': 'PostalAddress',
      streetAddress: '1 Larkspur Lane',
      addressLocality: 'Raleigh',
      addressRegion: 'NC',
      addressCountry: 'US',
    })
    assert.ok(events.length >= 8)
    const [row] = await minaret().service.database.query<{ starts_at: Date }>(
      sql`select starts_at from up_event_occurrences where masjid_id = ${masjid.id} order by starts_at limit 1`,
    )
    assert.equal(Date.parse(String(events[0]?.startDate)), row?.starts_at.getTime())
    assert.equal(events[0]?.['@type'], 'Event')
  })

  test('show a picture of 1200 by 630 made by the service, in each language, kept by its content', async () => {
    const page = await textOf(minaret(), `/m/${masjid.slug}`)
    const address = metaOf(page, 'og:image') ?? ''
    assert.ok(address.startsWith(`${pageUrl()}/og.png?lang=en&day=`), address)
    const picture = await fetch(address)
    assert.equal(picture.headers.get('content-type'), 'image/png')
    assert.match(picture.headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
    assert.equal(picture.headers.get('set-cookie'), null)
    const bytes = Buffer.from(await picture.arrayBuffer())
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630])
    assert.ok(bytes.length < 100_000, `${bytes.length} bytes`)
    const arabic = Buffer.from(await (await fetch(`${pageUrl()}/og.png?lang=ar`)).arrayBuffer())
    assert.ok(!arabic.equals(bytes))
    const again = await fetch(address, { headers: { 'if-none-match': picture.headers.get('etag') ?? '' } })
    assert.equal(again.status, 304)
  })

  test('find every masjid in the sitemap, a file at a time, and no deleted one', async () => {
    const { database } = minaret().service
    const gone = await makeShownMasjid(minaret())
    await database.run(sql`update up_masjids set deleted_at = now() where id = ${gone.id}`)
    await makeShownMasjid(minaret())
    const robots = await textOf(minaret(), '/robots.txt')
    assert.ok(robots.includes(`Sitemap: ${baseUrl()}/sitemap.xml`))
    const index = await textOf(minaret(), '/sitemap.xml')
    assert.ok(index.includes(`<loc>${baseUrl()}/sitemap-1.xml</loc>`))
    const file = await textOf(minaret(), '/sitemap-1.xml')
    assert.ok(file.includes(`<loc>${pageUrl()}</loc>`))
    assert.ok(!file.includes(gone.slug))
    const row = await database.first<{ count: number }>(
      sql`select count(*)::integer as count from up_masjids where deleted_at is null`,
    )
    const count = row?.count ?? 0
    await database.run(sql`analyze up_masjids`)
    const edges = await readEdges(database, 1)
    const files = await Promise.all(
      Array.from({ length: edges.length + 1 }, async (_, at) => (await readFile(database, at + 1, 1)) ?? []),
    )
    assert.equal(new Set(files.flat().map(({ slug }) => slug)).size, count)
    for (const wrong of ['/sitemap-0.xml', '/sitemap-9.xml', '/sitemap-x.xml', '/sitemap-99999999.xml'])
      assert.equal((await getPage(minaret(), wrong)).status, 404, wrong)
  })
})

describe('public calendars', () => {
  const calendarOf = async (name: string): Promise<ICAL.Event[]> => {
    const response = await fetch(`${pageUrl()}/${name}`)
    assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8')
    const calendar = new ICAL.Component(ICAL.parse(await response.text()))
    for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
    return calendar.getAllSubcomponents('vevent').map(component => new ICAL.Event(component))
  }

  test('need no key, and have every prayer at its instant in the zone of the masjid', async () => {
    const events = await calendarOf('prayer-times.ics?days=366')
    const today = localDateAt(new Date(), 'America/New_York')
    const times = await resolvedTimes(minaret().service.database, masjid.id, today, daysAfter(today, 365))
    const found = new Map(events.map(event => [event.uid, event.startDate.toUnixTime() * 1000]))
    assert.ok(times.length > 366 * 5)
    assert.equal(found.size, times.length)
    for (const time of times) {
      const uid = `${masjid.id}-${time.date}-${time.prayer}-${time.session}@prayer-times.minaret`
      assert.equal(found.get(uid), Number(time.khutbah_at ?? time.iqamah_at ?? time.adhan_at), uid)
    }
    const zones = new Set(events.map(event => event.startDate.zone?.tzid))
    assert.deepEqual([...zones].sort(), ['America/New_York'])
  })

  test('have as many days as the address says, 92 if it says nothing, and say which', async () => {
    const today = localDateAt(new Date(), 'America/New_York')
    for (const [query, days] of [
      ['', 92],
      ['?days=1', 1],
      ['?days=400', 400],
    ] as const) {
      const last = daysAfter(today, days - 1)
      const dates = new Set((await calendarOf(`prayer-times.ics${query}`)).map(({ uid }) => uid.slice(37, 47)))
      assert.equal(dates.size, days, query)
      assert.ok(dates.has(today) && dates.has(last), query)
      const text = (await (await fetch(`${pageUrl()}/prayer-times.ics${query}`)).text()).replaceAll('\r\n ', '')
      const said = new RegExp(
        `^DESCRIPTION:${days === 1 ? 'One day' : `${days} days`}\\\\, from ${today} to ${last}`,
        'm',
      )
      assert.match(text, said)
    }
    const page = await textOf(minaret(), `/m/${masjid.slug}?lang=en`)
    assert.match(page, /The coming <bdi>92<\/bdi> days/)
  })

  test('say how many days they have where the rest is not known yet', async () => {
    const own = await makeShownMasjid(minaret())
    await minaret().service.database.run(sql`
      delete from pc_calculated_times where masjid_id = ${own.id} and date > current_date + 9`)
    const text = await (await fetch(`${minaret().baseUrl}/m/${own.slug}/prayer-times.ics`)).text()
    const dates = new Set([...text.matchAll(/^UID:[\da-f-]{36}-(\d{4}-\d\d-\d\d)-/gm)].map(([, date]) => date))
    const last = [...dates].sort().at(-1)
    // The job may have filled them in already.
    assert.ok(dates.size > 0)
    const said = new RegExp(`^DESCRIPTION:${dates.size} days.* to ${last}`, 'm')
    assert.match(text.replaceAll('\r\n ', ''), said)
  })

  for (const wrong of ['0', '401', '-1', '1.5', '1e2', '', ' ', 'x', '0x10', '007a', '1&days=2'])
    test(`of ${JSON.stringify(wrong)} days are refused in words`, async () => {
      const response = await getPage(minaret(), `/m/${masjid.slug}/prayer-times.ics?days=${encodeURI(wrong)}`)
      assert.equal(response.status, 400)
      assert.equal(response.headers.get('cache-control'), 'no-store')
    })

  test('of events have each date, under the same identifier as in the feeds with a key', async () => {
    const events = await calendarOf('events.ics')
    const rows = await minaret().service.database.query<{ id: string; starts_at: Date }>(
      sql`select id, starts_at from up_event_occurrences where masjid_id = ${masjid.id} and starts_at < now() + interval '360 days'`,
    )
    const found = new Map(events.map(event => [event.uid, event.startDate.toUnixTime() * 1000]))
    for (const { id, starts_at } of rows) assert.equal(found.get(`${id}@events.minaret`), starts_at.getTime())
  })

  test('may be kept by caches, have a tag, and are read by pages of any origin', async () => {
    const fresh = await fetch(`${pageUrl()}/prayer-times.ics`)
    assert.equal(fresh.headers.get('cache-control'), 'public, max-age=60')
    assert.equal(fresh.headers.get('access-control-allow-origin'), '*')
    assert.equal(fresh.headers.get('set-cookie'), null)
    const known = { 'if-none-match': fresh.headers.get('etag') ?? '' }
    assert.equal((await fetch(`${pageUrl()}/prayer-times.ics`, { headers: known })).status, 304)
    for (const name of ['prayer-times.ics', 'events.ics'])
      assert.equal((await getPage(minaret(), `/m/no-such-masjid/${name}`)).status, 404)
  })
})

describe('an address that no masjid has', () => {
  test('is 404, with masjids of a similar name and the finder', async () => {
    const response = await getPage(minaret(), '/m/larkspur-lane-masjid')
    assert.equal(response.status, 404)
    assert.equal(response.headers.get('set-cookie'), null)
    const page = await response.text()
    assert.match(page, /action="\/find"/)
    assert.ok(linksOf(page).includes(`/m/${masjid.slug}`))
  })

  test('is 404 for a masjid that was deleted, on every page of it', async () => {
    const gone = await makeShownMasjid(minaret())
    await minaret().service.database.run(sql`update up_masjids set deleted_at = now() where id = ${gone.id}`)
    for (const rest of ['', '/widget', '/og.png', '/prayer-times.ics', '/events.ics'])
      assert.equal((await getPage(minaret(), `/m/${gone.slug}${rest}`)).status, 404, rest)
  })

  test('leads to the usual spelling if it was typed with capitals or a slash', async () => {
    for (const typed of [masjid.slug.toUpperCase(), `${masjid.slug}/`]) {
      const response = await getPage(minaret(), `/m/${typed}`)
      assert.equal(response.status, 301, typed)
      assert.equal(response.headers.get('location'), `/m/${masjid.slug}`)
    }
  })
})

const expectAway = async (path: string): Promise<void> => {
  const response = await getPage(minaret(), `${path}${path.includes('?') ? '&' : '?'}lang=ar`)
  assert.equal(response.status, 503, path)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(response.headers.get('set-cookie'), null)
  assert.match(await response.text(), /لا يمكننا الإجابة الآن/)
}

test('a database that is away is 503 with a friendly page that nothing keeps, and all is well afterwards', async () => {
  const name = new URL(minaret().databaseUrl).pathname.slice(1)
  const allow = (allowed: boolean) =>
    asAdmin(client => client.query(`alter database ${name} allow_connections ${allowed}`))
  const paths = [`/m/${masjid.slug}`, `/m/${masjid.slug}/widget`, `/m/${masjid.slug}/og.png`, '/find?q=larkspur']
  await allow(false)
  try {
    await asAdmin(client =>
      client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]),
    )
    await Promise.all(paths.map(expectAway))
  } finally {
    await allow(true)
  }
  for (const path of paths) await within(60_000, path, async () => (await getPage(minaret(), path)).status === 200)
})
