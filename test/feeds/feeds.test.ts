// The feeds over HTTP: who may have them, what real parsers make of them, and what caches are told.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import ICAL from 'ical.js'
import type { Scope } from '../../src/access/scopes.ts'
import { sql } from '../../src/db/sql.ts'
import { scrape, total } from '../observability/scrape.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { daysAfter, nextClockChange } from '../support/dates.ts'
import { insertEvent } from '../support/events.ts'
import { insertRule, resolvedTimes } from '../support/iqamah.ts'
import { insertMasjid } from '../support/masjids.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { untilSettled } from '../support/settled.ts'

/** The Sunday on which clocks change, the week before it, and its Friday. */
const change = nextClockChange()
const first = daysAfter(change.date, -7)
const friday = daysAfter(change.date, -2)
const nextFriday = daysAfter(friday, 7)
const instant = (local: string): string => new Date(local).toISOString()

let minaret: TestMinaret
let masjid: string
let invented: string
const keys = new Map<string, string>()
const database = () => minaret.service.database
const feeds = ['prayer-times.ics', 'prayer-times.csv', 'events.ics', 'events.csv'] as const

const keyFor = async (...scopes: Scope[]): Promise<string> => {
  const name = scopes.join(' ')
  const known = keys.get(name)
  if (known !== undefined) return known
  const app = await makeApp(database(), { kind: 'confidential', scopes })
  const { key } = await makeKey(database(), { appId: app.id, scopes })
  keys.set(name, key)
  return key
}

before(async () => {
  minaret = await startTestMinaret({ METRICS_PORT: '0' })
  masjid = await insertMasjid(database(), { name: 'Larkspur; Lane, Masjid' })
  invented = await insertMasjid(database(), { schema: 'sandbox' })
  await insertRule(database(), masjid, { prayer: 'jumuah', rule: 'fixed', fixed_time: '13:30', khutbah_minutes: 30 })
  await insertRule(database(), masjid, {
    prayer: 'isha',
    rule: 'rounded_offset',
    offset_minutes: 10,
    round_to: 15,
    label: 'After work',
  })
  const description = 'Bring: pens, paper; and\nquestions. الحمد لله '.repeat(4)
  const rrule = 'FREQ=WEEKLY;BYDAY=FR'
  const starts_local = `${friday} 19:30`
  const event = await insertEvent(database(), masjid, { title: '=Tafsir, verse by verse', starts_local, rrule })
  await database().run(sql`update up_events set description = ${description} where id = ${event}`)
  await untilSettled(database())
})
after(() => minaret.stop())

const get = (path: string, key?: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${minaret.baseUrl}/v1/masjids/${path}`, {
    headers: { ...headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
  })

const calendarOf = async (path: string): Promise<ICAL.Component> => {
  const response = await get(path, await keyFor('masjid:read', 'events:read', 'prayer-times:read'))
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8')
  const text = await response.text()
  assert.ok(text.endsWith('END:VCALENDAR\r\n'))
  assert.ok(text.split('\r\n').every(line => Buffer.byteLength(line) <= 75))
  const calendar = new ICAL.Component(ICAL.parse(text))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return calendar
}

const eventsOf = (calendar: ICAL.Component): ICAL.Event[] =>
  calendar.getAllSubcomponents('vevent').map(component => new ICAL.Event(component))

test('a parser finds every prayer at its instant, over the day clocks change', async () => {
  const calendar = await calendarOf(`${masjid}/prayer-times.ics?from=${first}&days=14`)
  const found = new Map(eventsOf(calendar).map(event => [event.uid, event.startDate.toUnixTime() * 1000]))
  const times = await resolvedTimes(database(), masjid, first, daysAfter(first, 13))
  assert.equal(found.size, times.length)
  for (const time of times) {
    const uid = `${masjid}-${time.date}-${time.prayer}-${time.session}@prayer-times.minaret`
    assert.equal(found.get(uid), Number(time.khutbah_at ?? time.iqamah_at ?? time.adhan_at), uid)
  }
  assert.equal(calendar.getAllSubcomponents('vtimezone').length, 1)
  const jumuah = eventsOf(calendar).find(event => event.uid.includes('jumuah'))
  assert.equal(jumuah?.startDate.toString(), `${friday}T13:00:00`)
  assert.match(jumuah?.description ?? '', /Iqamah 13:30/)
  assert.match(jumuah?.location ?? '', /^Larkspur; Lane, Masjid, 1 Larkspur Lane/)
  const isha = eventsOf(calendar).find(event => event.uid.includes('isha'))
  assert.equal(isha?.summary, 'Isha · After work')
})

test('a parser finds every occurrence, its text, and which are cancelled', async () => {
  await database().run(sql`
    update up_event_occurrences set status = 'cancelled' where masjid_id = ${masjid} and starts_local = ${`${nextFriday} 19:30`}`)
  const events = eventsOf(await calendarOf(`${masjid}/events.ics?from=${first}&days=20`))
  assert.deepEqual(
    events.map(event => [event.startDate.toString(), event.component.getFirstPropertyValue('status')]),
    [
      [`${friday}T19:30:00`, 'CONFIRMED'],
      [`${nextFriday}T19:30:00`, 'CANCELLED'],
      [`${daysAfter(friday, 14)}T19:30:00`, 'CONFIRMED'],
    ],
  )
  assert.deepEqual(events.map(event => event.startDate.toJSDate().toISOString()).slice(0, 2), [
    instant(`${friday}T19:30:00${change.before}`),
    instant(`${nextFriday}T19:30:00${change.after}`),
  ])
  assert.equal(events[0]?.summary, '=Tafsir, verse by verse')
  assert.equal(events[0]?.description, 'Bring: pens, paper; and\nquestions. الحمد لله '.repeat(4))
})

test('identifiers stay the same when times change', async () => {
  const uids = async () =>
    eventsOf(await calendarOf(`${masjid}/events.ics?from=${change.date}&days=30`)).map(({ uid }) => uid)
  const before = await uids()
  await database().run(sql`update up_events set duration_minutes = 75 where masjid_id = ${masjid}`)
  await untilSettled(database())
  assert.deepEqual(await uids(), before)
})

test('tables: a header, a line for each, formulas made harmless', async () => {
  const key = await keyFor('masjid:read', 'events:read', 'prayer-times:read')
  const times = await get(`${masjid}/prayer-times.csv?from=${friday}&days=1`, key)
  assert.match(times.headers.get('content-type') ?? '', /^text\/csv/)
  const [header, ...lines] = (await times.text()).trimEnd().split('\r\n')
  assert.equal(
    header,
    'date,hijri,is_ramadan,prayer,session,label,adhan_at,iqamah_at,khutbah_at,adhan_local,iqamah_local,source,source_updated_at,timezone',
  )
  assert.equal(lines.length, 6)
  const jumuah = lines.find(line => line.includes(',jumuah,'))?.split(',') ?? []
  assert.equal(jumuah[0], friday)
  assert.match(jumuah[1] ?? '', /^14\d\d-\d\d-\d\d$/)
  assert.deepEqual(
    jumuah.slice(7, 9),
    ['13:30:00', '13:00:00'].map(time => instant(`${friday}T${time}${change.before}`).replace('.000', '')),
  )
  assert.deepEqual(jumuah.slice(10, 12), [`${friday}T13:30:00`, 'manual'])
  const events = await (await get(`${masjid}/events.csv?from=${first}&days=10`, key)).text()
  assert.match(events, /"'=Tafsir, verse by verse"/)
})

test('the same answer has the same tag, and who knows it gets 304', async () => {
  const key = await keyFor('prayer-times:read')
  const path = `${masjid}/prayer-times.ics?from=${first}&days=7`
  const fresh = await get(path, key)
  const tag = fresh.headers.get('etag') ?? ''
  assert.match(tag, /^"[\w-]{27}"$/)
  assert.equal(fresh.headers.get('cache-control'), 'private, max-age=900')
  assert.equal(fresh.headers.get('vary'), 'authorization')
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await get(path, key, { 'if-none-match': known })
    assert.equal(again.status, 304, known)
    assert.equal(await again.text(), '')
  }
  assert.equal((await get(path, key, { 'if-none-match': '"other"' })).status, 200)
  await database().run(
    sql`update pc_iqamah_schedules set offset_minutes = 20 where masjid_id = ${masjid} and prayer = 'isha'`,
  )
  assert.notEqual((await get(path, key)).headers.get('etag'), tag)
})

test('a feed is kept, and follows what it shows at once; who has another credential gets their own', async () => {
  const [named, bare] = [
    await keyFor('masjid:read', 'prayer-times:read', 'events:read'),
    await keyFor('prayer-times:read'),
  ]
  const hits = async () => total(await scrape(minaret), 'minaret_pages_lookups_total', { outcome: 'hit' })
  for (const [feed, change] of [
    [
      'prayer-times.ics',
      sql`update pc_iqamah_schedules set offset_minutes = offset_minutes + 15 where masjid_id = ${masjid}`,
    ],
    [
      'prayer-times.csv',
      sql`update pc_iqamah_schedules set offset_minutes = offset_minutes - 15 where masjid_id = ${masjid}`,
    ],
    ['events.ics', sql`update up_masjids set address = '2 Larkspur Lane' where id = ${masjid}`],
    ['events.csv', sql`update up_events set location = 'The library' where masjid_id = ${masjid}`],
  ] as const) {
    const path = `${masjid}/${feed}?from=${friday}&days=20`
    await within(60_000, 'it is kept', async () => {
      const before = await hits()
      await (await get(path, named)).text()
      return (await hits()) > before
    })
    const shown = await (await get(path, named)).text()
    if (feed === 'prayer-times.ics') assert.doesNotMatch(await (await get(path, bare)).text(), /Larkspur/)
    assert.equal((await get(path)).status, 401)
    await database().run(change)
    assert.notEqual(await (await get(path, named)).text(), shown, feed)
  }
})

test('without a credential, or with a wrong one, nothing is given', async () => {
  for (const feed of feeds) {
    const bare = await get(`${masjid}/${feed}`)
    assert.equal(bare.status, 401)
    assert.match(bare.headers.get('www-authenticate') ?? '', /^Bearer/)
    assert.equal((await get(`${masjid}/${feed}`, 'mk_live_nonsense')).status, 401)
  }
})

test('each feed asks for its scope, and names the masjid only to those who may read the directory', async () => {
  const prayers = await keyFor('prayer-times:read')
  const events = await keyFor('events:read')
  for (const [path, key, status] of [
    ['prayer-times.ics', prayers, 200],
    ['prayer-times.csv', events, 403],
    ['events.ics', prayers, 403],
    ['events.csv', events, 200],
  ] as const)
    assert.equal((await get(`${masjid}/${path}?from=${first}&days=3`, key)).status, status, path)
  const refused = await get(`${masjid}/events.ics`, prayers)
  assert.match(refused.headers.get('www-authenticate') ?? '', /scope="events:read"/)
  assert.ok(
    !(await (await get(`${masjid}/prayer-times.ics?from=${first}&days=3`, prayers)).text()).includes('Larkspur'),
  )
})

test('a key in the address is taken when it opens public data only', async () => {
  const open = await keyFor('prayer-times:read', 'events:read')
  const wide = await keyFor('prayer-times:read', 'members:read')
  const path = `${masjid}/prayer-times.ics?from=${first}&days=3&key=`
  assert.equal((await get(path + open)).status, 200)
  const refused = await get(path + wide)
  assert.equal(refused.status, 403)
  assert.equal(((await refused.json()) as { error: string }).error, 'key_in_address')
  assert.equal((await get(path + wide, undefined)).status, 403)
  const writing = await keyFor('prayer-times:read', 'prayer-times:write')
  assert.equal((await get(path + writing)).status, 403)
  assert.equal((await get(`${masjid}/prayer-times.ics`, writing)).status, 200)
  assert.equal((await get(`${masjid}/prayer-times.ics`, wide)).status, 200)
  assert.equal((await get(`${path}eyJhbGciOiJFUzI1NiJ9.e30.c2ln`)).status, 403)
  assert.equal((await get(`${path}mk_live_nonsense`)).status, 401)
})

test('what is asked for wrongly is told', async () => {
  const key = await keyFor('prayer-times:read')
  for (const query of ['from=tomorrow', 'from=2026-13-40', 'days=0', 'days=401', 'days=1.5', 'days=x'])
    assert.equal((await get(`${masjid}/prayer-times.ics?${query}`, key)).status, 400, query)
  for (const name of ['00000000-0000-4000-8000-000000000000', 'no-such-masjid', "x' or 1=1"])
    assert.equal((await get(`${encodeURIComponent(name)}/prayer-times.ics`, key)).status, 404, name)
})

test('a masjid is found by its slug too, and not once it is deleted', async () => {
  const key = await keyFor('prayer-times:read')
  const other = await insertMasjid(database())
  const row = await database().first<{ slug: string }>(sql`select slug from up_masjids where id = ${other}`)
  assert.equal((await get(`${row?.slug}/prayer-times.csv`, key)).status, 200)
  await database().run(sql`update up_masjids set deleted_at = now() where id = ${other}`)
  assert.equal((await get(`${row?.slug}/prayer-times.csv`, key)).status, 404)
})

test('a page of another origin may read a feed, with a key of its own', async () => {
  const origin = { origin: 'https://screen.example.org' }
  const path = `${minaret.baseUrl}/v1/masjids/${masjid}/prayer-times.csv`
  const preflight = await fetch(path, {
    method: 'OPTIONS',
    headers: { ...origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  })
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/)
  const response = await get(`${masjid}/prayer-times.csv?days=1`, await keyFor('prayer-times:read'), origin)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.equal(response.headers.get('access-control-allow-credentials'), null)
})

test('the sandbox is open, shows its own masjids, and may be cached by everybody', async () => {
  const open = (path: string) => fetch(`${minaret.sandboxUrl}/v1/masjids/${path}`)
  for (const feed of feeds) {
    const response = await open(`${invented}/${feed}?from=${first}&days=5`)
    assert.equal(response.status, 200, feed)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=900')
  }
  assert.equal((await open(`${masjid}/prayer-times.ics`)).status, 404)
  const live = await keyFor('prayer-times:read')
  const refused = await fetch(`${minaret.sandboxUrl}/v1/masjids/${invented}/prayer-times.ics`, {
    headers: { authorization: `Bearer ${live}` },
  })
  assert.equal(refused.status, 401)
})
