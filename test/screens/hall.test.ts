// The screen in Chromium: paired, in another zone, without a network for weeks, dark during prayer, followed, ended.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { announce } from '../masjid/use-masjid-page.ts'
import { accessibilityFaults, noBrowser, takeScreenshot, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { revoke } from '../support/oauth.ts'
import { startWatch } from '../support/waited.ts'
import { connectScreen, pairScreen, screenApp } from './pair-screen.ts'
import {
  adhanOf,
  clockIn,
  enterHall,
  expectDay,
  type Hall,
  type HallMasjid,
  inContext,
  iqamahOf,
  makeHallMasjid,
  noonOf,
  setDeviceClock,
  shown,
  television,
} from './use-hall.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let masjid: HallMasjid
const minaret = useMinaret({}, async running => {
  masjid = await makeHallMasjid(running)
})
const browser = useBrowser()
const database = () => minaret().service.database

/** One screen for all of this: time only moves forward in it. */
describe('a screen that loses its connection', { skip: noBrowser }, () => {
  let hall: Hall
  let finish: () => void = () => undefined
  let closed: Promise<void> | undefined

  before(async () => {
    const opened = Promise.withResolvers<Hall>()
    const finished = Promise.withResolvers<void>()
    finish = finished.resolve
    closed = inContext(browser(), { timezoneId: 'Asia/Tokyo' }, async given => {
      opened.resolve(given)
      await finished.promise
    })
    hall = await opened.promise
  })
  after(async () => {
    finish()
    await closed
  })

  test('a screen pairs by its code, and shows clock, dates, times, the next prayer and a countdown in the masjid’s zone', async () => {
    const { page, cutOff } = hall
    await page.goto(`${minaret().baseUrl}/screen`)
    const code = page.locator('#code')
    await code.filter({ hasText: '-' }).waitFor()
    await takeScreenshot(page, 'screen-pairing')
    const { keeper } = masjid
    await connectScreen(keeper.person, (await code.textContent()) ?? '', { masjid: keeper.masjid.id, name: 'Tokyo' })
    await shown(page)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await cutOff()
    const day = masjid.dayAhead(1)
    // Half a second, which the countdown rounds up: the service's clock and the browser's differ by a little.
    await setDeviceClock(page, noonOf(day) + 500)
    await expectDay(page, day)
    await page
      .locator('#clock')
      .filter({ hasText: clockIn(noonOf(day)) })
      .waitFor()
    assert.match((await page.locator('#next').textContent()) ?? '', /adhan in/)
    // Its clock goes on.
    assert.match((await page.locator('#countdown').textContent()) ?? '', /^(?:10:00|9:\d\d)$/)
    assert.match((await page.locator('#day').textContent()) ?? '', /Sunrise[\s\S]*14\d\d AH|14\d\d AH[\s\S]*Sunrise/)
    assert.deepEqual(await accessibilityFaults(page), [])
    await takeScreenshot(page, 'screen-hall')
    await setDeviceClock(page, adhanOf(day, 'Asr') + MINUTE_MS + 500)
    await page.locator('#next').filter({ hasText: 'Asr: iqamah in' }).waitFor()
    assert.match((await page.locator('#countdown').textContent()) ?? '', /^(?:14:00|13:\d\d)$/)
  })

  test('dark from the iqamah on, with the clock; tomorrow’s times after Isha', async () => {
    const { page } = hall
    const iqamah = iqamahOf(masjid.dayAhead(1), 'Isha')
    await setDeviceClock(page, iqamah + 2 * MINUTE_MS)
    await page.locator('body[data-part=dark]').waitFor()
    await page
      .locator('#dark-clock')
      .filter({ hasText: clockIn(iqamah + 2 * MINUTE_MS) })
      .waitFor()
    await setDeviceClock(page, iqamah + 12 * MINUTE_MS)
    await expectDay(page, masjid.dayAhead(1))
    await setDeviceClock(page, iqamah + 40 * MINUTE_MS)
    await page.locator('#which').filter({ hasText: 'Tomorrow' }).waitFor()
    await expectDay(page, masjid.dayAhead(2))
    await page.locator('#next').filter({ hasText: 'Fajr: adhan in' }).waitFor()
  })

  test('weeks without a network: each day its own times, even after a restart; then it says that it knows no more', async () => {
    const { page } = hall
    for (const days of [3, 9, 30]) {
      const day = masjid.dayAhead(days)
      await setDeviceClock(page, noonOf(day))
      if (days === 9) await page.reload()
      await expectDay(page, day)
    }
    await page.locator('#status').filter({ hasText: 'No connection since' }).waitFor()
    await takeScreenshot(page, 'screen-offline')
    await setDeviceClock(page, noonOf(masjid.dayAhead(30)) + 10 * DAY_MS)
    await page.locator('body[data-part=ran-out]').waitFor()
    assert.match((await page.locator('#ran-out').textContent()) ?? '', /The times of today are not known/)
    assert.equal(await page.locator('#day').isVisible(), false)
    await takeScreenshot(page, 'screen-ran-out')
  })
})

test('what staff change is on the screen at once; a screen that was disconnected shows a code again, and nothing of the masjid', {
  skip: noBrowser,
}, async () => {
  await inContext(browser(), {}, async ({ page }) => {
    const tokens = await pairScreen(minaret(), masjid.keeper, 'Followed')
    const following = page.waitForResponse(response => response.url().endsWith('/screen/changes'))
    await enterHall(minaret(), page, tokens)
    assert.equal((await following).status(), 200)
    // Only what has just been asked for could be new: the next question is minutes away. It may be dark, as it is now a prayer.
    await page.locator('#name').filter({ hasText: 'Larkspur' }).waitFor({ state: 'attached' })
    const delays: number[] = []
    const isShownAfter = async (selector: string, work: () => Promise<unknown>): Promise<void> => {
      await work()
      const watch = startWatch()
      await page.locator(selector).waitFor({ state: 'attached' })
      delays.push(watch())
    }
    await isShownAfter('#pinned:has-text("Flood in the basement")', () =>
      announce(minaret(), masjid.keeper.masjid, { title: 'Flood in the basement', urgent: true, shownOn: '{screen}' }),
    )
    await isShownAfter('html[dir=rtl]', () =>
      database().run(sql`update minaret.screens set settings = '{"language": "ar"}' where name = 'Followed'`),
    )
    // Where processors are shared, any of them may have had to wait.
    assert.ok(Math.min(...delays) < 2000, String(delays))
    await database().run(sql`delete from public.up_announcements where masjid_id = ${masjid.keeper.masjid.id}`)
    await isShownAfter('body[data-part=pairing]', () =>
      database().run(sql`
        update minaret.grants set revoked_at = now()
        where id = (select grant_id from minaret.screens where name = 'Followed')`),
    )
    assert.equal(await page.locator('#hall').isVisible(), false)
    assert.doesNotMatch(await page.content(), /Flood/)
  })
})

test('without the stream, the screen asks every half minute', { skip: noBrowser }, async () => {
  await inContext(browser(), { viewport: television }, async ({ page, context }) => {
    await context.route('**/screen/changes', route => route.abort())
    await page.clock.install()
    await enterHall(minaret(), page, await pairScreen(minaret(), masjid.keeper, 'Asking'))
    await page.locator('#name').filter({ hasText: 'Larkspur' }).waitFor({ state: 'attached' })
    await database().run(sql`update minaret.screens set settings = '{"language": "ar"}' where name = 'Asking'`)
    // What is on its way arrives; nothing further is asked before its time.
    await page.clock.fastForward(20_000)
    assert.equal(await page.locator('html').getAttribute('dir'), 'ltr')
    await page.clock.fastForward(12_000)
    await page.locator('html[dir=rtl]').waitFor({ state: 'attached' })
  })
})

test(
  'where the browser has no locks, as in a page without https, the screen still renews its token',
  {
    skip: noBrowser,
  },
  () =>
    inContext(browser(), {}, async ({ page }) => {
      await page.addInitScript("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })")
      const tokens = await pairScreen(minaret(), masjid.keeper, 'Plain')
      await enterHall(minaret(), page, tokens)
      const renewed = page.waitForResponse('**/api/oauth/token')
      assert.equal((await revoke(minaret(), screenApp, tokens.access_token)).status, 200)
      assert.equal((await renewed).status(), 200)
      await announce(minaret(), masjid.keeper.masjid, { title: 'Seen with a new token', urgent: true })
      await page.locator('#pinned').filter({ hasText: 'Seen with a new token' }).waitFor({ state: 'attached' })
    }),
)
