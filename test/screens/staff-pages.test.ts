// The staff pages about screens in Chromium: accessible, and readable on a phone and in Arabic.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { enterAs } from '../staff/use-staff.ts'
import { faultsInLook, inPage, looks, noBrowser, openedLooks, takeScreenshot, useBrowser } from '../support/browser.ts'
import { pollDevice, startDevice } from '../support/device.ts'
import { useMinaret } from '../support/minaret.ts'
import { type Keeper, makeKeeper, pairScreen, readState, SCREEN_SCOPE, screenApp } from './pair-screen.ts'

describe('the screens of a masjid', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()
  let keeper: Keeper
  let pages: Readonly<Record<string, string>>

  before(async () => {
    keeper = await makeKeeper(minaret())
    const { database } = minaret().service
    const main = await pairScreen(minaret(), keeper, 'Main hall')
    await pairScreen(minaret(), keeper, 'شاشة مصلى النساء')
    await readState(minaret(), main.access_token)
    const screen = await database.first<{ id: string }>(sql`
      select id from minaret.screens where masjid_id = ${keeper.masjid.id} and name = 'Main hall'`)
    const list = `/staff/${keeper.masjid.slug}/screens`
    pages = { list, change: `${list}/${screen?.id}` }
  })

  for (const look of openedLooks)
    test(`have no accessibility violations and fit the screen: ${look}`, () =>
      inPage(browser(), looks[look], async page => {
        await enterAs(minaret(), page, keeper.user, looks[look].locale)
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(minaret().baseUrl + path)
          await takeScreenshot(page, `staff-screens-${name}-${look}`)
          assert.deepEqual(await faultsInLook(page, look), [], `${name}, ${look}`)
        }
      }))

  test('Enter after the name of a new screen connects it', () =>
    inPage(browser(), looks.light, async page => {
      const codes = await startDevice(minaret(), screenApp, SCREEN_SCOPE)
      await enterAs(minaret(), page, keeper.user)
      await page.goto(codes.verification_uri_complete)
      await page.locator('[name=user_code]').press('Enter')
      await page.waitForURL('**/device/confirm**')
      assert.deepEqual(await faultsInLook(page, 'light'), [])
      await page.locator('[name=name]').fill('Entrance')
      await page.locator('[name=name]').press('Enter')
      await page.waitForURL('**done=allow**')
      assert.equal((await pollDevice(minaret(), screenApp, codes.device_code)).status, 200)
    }))

  test('a screen that was never in contact, and one that was not for long, can be told from the others', async () => {
    const { database } = minaret().service
    await database.run(sql`
      update minaret.screens set seen_at = now() - interval '3 days'
      where masjid_id = ${keeper.masjid.id} and name = 'Main hall'`)
    const { text } = await keeper.person.get(pages.list ?? '')
    assert.match(text, /not yet/)
    assert.match(text, /Not reached/)
  })
})
