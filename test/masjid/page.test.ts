// The public page of a masjid over HTTP: what it shows, to whom, in which language, and what caches are told.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { localDateAt } from '../../src/base/local-time.ts'
import { sql } from '../../src/db/sql.ts'
import { clockCycleOf, clockWords } from '../../src/site/hall/clock.ts'
import type { Masjid } from '../staff/use-staff.ts'
import { daysAfter } from '../support/dates.ts'
import { resolvedTimes } from '../support/iqamah.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson, signIn } from '../support/oauth.ts'
import { announce, getPage, linksOf, makeShownMasjid, textOf } from './use-masjid-page.ts'

const minaret = useMinaret()

/** Text as people see it: without elements, with single spaces. */
const plain = (page: string): string =>
  page
    .replaceAll(/<script[^>]*>.*?<\/script>/gs, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

const rowsOf = (page: string): string[] => {
  const table = /<table class="day-times">.*?<\/table>/s.exec(page)?.[0] ?? ''
  return [...table.matchAll(/<tr[^>]*>.*?<\/tr>/gs)].slice(1).map(([row]) => plain(row).trim())
}

describe('the page of a masjid', () => {
  let masjid: Masjid
  before(async () => {
    masjid = await makeShownMasjid(minaret())
  })

  for (const [timezone, latitude, longitude] of [
    ['Pacific/Auckland', -36.85, 174.76],
    ['Pacific/Honolulu', 21.3, -157.86],
    ['Europe/London', 51.5, -0.13],
  ] as const)
    test(`shows today's times and the next prayer by the clock of ${timezone}`, async () => {
      const { database } = minaret().service
      const there = await makeShownMasjid(minaret(), { timezone, latitude, longitude })
      const asked = new Date()
      const page = await textOf(minaret(), `/m/${there.slug}`)
      const today = localDateAt(asked, timezone)
      const times = await resolvedTimes(database, there.id, daysAfter(today, -1), daysAfter(today, 2))
      const clock = (local: string | null) => clockWords('en', local?.replace(' ', 'T') ?? null, clockCycleOf('US'))
      for (const prayer of ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha']) {
        const time = times.find(one => one.date === today && one.prayer === prayer)
        const row = rowsOf(page).find(text => text.toLowerCase().startsWith(prayer))
        assert.equal(
          row?.slice(prayer.length + 1),
          `${clock(time?.adhan_local ?? null)} ${clock(time?.iqamah_local ?? null)}`,
        )
      }
      assert.ok(rowsOf(page).some(row => row.startsWith('Sunrise')))
      const comes = (one: (typeof times)[number]): number => Number(one.iqamah_at ?? one.adhan_at)
      const next = times
        .filter(one => comes(one) > asked.getTime())
        .sort((left, right) => comes(left) - comes(right))[0]
      const shown = /class="next-name"><bdi>([^<]+)/.exec(page)?.[1] ?? ''
      // Between the two sessions of a Friday.
      const session = next?.session === 2 ? ' 2' : ''
      assert.equal(shown.toLowerCase().replaceAll('’', ''), `${next?.prayer}${session}`)
    })

  test('has Jumu’ah, events, facilities, the address with a map, and calendars', async () => {
    const page = plain(await textOf(minaret(), `/m/${masjid.slug}`))
    assert.match(page, /Jumu’ah 2 · Khutbah 1:50 PM/)
    assert.match(page, /Tafsir halaqah/)
    assert.match(page, /Wudu\s+Parking\s+Space for women/)
    assert.match(page, /1 Larkspur Lane, Raleigh, NC/)
    const html = await textOf(minaret(), `/m/${masjid.slug}`)
    const host = new URL(minaret().baseUrl).host
    const links = linksOf(html)
    const calendar = `webcal://${host}/m/${masjid.slug}`
    assert.ok(links.includes(`${calendar}/prayer-times.ics`))
    assert.ok(
      links.includes(`https://calendar.google.com/calendar/r?cid=${encodeURIComponent(`${calendar}/events.ics`)}`),
    )
    assert.ok(links.some(link => link.startsWith('https://www.openstreetmap.org/?mlat=35.775&mlon=-78.6336')))
    assert.doesNotMatch(html, /verified this entry/)
  })

  test('the name of a session stands beside the name of its prayer, unless it says it', async () => {
    const there = await makeShownMasjid(minaret())
    const { database } = minaret().service
    for (const [prayer, label] of [
      ['isha', 'After work'],
      ['jumuah', 'Jumu’ah for students'],
    ] as const)
      await database.run(sql`
        update public.pc_iqamah_schedules set label = ${label}
        where masjid_id = ${there.id} and prayer = ${prayer}::public.pc_prayer and session = 1`)
    const [english, arabic] = [
      await textOf(minaret(), `/m/${there.slug}`),
      await textOf(minaret(), `/m/${there.slug}?lang=ar`),
    ]
    assert.ok(
      rowsOf(english).some(row => row.startsWith('Isha · After work')),
      rowsOf(english).join('\n'),
    )
    assert.ok(
      rowsOf(arabic).some(row => row.startsWith('العشاء · After work')),
      rowsOf(arabic).join('\n'),
    )
    assert.match(plain(english), / Jumu’ah for students /)
    assert.match(plain(arabic), /الجمعة · Jumu’ah for students/)
  })

  test('an unverified masjid says so, and its page shows it all the same', async () => {
    const other = await makeShownMasjid(minaret(), { verified: false })
    assert.match(await textOf(minaret(), `/m/${other.slug}`), /Nobody has verified this entry yet/)
  })

  test('speaks the language of the address, else of the browser, and says what it depends on', async () => {
    const path = `/m/${masjid.slug}`
    const arabic = await getPage(minaret(), path, { 'accept-language': 'ar-SA, en;q=0.5' })
    assert.match(arabic.headers.get('vary') ?? '', /accept-language/)
    const text = await arabic.text()
    assert.match(text, /<html lang="ar" dir="rtl">/)
    assert.match(text, /<h1><bdi>مسجد زهرة الوادي<\/bdi><\/h1>/)
    const asked = await getPage(minaret(), `${path}?lang=en`, { 'accept-language': 'ar' })
    assert.match(await asked.text(), /<html lang="en" dir="ltr">/)
    assert.doesNotMatch(asked.headers.get('vary') ?? '', /accept-language/)
    assert.match(await textOf(minaret(), `${path}?lang=xx`, { 'accept-language': 'ar' }), /<html lang="ar"/)
  })

  test('shows announcements meant for pages while they last: urgent first, then a janazah', async () => {
    const told = await makeShownMasjid(minaret())
    await announce(minaret(), told, { title: 'Ordinary news', starts: '-1 minute' })
    await announce(minaret(), told, { title: 'A janazah today', kind: 'janazah' })
    await announce(minaret(), told, { title: 'Urgent news', urgent: true, starts: '-2 days' })
    await announce(minaret(), told, { title: 'Only in apps', shownOn: '{apps,screen}' })
    await announce(minaret(), told, { title: 'Not yet', starts: '1 hour' })
    await announce(minaret(), told, { title: 'No longer', ends: '-1 minute' })
    const page = await textOf(minaret(), `/m/${told.slug}`)
    const order = ['Urgent news', 'A janazah today', 'Ordinary news'].map(title => page.indexOf(title))
    assert.ok(order.every(at => at > 0))
    assert.deepEqual(
      order,
      order.toSorted((left, right) => left - right),
    )
    for (const title of ['Only in apps', 'Not yet', 'No longer']) assert.ok(!page.includes(title), title)
  })

  test('a cancelled date says so', async () => {
    const { database } = minaret().service
    const other = await makeShownMasjid(minaret())
    await database.run(sql`
      update up_event_occurrences set status = 'cancelled' where id = (
        select id from up_event_occurrences where masjid_id = ${other.id} order by starts_at limit 1)`)
    assert.match(plain(await textOf(minaret(), `/m/${other.slug}`)), /Cancelled Tafsir halaqah/)
  })

  test('has every month a year ahead, and the current one for anything else', async () => {
    const today = localDateAt(new Date(), 'America/New_York')
    const next = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 1)).toISOString().slice(0, 7)
    const page = await textOf(minaret(), `/m/${masjid.slug}?month=${next}`)
    const days = new Date(Date.UTC(Number(next.slice(0, 4)), Number(next.slice(5, 7)), 0)).getUTCDate()
    const month = /<table class="month-times">.*?<\/table>/s.exec(page)?.[0] ?? ''
    assert.equal(month.match(/<tr/g)?.length, days + 1)
    const monthLink = (month: string): string => `/m/${masjid.slug}?month=${month}#month`
    assert.ok(linksOf(page).includes(monthLink(today.slice(0, 7))))
    for (const wrong of ['1900-01', '2999-12', '2026-13', 'x', '../../']) {
      const shown = await textOf(minaret(), `/m/${masjid.slug}?month=${encodeURIComponent(wrong)}`)
      assert.ok(linksOf(shown).includes(monthLink(next)), wrong)
    }
  })

  test('may be kept until it changes, with a tag, and nothing of a visitor is in it', async () => {
    const { database } = minaret().service
    const path = `/m/${masjid.slug}?lang=en`
    const fresh = await getPage(minaret(), path)
    const age = Number(/^public, max-age=(\d+)$/.exec(fresh.headers.get('cache-control') ?? '')?.[1])
    assert.ok(age >= 1 && age <= 60, String(age))
    const tag = fresh.headers.get('etag') ?? ''
    const again = await getPage(minaret(), path, { 'if-none-match': tag })
    assert.equal(again.status, 304)
    assert.equal(await again.text(), '')
    const cookie = await signIn(database, await makePerson(database, 'Maryam Visible'))
    const signedIn = await getPage(minaret(), path, { cookie: `${cookie}; minaret_language=ar` })
    assert.equal(await signedIn.text(), await fresh.text())
    for (const response of [fresh, again, signedIn]) assert.equal(response.headers.get('set-cookie'), null)
  })

  test('holds no longer than an announcement on it', async () => {
    const other = await makeShownMasjid(minaret())
    await announce(minaret(), other, { title: 'Almost over', ends: '50 seconds' })
    const response = await getPage(minaret(), `/m/${other.slug}`)
    const age = Number(/max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '')?.[1])
    assert.ok(age <= 50, String(age))
  })

  test('weighs less than 100 KB with everything it loads, and is compressed', async () => {
    const heavy = await makeShownMasjid(minaret())
    for (let index = 0; index < 10; index += 1)
      await announce(minaret(), heavy, {
        title: `Announcement ${index}`,
        body: 'A sentence of usual length, and another. '.repeat(12),
      })
    const page = await textOf(minaret(), `/m/${heavy.slug}`)
    const loaded = [...page.matchAll(/<(?:link rel="(?:stylesheet|icon)" href|script src|img src)="([^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    assert.equal(loaded.length, 3)
    const bodies = await Promise.all(loaded.map(async path => (await fetch(minaret().baseUrl + path)).text()))
    const bytes = [page, ...bodies].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    assert.ok(bytes < 100_000, `${bytes} bytes`)
    const raw = await getPage(minaret(), `/m/${heavy.slug}`, { 'accept-encoding': 'br' })
    assert.equal(raw.headers.get('content-encoding'), 'br')
    assert.match(raw.headers.get('vary') ?? '', /accept-encoding/)
    assert.match(await raw.text(), /<main id="content"/)
  })
})
