// What strangers, and staff with bad intentions, try with public pages: markup in texts, paths, parameters, forged hosts, floods, drafts, people.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { rawSql, sql } from '../../../src/db/sql.ts'
import { announce, getPage, makeShownMasjid, metaOf, textOf } from '../../masjid/use-masjid-page.ts'
import { type Masjid, makeStaff } from '../../staff/use-staff.ts'
import { answer } from '../../support/events.ts'
import { type TestMinaret, useMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

interface Scans {
  readonly by_index: number
  readonly whole: number
}

const scansOf = async ({ service: { database } }: TestMinaret): Promise<Scans> => {
  const row = await database.first<Scans>(sql`
    select idx_scan::integer as by_index, seq_scan::integer as whole from pg_stat_user_tables
    where schemaname = 'public' and relname = 'up_announcements'`)
  assert.ok(row)
  return row
}

/** Without triggers: nobody needs the times of these masjids calculated. */
const crowd = `do $$ begin
  perform set_config('session_replication_role', 'replica', true);
  insert into public.up_masjids (slug, name, address, city, country, latitude, longitude, timezone)
  select 'crowd-' || n, 'Crowd ' || n, 'x', 'Crowdtown', 'US', 20, 20, 'UTC' from generate_series(1, 1000) n;
  insert into public.up_announcements (masjid_id, texts, starts_at)
  select id, '{"en": {"title": "News"}}', now() - interval '1 hour' from public.up_masjids, generate_series(1, 10);
end $$`

let masjid: Masjid
let scansBefore: Scans
const minaret = useMinaret({}, async started => {
  // Before any page is read: with few rows the planner would not use an index.
  await started.service.database.run(rawSql(crowd))
  await started.service.database.run(sql`analyze up_masjids, up_announcements`)
  scansBefore = await scansOf(started)
  masjid = await makeShownMasjid(started)
})
const path = (rest = ''): string => `/m/${masjid.slug}${rest}`

const linkedData = (page: string): string =>
  /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? ''

describe('markup in texts', () => {
  const evil = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\'<!--'

  test('stays text on every page, in previews and in linked data', async () => {
    const { database } = minaret().service
    const target = await makeShownMasjid(minaret())
    await database.run(sql`
      update up_masjids set name = ${evil}, name_ar = ${evil}, address = ${evil}, city = ${evil} where id = ${target.id}`)
    await database.run(sql`
      update up_events set title = ${evil}, description = ${evil}, location = ${evil} where masjid_id = ${target.id}`)
    await announce(minaret(), target, { title: evil, body: evil, urgent: true })
    for (const rest of ['', '/widget', '?lang=ar']) {
      const page = await textOf(minaret(), `/m/${target.slug}${rest}`)
      assert.ok(!page.includes('<script>alert') && !page.includes('<img src=x'), rest)
      assert.equal(page.match(/<script/g)?.length, page.match(/<\/script>/g)?.length, rest)
    }
    const page = await textOf(minaret(), `/m/${target.slug}`)
    const { '@graph': graph } = JSON.parse(linkedData(page)) as { '@graph': { name: string }[] }
    assert.equal(graph[0]?.name, evil)
    assert.equal(graph[1]?.name, evil)
    assert.ok(metaOf(page, 'og:title')?.startsWith(evil))
    const found = await textOf(minaret(), `/find?q=${encodeURIComponent(evil)}`)
    assert.ok(!found.includes('<script>alert'))
    assert.equal((await getPage(minaret(), `/m/${target.slug}/og.png`)).status, 200)
    const calendar = await textOf(minaret(), `/m/${target.slug}/events.ics`)
    assert.match(calendar.replaceAll('\r\n ', ''), /SUMMARY:<\/script>/)
  })

  test('marks that turn the direction of text around are refused in a name, and left out of other texts', async () => {
    const { database } = minaret().service
    const target = await makeShownMasjid(minaret())
    const turned = 'Masjid \u202egnikcart\u202c \u2066x\u2069'
    await assert.rejects(database.run(sql`update up_masjids set name = ${turned} where id = ${target.id}`), /is_plain/)
    await announce(minaret(), target, { title: `Donate at \u202emoc.live` })
    const page = await textOf(minaret(), `/m/${target.slug}`)
    assert.match(page, /Donate at moc\.live/)
    assert.doesNotMatch(page, /[\u202a-\u202e\u2066-\u2069]/)
  })

  test('a link that would run a script is refused by the database, and no page has one', async () => {
    const { database } = minaret().service
    const target = await makeShownMasjid(minaret())
    const refused = await database
      .run(sql`update up_masjids set website = 'javascript:alert(1)' where id = ${target.id}`)
      .then(
        () => false,
        () => true,
      )
    assert.ok(refused)
    assert.doesNotMatch(await textOf(minaret(), `/m/${target.slug}`), /href="javascript/i)
  })
})

describe('paths and parameters', () => {
  test('only a name in addresses is looked up; everything else is 404 without a trace', async () => {
    for (const asked of [
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e%2f%2e%2e%2fpackage.json',
      'x%00y',
      "x'%20or%20'1'='1",
      `${'a'.repeat(300)}`,
      '%ff%fe',
      `${masjid.slug}%2f..%2fstaff`,
      `${masjid.slug}/staff`,
      'constructor',
      '__proto__',
    ]) {
      const response = await getPage(minaret(), `/m/${asked}`)
      const text = await response.text()
      assert.ok([404, 400].includes(response.status), `${asked}: ${response.status}`)
      assert.doesNotMatch(text, /root:|"dependencies"|SELECT|select /, asked)
    }
  })

  test('the widget’s wishes are words from a list: nothing else reaches its page', async () => {
    const usual = await textOf(minaret(), path('/widget?lang=en'))
    const wishes = {
      theme: 'dark"><style>*{background:url(//evil.test)}</style>',
      accent: 'red;} body{display:none',
      clock: '<b>',
      style: 'body{}',
      color: '#fff',
    }
    assert.equal(await textOf(minaret(), path(`/widget?${new URLSearchParams({ lang: 'en', ...wishes })}`)), usual)
    const policy = (await getPage(minaret(), path('/widget'))).headers.get('content-security-policy') ?? ''
    assert.match(policy, /style-src 'self';/)
    assert.doesNotMatch(policy, /unsafe|data:|https?:/)
  })

  test('only the widget may be framed', async () => {
    const policyOf = async (asked: string): Promise<string> =>
      (await getPage(minaret(), asked)).headers.get('content-security-policy') ?? ''
    assert.match(await policyOf(path('/widget')), /frame-ancestors \*/)
    assert.equal((await getPage(minaret(), path('/widget'))).headers.get('x-frame-options'), null)
    for (const asked of [path(), '/find', '/', '/sign-in', '/m/no-such-masjid']) {
      assert.match(await policyOf(asked), /frame-ancestors 'none'/, asked)
      assert.equal((await getPage(minaret(), asked)).headers.get('x-frame-options'), 'DENY', asked)
    }
  })
})

/** `fetch` does not let anybody choose the Host header. */
const getFor = (host: string, asked: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { host, 'x-forwarded-host': host, 'x-forwarded-proto': 'gopher', forwarded: `host=${host}` }
    const sent = request(minaret().baseUrl + asked, { headers }, response => {
      const parts: Buffer[] = []
      response.on('data', part => parts.push(part)).on('end', () => resolve(Buffer.concat(parts).toString()))
    })
    sent.on('error', reject).end()
  })

test('a forged host is in no address of the page, the sitemap or the picture', async () => {
  for (const asked of [
    path(),
    '/robots.txt',
    '/sitemap.xml',
    '/sitemap-1.xml',
    '/m/no-such-masjid',
    '/find?q=larkspur',
  ])
    assert.doesNotMatch(await getFor('evil.test', asked), /evil\.test/, asked)
})

test('people, givers, guests and what is only planned are on no public page', async () => {
  const { database } = minaret().service
  const target = await makeShownMasjid(minaret())
  await makeStaff(database, { masjid: target, role: 'admin' })
  await database.run(sql`
    update ua_members set given_name = 'Zubaydah-Secret', email = 'zubaydah@example.org' where masjid_id = ${target.id}`)
  await database.run(sql`
    insert into ua_donations (masjid_id, amount_minor, currency, method, status, received_at, donor_name)
    values (${target.id}, 987654, 'USD', 'card', 'succeeded', now(), 'Harun-Secret')`)
  const occurrence = await database.first<{ id: string }>(
    sql`select id from up_event_occurrences where masjid_id = ${target.id} order by starts_at limit 1`,
  )
  await answer(database, occurrence?.id ?? '')
  await announce(minaret(), target, { title: 'Planned-Secret', starts: '2 days' })
  await announce(minaret(), target, { title: 'Staff-Secret', shownOn: '{apps}' })
  const secret = /Secret|zubaydah|Sample Guest|9,?876/
  // An id made up of random digits may have those of the amount in it.
  const shown = async (asked: string): Promise<string> => (await textOf(minaret(), asked)).replaceAll(UUID, '')
  for (const asked of ['', '?lang=ar', '/widget', '/prayer-times.ics', '/events.ics'])
    assert.doesNotMatch(await shown(`/m/${target.slug}${asked}`), secret, asked)
  assert.doesNotMatch(await shown('/find?q=larkspur'), secret)
})

test('a flood of pictures under ever new addresses gets one picture', async () => {
  const tags = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const response = await getPage(minaret(), path(`/og.png?lang=en&day=${index}&x=${'y'.repeat(index)}`))
      assert.equal(response.status, 200)
      await response.arrayBuffer()
      return response.headers.get('etag')
    }),
  )
  assert.equal(new Set(tags).size, 1)
})

test('one page reads by index beside 1,000 masjids with ten announcements each', async () => {
  // Statistics arrive when a connection has nothing to do for a while; what was read by index shows that they did.
  await within(60_000, 'the page was read by index', async () => {
    await textOf(minaret(), path())
    return (await scansOf(minaret())).by_index > scansBefore.by_index
  })
  assert.equal((await scansOf(minaret())).whole, scansBefore.whole)
})
