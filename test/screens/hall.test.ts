// The screen in Chromium: paired, in another zone, without a network for weeks, through power cuts, dark during prayer, ended.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { accessibilityFaults, noBrowser, takeScreenshot, useBrowser } from '../support/browser.ts'
import { insertRule } from '../support/iqamah.ts'
import { useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { connectScreen, type Keeper, makeKeeper, pairScreen, readState } from './pair-screen.ts'

const television = { width: 1920, height: 1080 }
const DAY_MS = 86_400_000

interface Row {
  readonly names: readonly string[]
  readonly adhan: number | null
  readonly iqamah: number | null
  readonly prayed: boolean
}
interface State {
  readonly days: readonly { readonly date: string; readonly rows: readonly Row[] }[]
}

let keeper: Keeper
let state: State
const minaret = useMinaret({}, async running => {
  keeper = await makeKeeper(running)
  const { database } = running.service
  for (const prayer of ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'])
    await insertRule(database, keeper.masjid.id, { prayer, rule: 'offset', offset_minutes: 15 })
  const { access_token: token } = await pairScreen(running, keeper, 'Reader')
  await within(90_000, 'the times are there', async () => {
    state = (await (await readState(running, token)).json()) as State
    return state.days.length >= 35 && state.days.every(({ rows }) => rows.some(({ iqamah }) => iqamah !== null))
  })
})
const browser = useBrowser()

interface Hall {
  readonly page: Page
  readonly context: BrowserContext
}

/** A paired screen, which shows the hall. */
const inHall = async (
  name: string,
  options: { viewport?: typeof television; timezoneId?: string },
  work: (hall: Hall) => Promise<void>,
): Promise<void> => {
  const context = await browser().newContext({ viewport: television, ...options })
  context.setDefaultTimeout(90_000)
  try {
    const page = await context.newPage()
    await page.goto(`${minaret().baseUrl}/screen`)
    const code = page.locator('#code')
    await code.filter({ hasText: '-' }).waitFor()
    await takeScreenshot(page, `screen-pairing-${name}`)
    await connectScreen(keeper.person, (await code.textContent()) ?? '', { masjid: keeper.masjid.id, name })
    await page.locator('body:not([data-part=pairing]):not([data-part=starting])').waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await work({ page, context })
  } finally {
    await context.close()
  }
}

const noonOf = (day: State['days'][number]): number => {
  const dhuhr = day.rows.find(({ names }) => names[0] === 'Dhuhr' || names[0] === 'Jumu’ah')
  return (dhuhr?.adhan ?? 0) - 60_000 * 10
}

const dayAhead = (days: number): State['days'][number] => {
  const day = state.days[days + 1]
  if (day === undefined) throw new Error(`no day ${days} ahead`)
  return day
}

const clockIn = (moment: number): string =>
  new Intl.DateTimeFormat('en', {
    timeZone: 'America/New_York',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(moment)

/** As people see it: the name and the adhan of each row. */
const shownTimes = async (page: Page): Promise<string[]> =>
  (await page.locator('#day tbody tr').allInnerTexts()).map(text => text.replaceAll(/\s+/g, ' '))

const expectDay = async (page: Page, day: State['days'][number]): Promise<void> => {
  await page.locator('body[data-part=hall]').waitFor()
  const fajr = day.rows.find(({ names }) => names[0] === 'Fajr')
  const wanted = `Fajr ${clockIn(fajr?.adhan ?? 0)}`
  await page
    .locator('#day tbody tr')
    .filter({ hasText: new RegExp(`^\\s*Fajr\\s+${clockIn(fajr?.adhan ?? 0)}`) })
    .waitFor()
  assert.ok((await shownTimes(page))[0]?.startsWith(wanted), (await shownTimes(page)).join('\n'))
}

test('a screen pairs by its code, and shows clock, dates, times, the next prayer and a countdown in the masjid’s zone', {
  skip: noBrowser,
}, async () => {
  await inHall('Tokyo', { timezoneId: 'Asia/Tokyo' }, async ({ page }) => {
    const day = dayAhead(2)
    const noon = noonOf(day)
    await page.clock.setFixedTime(noon)
    await expectDay(page, day)
    await page
      .locator('#clock')
      .filter({ hasText: clockIn(noon) })
      .waitFor()
    assert.match((await page.locator('#next').textContent()) ?? '', /adhan in/)
    assert.equal(await page.locator('#countdown').textContent(), '10:00')
    assert.match((await page.locator('#day').textContent()) ?? '', /Sunrise[\s\S]*14\d\d AH|14\d\d AH[\s\S]*Sunrise/)
    assert.deepEqual(await accessibilityFaults(page), [])
    await takeScreenshot(page, 'screen-hall')
    const asr = day.rows.find(({ names }) => names[0] === 'Asr')
    await page.clock.setFixedTime((asr?.adhan ?? 0) + 60_000)
    await page.locator('#next').filter({ hasText: 'Asr: iqamah in' }).waitFor()
    assert.equal(await page.locator('#countdown').textContent(), '14:00')
  })
})

test('dark from the iqamah on, with the clock; tomorrow’s times after Isha', { skip: noBrowser }, async () => {
  await inHall('Dark', {}, async ({ page }) => {
    const day = dayAhead(1)
    const isha = day.rows.find(({ names }) => names[0] === 'Isha')
    const iqamah = isha?.iqamah ?? 0
    await page.clock.setFixedTime(iqamah + 2 * 60_000)
    await page.locator('body[data-part=dark]').waitFor()
    await page
      .locator('#dark-clock')
      .filter({ hasText: clockIn(iqamah + 2 * 60_000) })
      .waitFor()
    await page.clock.setFixedTime(iqamah + 12 * 60_000)
    await expectDay(page, day)
    await page.clock.setFixedTime(iqamah + 40 * 60_000)
    await page.locator('#which').filter({ hasText: 'Tomorrow' }).waitFor()
    await expectDay(page, dayAhead(2))
    await page.locator('#next').filter({ hasText: 'Fajr: adhan in' }).waitFor()
  })
})

test('weeks without a network: each day its own times, even after a restart; then it says that it knows no more', {
  skip: noBrowser,
}, async () => {
  await inHall('Offline', {}, async ({ page, context }) => {
    await expectDay(page, dayAhead(0)).catch(() => undefined)
    await within(30_000, 'the state is kept', async () => (await page.locator('#name').textContent()) !== '')
    await context.setOffline(true)
    for (const days of [1, 9, 30]) {
      const day = dayAhead(days)
      await page.clock.setFixedTime(noonOf(day))
      if (days === 9) await page.reload()
      await expectDay(page, day)
    }
    await page.locator('#status').filter({ hasText: 'No connection since' }).waitFor()
    await page.clock.setFixedTime(noonOf(dayAhead(30)) + 10 * DAY_MS)
    await page.locator('body[data-part=ran-out]').waitFor()
    assert.match((await page.locator('#ran-out').textContent()) ?? '', /The times of today are not known/)
    assert.equal(await page.locator('#day').isVisible(), false)
  })
})

test('an update that breaks off, and a page that is closed in it, leave the last whole state', {
  skip: noBrowser,
}, async () => {
  await inHall('Power', {}, async ({ page, context }) => {
    await within(30_000, 'the state is kept', async () => (await page.locator('#name').textContent()) !== '')
    let broken = 0
    await context.route('**/screen/state', async route => {
      const response = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
      const body = await response.text()
      broken += 1
      await route.fulfill({ response, body: body.slice(0, body.length / 2) })
    })
    await page.reload()
    await within(30_000, 'an update broke off', async () => broken > 0)
    await page.close()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(true)
    const again = await context.newPage()
    await again.clock.setFixedTime(noonOf(dayAhead(3)))
    await again.goto(`${minaret().baseUrl}/screen`)
    await expectDay(again, dayAhead(3))
  })
})

test('changes show within a minute; a screen that was disconnected shows a code again, and nothing of the masjid', {
  skip: noBrowser,
}, async () => {
  await inHall('Ended', {}, async ({ page }) => {
    const { database } = minaret().service
    await within(30_000, 'the state is kept', async () => (await page.locator('#name').textContent()) !== '')
    let asked = 0
    page.on('request', request => {
      if (request.url().endsWith('/screen/state')) asked += 1
    })
    await database.run(sql`update minaret.screens set settings = '{"language": "ar"}' where name = 'Ended'`)
    await page.locator('html[dir=rtl]').waitFor()
    // Every half minute: the first question that was sent after the change brings it.
    assert.ok(asked <= 2, String(asked))
    await takeScreenshot(page, 'screen-arabic')
    asked = 0
    await database.run(sql`
      update minaret.grants set revoked_at = now() where id = (select grant_id from minaret.screens where name = 'Ended')`)
    await page.locator('body[data-part=pairing]').waitFor()
    assert.ok(asked <= 2, String(asked))
    assert.equal(await page.locator('#hall').isVisible(), false)
  })
})

const looks = [
  { name: 'portrait', viewport: { width: 1080, height: 1920 }, settings: { language: 'en-ar' } },
  { name: 'landscape-both', viewport: television, settings: { language: 'ar-en', clock: '12', type: 'large' } },
  {
    name: 'phone',
    viewport: { width: 390, height: 844 },
    settings: { language: 'ar', ground: '#000000', accent: '#ffdd55' },
  },
] as const

for (const { name, viewport, settings } of looks)
  test(`fits and reads well: ${name}`, { skip: noBrowser }, async () => {
    await inHall(name, { viewport }, async ({ page }) => {
      await minaret().service.database.run(sql`
        update minaret.screens set settings = ${JSON.stringify(settings)} where name = ${name}`)
      await page.reload()
      await page.clock.setFixedTime(noonOf(dayAhead(1)))
      await page.locator(`html[lang=${settings.language.slice(0, 2)}]`).waitFor()
      await page.locator('body[data-part=hall]').waitFor()
      await page.locator('#countdown').filter({ hasText: ':' }).waitFor()
      await takeScreenshot(page, `screen-${name}`)
      assert.deepEqual(await accessibilityFaults(page), [])
      const outside = await page.evaluate(`(() => {
        const last = document.querySelector('#day').getBoundingClientRect()
        return last.bottom > innerHeight + 1 || last.right > innerWidth + 1 || last.left < -1
      })()`)
      assert.equal(outside, false)
    })
  })
