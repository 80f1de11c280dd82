// A screen whose device has the wrong time: right when the service can be reached, and plain about it when not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { noBrowser, takeScreenshot, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { pairScreen } from './pair-screen.ts'
import {
  clockIn,
  enterHall,
  expectDay,
  type HallMasjid,
  inContext,
  makeHallMasjid,
  noonOf,
  setDeviceClock,
  shown,
} from './use-hall.ts'

const HOUR_MS = 3_600_000
const AFTER_A_POWER_CUT = Date.parse('1970-01-01T00:00:07Z')

let masjid: HallMasjid
const minaret = useMinaret({}, async running => {
  masjid = await makeHallMasjid(running)
})
const browser = useBrowser()

/** The minute may pass while somebody looks. */
const expectTrueTime = async (page: Page): Promise<void> => {
  await page
    .locator('#clock')
    .filter({ hasText: new RegExp([0, 1, 2].map(minutes => clockIn(Date.now() + minutes * 60_000)).join('|')) })
    .waitFor()
  assert.equal(await page.locator('#status').textContent(), '')
}

test('the clock of the device may be hours ahead, or decades behind: with a connection the time is right, without one it is not made up', {
  skip: noBrowser,
}, async () => {
  await inContext(browser(), {}, async ({ page, context }) => {
    const tokens = await pairScreen(minaret(), masjid.keeper, 'Wrong clock')
    await minaret().service.database.run(sql`
      update minaret.screens set settings = '{"dark_minutes": 0}' where name = 'Wrong clock'`)
    await setDeviceClock(page, Date.now() + 3 * HOUR_MS)
    await enterHall(minaret(), page, tokens)
    await page.locator('body[data-part=hall]').waitFor()
    await expectTrueTime(page)

    // The clock is set while the screen runs: it asks the service again, and goes on.
    const asked = page.waitForResponse(response => response.url().endsWith('/screen/state'))
    await setDeviceClock(page, Date.now() + 30 * HOUR_MS)
    await asked
    await expectTrueTime(page)

    // Power was lost, and with it the time; the network is not there yet.
    await context.setOffline(true)
    await setDeviceClock(page, AFTER_A_POWER_CUT)
    await page.reload()
    await page.locator('body[data-part=ran-out]').waitFor()
    assert.match(
      (await page.locator('#ran-out').textContent()) ?? '',
      /The time is not known.*clock of this device is wrong/s,
    )
    assert.equal(await page.locator('#day').isVisible(), false)
    await takeScreenshot(page, 'screen-clock-unknown')

    // With a connection it is known again, although the clock still is wrong.
    await context.setOffline(false)
    await page.reload()
    await page.locator('body[data-part=hall]').waitFor()
    await expectTrueTime(page)

    // A clock that goes on, but that nobody could check since the start: the times are shown, and that is said.
    await context.setOffline(true)
    await setDeviceClock(page, AFTER_A_POWER_CUT + noonOf(masjid.dayAhead(2)) - Date.now())
    await page.reload()
    await shown(page)
    await expectDay(page, masjid.dayAhead(2))
    await page.locator('#status').filter({ hasText: 'which has not been checked' }).waitFor()
    await takeScreenshot(page, 'screen-clock-unchecked')
  })
})
