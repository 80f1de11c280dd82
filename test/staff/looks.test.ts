// Staff pages in real Chromium, as most people use them: on a phone, in both languages.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
import { fillDays } from '../support/prayer-times.ts'
import { enterAs, makeMasjid, makeStaff } from './use-staff.ts'

describe('the overview of a masjid', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()

  for (const language of ['en', 'ar'])
    test(`is accessible and fits a phone (${language})`, async () => {
      const { database } = minaret().service
      const masjid = await makeMasjid(database)
      await fillDays(database, { from: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10), days: 3 })
      const user = await makeStaff(database, { masjid, role: 'admin' })
      await inPage(browser(), { ...looks.phone, baseURL: minaret().baseUrl }, async page => {
        await enterAs(minaret(), page, user, language)
        await page.goto(`/staff/${masjid.slug}`)
        await takeScreenshot(page, `staff-overview-${language}`)
        assert.deepEqual(await accessibilityFaults(page), [])
        assert.equal(await scrollsSideways(page), false, 'the page scrolls sideways')
      })
    })
})
