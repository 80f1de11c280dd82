// What a public page costs: few statements, as many for much data as for little; and little to load before it is painted.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../src/db/sql.ts'
import type { Masjid } from '../staff/use-staff.ts'
import { inPage, noBrowser, useBrowser } from '../support/browser.ts'
import { relayStatements, type StatementRelay } from '../support/count-statements.ts'
import { adminConnection } from '../support/database.ts'
import { startTestMinaret, type TestMinaret, useMinaret } from '../support/minaret.ts'
import { untilSettled } from '../support/settled.ts'
import { announce, getPage, makeShownMasjid, textOf } from './use-masjid-page.ts'

const minaret = useMinaret()

/** Who asks, which travels with the statement it is for. */
const isSetting = (text: string): boolean => text.startsWith('select set_config(')

/** How often each statement was run. */
const countsOf = (statements: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const text of statements) if (!isSetting(text)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

const MOST_ROUNDS = 60
/** After a few rounds: whatever the jobs are doing, they do not do it all the time. */
const PAUSE_MS = 200

/**
 * The statements that every request runs, as often as they are in every round. Jobs run statements meanwhile, which are only in
 * some rounds: while there are more than there should be, another round is made.
 */
const statementsOf = async (
  relayed: TestMinaret,
  { statements }: StatementRelay,
  { path, most }: { path: string; most: number },
): Promise<string[]> => {
  await textOf(relayed, path)
  let found: string[] = []
  let least: Map<string, number> | undefined
  for (let round = 1; round <= MOST_ROUNDS && (round <= 3 || found.length > most); round += 1) {
    if (round > 3) await delay(PAUSE_MS)
    statements.length = 0
    await textOf(relayed, path)
    const counts = countsOf(statements)
    const earlier = least ?? counts
    least = new Map([...earlier].map(([text, count]) => [text, Math.min(count, counts.get(text) ?? 0)]))
    found = [...least].flatMap(([text, count]) => Array.from({ length: count }, () => text))
  }
  return found
}

describe('public pages', () => {
  let relay: StatementRelay
  let relayed: TestMinaret
  let masjid: Masjid

  before(async () => {
    masjid = await makeShownMasjid(minaret())
    const { host, port } = adminConnection()
    relay = await relayStatements({ host: String(host), port: Number(port) })
    const url = new URL(minaret().databaseUrl)
    url.searchParams.set('host', '127.0.0.1')
    url.searchParams.set('port', String(relay.port))
    // What it costs to make them.
    relayed = await startTestMinaret({ DATABASE_URL: String(url), PAGE_CACHE_MB: '0' })
  })
  after(async () => {
    await relayed.stop()
    await relay.close()
  })

  const most = (): Readonly<Record<string, number>> => ({
    [`/m/${masjid.slug}`]: 2,
    [`/m/${masjid.slug}/widget`]: 2,
    [`/m/${masjid.slug}/prayer-times.ics`]: 3,
    [`/m/${masjid.slug}/events.ics`]: 3,
    '/find?q=larkspur': 2,
    '/find?lat=35.78&lon=-78.64': 2,
  })

  test('run few statements, and no more where there is much to show', async () => {
    const { database } = minaret().service
    const assertFew = async (): Promise<void> => {
      for (const [path, limit] of Object.entries(most())) {
        const found = await statementsOf(relayed, relay, { path, most: limit })
        assert.ok(found.length >= 1 && found.length <= limit, `${path}: ${found.length}\n${found.join('\n')}`)
      }
    }
    await assertFew()
    for (let index = 0; index < 25; index += 1) await announce(minaret(), masjid, { title: `Announcement ${index}` })
    await database.run(sql`
      insert into public.up_events (masjid_id, title, starts_local, timezone, rrule)
      select ${masjid.id}, 'Event ' || n, now()::date + 1 + time '18:00', 'America/New_York', 'FREQ=DAILY;COUNT=20'
      from generate_series(1, 40) n`)
    await database.run(sql`
      insert into public.up_masjids (slug, name, address, city, country, latitude, longitude, timezone)
      select 'larkspur-' || n, 'Larkspur ' || n, 'x', 'Raleigh', 'US', 35.78 + n / 1000.0, -78.64, 'America/New_York'
      from generate_series(1, 12) n`)
    await untilSettled(database, 120_000)
    await assertFew()
  })

  test('are painted without script, and have no more than 100 KB to load', { skip: noBrowser }, async () => {
    for (const path of [`/m/${masjid.slug}`, '/find?q=larkspur', `/m/${masjid.slug}/widget`])
      await inPage(browser(), { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }, async page => {
        let bytes = 0
        page.on('response', async response => {
          bytes += Number(
            (
              await response
                .request()
                .sizes()
                .catch(() => undefined)
            )?.responseBodySize ?? 0,
          )
        })
        await page.goto(minaret().baseUrl + path, { waitUntil: 'networkidle' })
        assert.match((await page.locator('body').textContent()) ?? '', /Larkspur/)
        assert.ok(bytes > 0 && bytes < 100_000, `${path}: ${bytes} bytes`)
      })
    const html = await textOf(minaret(), `/m/${masjid.slug}`)
    // Nothing stands between the page and its first paint but its style.
    assert.doesNotMatch(html, /<script src="[^"]+"(?![^>]*\b(?:defer|async|type="module"))/)
  })

  test('robots.txt names the screen', async () => {
    assert.match(await (await getPage(minaret(), '/robots.txt')).text(), /^Disallow: \/screen$/m)
  })
})

const browser = useBrowser()
