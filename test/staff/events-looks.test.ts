// Events in real Chromium: on a phone in both languages, and answers as they print.
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
import { within } from '../support/oauth.ts'
import { untilSettled } from '../support/settled.ts'
import { enterAs, makeMasjid, makeStaff } from './use-staff.ts'

describe('events on a phone', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()

  for (const [language, publish] of [
    ['en', 'Publish'],
    ['ar', 'نشر'],
  ] as const)
    test(`are created, listed and answered (${language})`, async () => {
      const { database } = minaret().service
      const masjid = await makeMasjid(database)
      const user = await makeStaff(database, { masjid, capabilities: ['events'] })
      await inPage(browser(), { ...looks.phone, baseURL: minaret().baseUrl }, async page => {
        await enterAs(minaret(), page, user, language)
        const check = async (name: string): Promise<void> => {
          await takeScreenshot(page, `events-${name}-${language}`)
          assert.deepEqual(await accessibilityFaults(page), [], name)
          assert.equal(await scrollsSideways(page), false, `${name} scrolls sideways`)
        }
        await page.goto(`/staff/${masjid.slug}/events/new`)
        await page.locator('#title').fill('Tafsir')
        await page.locator('#repeat').selectOption('weekly')
        await page.locator('#anchor').selectOption('maghrib')
        await page.getByRole('button', { name: publish }).click()
        await page.waitForURL(/done=created/)
        // The service's own job may be at it, and prayer times of a new masjid come first.
        await within(60_000, 'the event has a date', async () => {
          await untilSettled(database)
          const dates = sql`select from public.up_event_occurrences where masjid_id = ${masjid.id} limit 1`
          return (await database.first(dates)) !== undefined
        })
        await check('edit')
        await page.goto(`/staff/${masjid.slug}/events`)
        await check('list')
        await database.run(sql`
          insert into public.up_event_rsvps (occurrence_id, masjid_id, guest_name, guest_email)
          select id, masjid_id, 'Sample Guest', 'guest@example.org' from public.up_event_occurrences
          where masjid_id = ${masjid.id} order by starts_at limit 1`)
        await page.locator('a[href$="/answers"]').first().click()
        await check('answers')
        await page.emulateMedia({ media: 'print' })
        assert.equal(await page.locator('.staff-menu').isVisible(), false)
        assert.equal(await page.locator('.site-header').isVisible(), false)
        assert.equal(await page.getByText('Sample Guest').isVisible(), true)
        await takeScreenshot(page, `events-print-${language}`)
      })
    })
})
