// Screens over HTTP: pairing, what a screen reads, its end, and the staff pages about it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { scrape, total } from '../observability/scrape.ts'
import { makeMasjid, makeStaff, visitAs } from '../staff/use-staff.ts'
import { pollDevice, startDevice, typeCode } from '../support/device.ts'
import { useMinaret } from '../support/minaret.ts'
import { readError, readTokens, refresh, userinfo, within } from '../support/oauth.ts'
import { decodeHtml } from '../support/person.ts'
import {
  connectScreen,
  type Keeper,
  makeKeeper,
  pairScreen,
  readState,
  SCREEN_SCOPE,
  screenApp,
} from './pair-screen.ts'

let keeper: Keeper
const minaret = useMinaret({ METRICS_PORT: '0' }, async running => {
  keeper = await makeKeeper(running)
})
const database = () => minaret().service.database

interface State {
  readonly names: readonly string[]
  readonly timezone: string
  readonly days: readonly { readonly date: string; readonly html: string; readonly rows: readonly object[] }[]
  readonly notices: readonly { readonly html: string; readonly pinned: boolean }[]
  readonly look: Readonly<Record<string, unknown>>
  readonly direction: string
}

const stateOf = async (token: string): Promise<State> => {
  const response = await readState(minaret(), token)
  assert.equal(response.status, 200)
  return (await response.json()) as State
}

const timesAreThere = (token: string) =>
  within(60_000, 'the times are calculated', async () => (await stateOf(token)).days.length >= 30)

test('a screen is paired by somebody who looks after screens, and reads a month of its masjid', async () => {
  const tokens = await pairScreen(minaret(), keeper)
  assert.equal(tokens.scope, SCREEN_SCOPE)
  assert.equal(tokens.id_token, undefined)
  await timesAreThere(tokens.access_token)
  const { names, timezone, days } = await stateOf(tokens.access_token)
  assert.deepEqual([names, timezone], [['Larkspur Lane Masjid'], 'America/New_York'])
  assert.match(days[1]?.html ?? '', /Fajr[\s\S]*Sunrise[\s\S]*Dhuhr[\s\S]*Isha/)
})

test('what a screen shows is kept, and follows its masjid, its settings and its logo at once', async () => {
  const other = await makeKeeper(minaret())
  const tokens = await pairScreen(minaret(), other, 'Kept')
  await timesAreThere(tokens.access_token)
  const textOf = async (): Promise<string> => (await readState(minaret(), tokens.access_token)).text()
  const pages = async () => {
    const samples = await scrape(minaret())
    return total(samples, 'minaret_pages_lookups_total', { outcome: 'hit' })
  }
  const untilKept = () =>
    within(60_000, 'the state is kept', async () => {
      const before = await pages()
      await textOf()
      return (await pages()) > before
    })
  const logo = 'https://images.example.org/logo-of-kept.png'
  const settings = (value: object) => () =>
    database().run(sql`update minaret.screens set settings = ${JSON.stringify(value)}::jsonb where name = 'Kept'`)
  const fetched = () =>
    database().run(sql`
      insert into minaret.images (address, address_hash, state, content, content_type)
      values (${logo}, sha256(convert_to(${logo}, 'UTF8')), 'fetched', 'x', 'image/png')
      on conflict (address_hash) do update set state = 'fetched', content = 'x', content_type = 'image/png', reason = null`)
  const id = other.masjid.id
  const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['the name', () => database().run(sql`update up_masjids set name = 'Renamed Masjid' where id = ${id}`)],
    [
      'an announcement',
      () =>
        database().run(sql`insert into up_announcements (masjid_id, kind, texts, shown_on, starts_at)
          values (${id}, 'general', '{"en": {"title": "On the screen"}}', '{screen}', now() - interval '1 hour')`),
    ],
    [
      'the times',
      () =>
        database().run(
          sql`update pc_calculated_times set dhuhr = dhuhr + interval '3 minutes' where masjid_id = ${id}`,
        ),
    ],
    ['its settings', settings({ language: 'ar' })],
    ['its settings, again', settings({ language: 'en', logo })],
    ['its logo', fetched],
    ['its settings as before', settings({ language: 'ar' })],
  ]
  for (const [what, change] of changes) {
    await untilKept()
    const shown = await textOf()
    await change()
    assert.notEqual(await textOf(), shown, what)
  }
  await untilKept()
  await database().run(sql`
    update minaret.grants set revoked_at = now()
    where id = (select grant_id from minaret.screens where name = 'Kept')`)
  assert.equal((await readState(minaret(), tokens.access_token)).status, 401)
})

test('an unchanged state is 304; a change of the settings is a new one', async () => {
  const tokens = await pairScreen(minaret(), keeper, 'With a tag')
  await timesAreThere(tokens.access_token)
  const first = await readState(minaret(), tokens.access_token)
  const etag = first.headers.get('etag') ?? ''
  assert.equal((await readState(minaret(), tokens.access_token, { 'if-none-match': etag })).status, 304)
  await database().run(sql`update minaret.screens set settings = '{"language": "ar"}' where name = 'With a tag'`)
  assert.equal((await readState(minaret(), tokens.access_token, { 'if-none-match': etag })).status, 200)
  assert.equal((await stateOf(tokens.access_token)).direction, 'rtl')
})

test('announcements for screens and coming events are in the state; others are not', async () => {
  const { masjid } = keeper
  const announce = (title: string, more: { place?: string; start?: string; urgent?: boolean } = {}) =>
    database().run(sql`
      insert into public.up_announcements (masjid_id, texts, shown_on, starts_at, urgent)
      values (${masjid.id}, ${JSON.stringify({ en: { title } })}, ${`{${more.place ?? 'screen'}}`}::public.up_announcement_place[],
        now() + ${more.start ?? '-1 hour'}::interval, ${more.urgent ?? false})`)
  await announce('Parking is full <b>')
  await announce('Flood', { urgent: true })
  await announce('On the web only', { place: 'page' })
  await announce('Not yet', { start: '1 hour' })
  const tokens = await pairScreen(minaret(), keeper, 'With news')
  const { notices } = await stateOf(tokens.access_token)
  const titles = notices.map(({ html }) => decodeHtml(/<h2>(.*?)<\/h2>/.exec(html)?.[1] ?? ''))
  assert.deepEqual(titles.slice(0, 2), ['Flood', 'Parking is full <b>'])
  assert.ok(!JSON.stringify(notices).includes('On the web only') && !JSON.stringify(notices).includes('Not yet'))
  assert.deepEqual(
    notices.slice(0, 2).map(({ pinned }) => pinned),
    [true, false],
  )
})

test('a screen has the masjid and the name that were chosen; both are asked for', async () => {
  const codes = await startDevice(minaret(), screenApp, SCREEN_SCOPE)
  const nameless = await connectScreen(keeper.person, codes.user_code, { masjid: keeper.masjid.id, name: '' })
  assert.equal(nameless.status, 422)
  assert.match(nameless.text, /Give the screen a name/)
  const placeless = await connectScreen(keeper.person, codes.user_code, { masjid: '', name: 'Hall' })
  assert.equal(placeless.status, 422)
  const asked = await typeCode(keeper.person, codes.user_code)
  const page = await keeper.person.get(asked.location ?? '')
  assert.ok(page.text.includes(`value="${keeper.masjid.id}" selected`))
  assert.match(page.text, /Did you start this yourself/)
})

test('who looks after no screens can only deny', async () => {
  const other = await makeStaff(database(), { masjid: keeper.masjid, capabilities: ['events'] })
  const person = await visitAs(minaret(), other)
  const codes = await startDevice(minaret(), screenApp, SCREEN_SCOPE)
  const asked = await typeCode(person, codes.user_code)
  const { text } = await person.get(asked.location ?? '')
  assert.match(text, /do not look after the screens of any masjid/)
  assert.ok(!text.includes('value="allow"'))
})

test('the list has name, last contact and address; a screen is renamed, set up and disconnected, with history', async () => {
  const own = await makeKeeper(minaret())
  const tokens = await pairScreen(minaret(), own, 'Left wall')
  await stateOf(tokens.access_token)
  const list = await own.person.get(`/staff/${own.masjid.slug}/screens`)
  for (const expected of ['Left wall', '127.0.0.1', 'Screen connected'])
    assert.ok(list.text.includes(expected), expected)
  const path = /href="(\/staff\/[^"]+\/screens\/[0-9a-f-]{36})"/.exec(list.text)?.[1] ?? ''
  const fields = {
    name: 'Right wall',
    language: 'ar-en',
    clock: '12',
    type: 'large',
    ground: '#000000',
    accent: '#ffdd55',
    logo: '',
    dark_minutes: '15',
  }
  assert.equal((await own.person.submit(path, path, { ...fields, ground: '#eeeeee' })).status, 422)
  assert.equal((await own.person.submit(path, path, { ...fields, dark_minutes: '61' })).status, 422)
  assert.equal((await own.person.submit(path, path, { ...fields, logo: 'javascript:alert(1)' })).status, 422)
  assert.equal((await own.person.submit(path, path, fields)).status, 303)
  const { look, direction } = await stateOf(tokens.access_token)
  assert.deepEqual(
    [look.clock, look.type, look.ground, look.dark_minutes, direction],
    ['12', 'large', '#000000', 15, 'rtl'],
  )
  const shown = async (name: string): Promise<boolean> =>
    (await stateOf(tokens.access_token)).days[1]?.html.includes(name) ?? false
  await timesAreThere(tokens.access_token)
  assert.equal(await shown('الإمساك'), false)
  assert.equal((await own.person.submit(path, path, { ...fields, other_times: 'all' })).status, 422)
  assert.equal((await own.person.submit(path, path, { ...fields, other_times: 'imsak' })).status, 303)
  assert.deepEqual([await shown('الإمساك'), await shown('الثلث الأخير')], [true, false])
  assert.equal((await own.person.submit(path, path, { ...fields, other_times: 'night' })).status, 303)
  assert.deepEqual([await shown('الإمساك'), await shown('الثلث الأخير')], [true, true])
  assert.equal((await own.person.submit(path, `${path}/revoke`, {})).status, 303)
  assert.equal((await readState(minaret(), tokens.access_token)).status, 401)
  assert.equal((await refresh(minaret(), screenApp, tokens.refresh_token)).status, 400)
  const after = await own.person.get(`/staff/${own.masjid.slug}/screens?done=revoked`)
  assert.ok(!after.text.includes(path))
  for (const expected of ['Screen disconnected', 'Screen changed']) assert.ok(after.text.includes(expected), expected)
})

test('90 days without contact end a screen; while it asks, nothing does', async () => {
  const tokens = await pairScreen(minaret(), keeper, 'Long ago')
  const ends = await database().first<{ idle: boolean; total: boolean }>(sql`
    select idle_expires_at between now() + interval '89 days' and now() + interval '91 days' as idle,
      expires_at = 'infinity' as total
    from minaret.refresh_tokens join minaret.screens using (grant_id) where name = 'Long ago'`)
  assert.deepEqual(ends, { idle: true, total: true })
  const next = await readTokens(await refresh(minaret(), screenApp, tokens.refresh_token))
  await database().run(sql`
    update minaret.refresh_tokens set idle_expires_at = now() - interval '1 second'
    where grant_id = (select grant_id from minaret.screens where name = 'Long ago')`)
  assert.equal((await readError(await refresh(minaret(), screenApp, next.refresh_token))).error, 'invalid_grant')
})

test('a screen that lost power before it stored its new token gets the same one again, even days later', async () => {
  const tokens = await pairScreen(minaret(), keeper, 'Power cut')
  const lost = await readTokens(await refresh(minaret(), screenApp, tokens.refresh_token))
  const later = () =>
    database().run(sql`
      update minaret.refresh_tokens set used_at = used_at - interval '3 days'
      where grant_id = (select grant_id from minaret.screens where name = 'Power cut')`)
  await later()
  const again = await readTokens(await refresh(minaret(), screenApp, tokens.refresh_token))
  assert.equal(again.refresh_token, lost.refresh_token)
  const next = await readTokens(await refresh(minaret(), screenApp, again.refresh_token))
  await later()
  // Now its successor was used: whoever shows the first one is not the screen.
  assert.equal((await readError(await refresh(minaret(), screenApp, tokens.refresh_token))).error, 'invalid_grant')
  assert.equal((await readError(await refresh(minaret(), screenApp, next.refresh_token))).error, 'invalid_grant')
})

test('the page, its files and the QR code are there for everybody, under a strict policy', async () => {
  const page = await fetch(`${minaret().baseUrl}/screen`)
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/)
  const worker = await (await fetch(`${minaret().baseUrl}/screen/worker.js`)).text()
  const files = /const FILES = (\[.*\])/.exec(worker)?.[1] ?? '[]'
  const kept = JSON.parse(files) as string[]
  assert.ok(kept.includes('/screen') && kept.includes('/screen/screen.js') && kept.includes('/screen/screen.css'))
  for (const path of kept) {
    const file = await fetch(minaret().baseUrl + path)
    assert.equal(file.status, 200, path)
    // Without a network, a script finds what it imports only here.
    for (const [, imported = ''] of (await file.text()).matchAll(/from '\.\/([^']+)'/g))
      assert.ok(kept.includes(`/screen/${imported}`), `${path} imports ${imported}`)
  }
  const qr = await fetch(`${minaret().baseUrl}/screen/qr/BCDF-GHJK.svg`)
  assert.deepEqual([qr.status, qr.headers.get('content-type')], [200, 'image/svg+xml'])
  assert.equal((await fetch(`${minaret().baseUrl}/screen/qr/hello.svg`)).status, 404)
})

test('userinfo, GraphQL and feeds refuse the token of a screen', async () => {
  const tokens = await pairScreen(minaret(), keeper, 'Curious')
  const headers = { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' }
  const query = JSON.stringify({ query: '{ up_masjids { id } }' })
  assert.equal((await userinfo(minaret(), tokens.access_token)).status, 401)
  assert.equal((await fetch(`${minaret().baseUrl}/v1/graphql`, { method: 'POST', headers, body: query })).status, 401)
  const other = await makeMasjid(database())
  assert.equal((await fetch(`${minaret().baseUrl}/v1/masjids/${other.id}/events.ics`, { headers })).status, 401)
})

test('no other token reads a state', async () => {
  assert.equal((await readState(minaret(), 'x')).status, 401)
  assert.equal((await fetch(`${minaret().baseUrl}/screen/state`)).status, 401)
  assert.equal((await pollDevice(minaret(), screenApp, 'x')).status, 400)
})
