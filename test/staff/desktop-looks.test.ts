// Every page of the staff area on a desktop, in both languages, light and dark: axe finds nothing, nothing scrolls sideways.
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
import { staffRoutes } from './staff-routes.ts'
import { enterAs, makeMasjid, makeStaff } from './use-staff.ts'

const DAY_MS = 86_400_000

/** Pages about one record are looked at where the record is made. */
const hasRecord = (url: string): boolean => url.replace('/:slug', '').includes(':')
const isFile = (url: string): boolean => /\.\w+$|export/.test(url)

describe('staff pages on a desktop', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()

  for (const [language, colorScheme] of [
    ['en', 'dark'],
    ['ar', 'light'],
  ] as const)
    test(`are accessible (${language}, ${colorScheme})`, async () => {
      const { database } = minaret().service
      const masjid = await makeMasjid(database)
      await fillDays(database, { from: new Date(Date.now() - DAY_MS).toISOString().slice(0, 10), days: 40 })
      const user = await makeStaff(database, { masjid, role: 'admin' })
      const urls = (await staffRoutes()).filter(
        ({ method, url }) => method === 'GET' && !hasRecord(url) && !isFile(url),
      )
      await inPage(browser(), { ...looks.light, colorScheme, baseURL: minaret().baseUrl }, async page => {
        await enterAs(minaret(), page, user, language)
        let looked = 0
        for (const { url } of urls) {
          const path = url.replace(':slug', masjid.slug)
          const response = await page.goto(path)
          if (response?.headers()['content-type']?.startsWith('text/html') !== true) continue
          // What just happened is in the query of some, and without it they do not exist.
          if (response.status() === 404) continue
          assert.equal(response.status(), 200, path)
          looked += 1
          await takeScreenshot(page, `desktop${url.replaceAll('/', '-').replace('-staff-:slug', '')}-${language}`)
          assert.deepEqual(await accessibilityFaults(page), [], path)
          assert.equal(await scrollsSideways(page), false, `${path} scrolls sideways`)
        }
        assert.ok(looked > 20, `${looked} pages`)
      })
    })
})
