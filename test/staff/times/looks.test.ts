// Timetables in real Chromium: from the first page to a year that is live, on a phone and in both languages.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { accessibilityFaults, inPage, looks, noBrowser, takeScreenshot, useBrowser } from '../../support/browser.ts'
import { useMinaret } from '../../support/minaret.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { enterAs, makeMasjid, makeStaff } from '../use-staff.ts'
import { dayFrom, TOMORROW, yearCsv } from './year.ts'

describe('a timetable in a browser', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()
  const file = join(tmpdir(), `timetable-${process.pid}.csv`)
  writeFileSync(file, yearCsv({ isha: index => (index === 40 ? '15:00' : '22:30') }))

  after(() => rmSync(file))

  for (const [name, look, language] of [
    ['phone', looks.phone, 'en'],
    ['phone', looks.phone, 'ar'],
  ] as const)
    test(`goes from a file to live times in four steps (${name}, ${language})`, async () => {
      const { database } = minaret().service
      const masjid = await makeMasjid(database)
      await fillDays(database, { from: dayFrom(TOMORROW, -2), days: 370 })
      const user = await makeStaff(database, { masjid, capabilities: ['times'] })
      await inPage(browser(), { ...look, baseURL: minaret().baseUrl }, async page => {
        const check = async (title: string): Promise<void> => {
          await takeScreenshot(page, `staff-times-${title}-${name}-${language}`)
          assert.deepEqual(await accessibilityFaults(page), [], title)
          const wide = await page.evaluate(
            'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
          )
          assert.equal(wide, false, `${title} scrolls sideways`)
        }
        await enterAs(minaret(), page, user, language)
        await page.goto(`/staff/${masjid.slug}/times`)
        await check('start')
        await page.setInputFiles('input[type=file]', file)
        await page.click('form[enctype] button.primary')
        await page.waitForURL(/drafts\/[^/]+$/)
        await check('columns')
        await page.click('form button.primary')
        await page.waitForURL(/preview/)
        await check('preview')
        await page.click('form button.primary')
        await page.waitForURL(/done=published/)
        await check('published')
        const row = await database.first<{ count: number }>(sql`
          select count(*)::integer as count from pc_prayer_times
          where masjid_id = ${masjid.id} and source = 'uploaded' and prayer = 'isha'`)
        assert.equal(row?.count, 365)
        await page.click('a[href$="/rules"]')
        await check('rules')
        await page.click('form button.primary')
        await page.waitForURL(/done=rules/)
      })
    })
})
