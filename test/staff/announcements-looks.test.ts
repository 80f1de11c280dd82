// Announcements in real Chromium: a janazah on a phone, in both languages, and by keyboard.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import {
  accessibilityFaults,
  inPage,
  looks,
  noBrowser,
  scrollsSideways,
  takeScreenshot,
  useBrowser,
} from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { enterAs, makeMasjid, makeStaff } from './use-staff.ts'

describe('announcing on a phone', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()

  for (const [language, publish] of [
    ['en', 'Publish'],
    ['ar', 'نشر'],
  ] as const)
    test(`a janazah needs a name and one press (${language})`, async () => {
      const { database } = minaret().service
      const masjid = await makeMasjid(database)
      const user = await makeStaff(database, { masjid, capabilities: ['announcements'] })
      await inPage(browser(), { ...looks.phone, baseURL: minaret().baseUrl }, async page => {
        await enterAs(minaret(), page, user, language)
        const check = async (name: string): Promise<void> => {
          await takeScreenshot(page, `announcements-${name}-${language}`)
          assert.deepEqual(await accessibilityFaults(page), [], name)
          assert.equal(await scrollsSideways(page), false, `${name} scrolls sideways`)
        }
        await page.goto(`/staff/${masjid.slug}/announcements/new?kind=janazah`)
        await check('janazah')
        await page.getByRole('button', { name: publish }).click()
        await check('fault')
        await page.locator('#name').fill('Ahmad Saleh')
        await page.getByRole('button', { name: publish }).click()
        await page.waitForURL(/done=created/)
        await check('list')
        await page.goto(`/staff/${masjid.slug}/announcements/new`)
        await check('new')
      })
      const rows = await database.query(
        sql`select from public.up_announcements where masjid_id = ${masjid.id} and kind = 'janazah'`,
      )
      assert.equal(rows.length, 1)
    })
})
