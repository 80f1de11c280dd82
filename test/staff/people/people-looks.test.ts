// People and households in real Chromium, on a phone in both languages.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import {
  accessibilityFaults,
  inPage,
  looks,
  noBrowser,
  scrollsSideways,
  takeScreenshot,
  useBrowser,
} from '../../support/browser.ts'
import { useMinaret } from '../../support/minaret.ts'
import { enterAs, makeMasjid, makeStaff } from '../use-staff.ts'

describe('people on a phone', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()

  for (const [language, add] of [
    ['en', 'Add'],
    ['ar', 'إضافة'],
  ] as const)
    test(`are added, listed, given a household, and imported (${language})`, async () => {
      const { database } = minaret().service
      const masjid = await makeMasjid(database)
      const user = await makeStaff(database, { masjid, capabilities: ['people'] })
      await database.run(sql`
        with household as (
          insert into public.ua_households (masjid_id, name, address, city) values (${masjid.id}, 'Rahman family', '12 Orchard Row', 'Leeds')
          returning id)
        insert into public.ua_members (masjid_id, household_id, given_name, family_name, email, phone, status)
        select ${masjid.id}, household.id, 'Maryam', 'Rahman', 'maryam@example.org', '+44 113 496 0000', 'pending' from household`)
      await inPage(browser(), { ...looks.phone, baseURL: minaret().baseUrl }, async page => {
        await enterAs(minaret(), page, user, language)
        const check = async (name: string): Promise<void> => {
          await takeScreenshot(page, `people-${name}-${language}`)
          assert.deepEqual(await accessibilityFaults(page), [], name)
          assert.equal(await scrollsSideways(page), false, `${name} scrolls sideways`)
        }
        await page.goto(`/staff/${masjid.slug}/people`)
        await check('list')
        await page.goto(`/staff/${masjid.slug}/people/new`)
        await page.getByRole('button', { name: add, exact: true }).click()
        await page.locator('[href="#given_name"]').waitFor()
        await check('faults')
        await page.locator('#given_name').fill('يوسف')
        await page.getByRole('button', { name: add, exact: true }).click()
        await page.waitForURL(/done=created/)
        await check('person')
        const person = page.url().replace(/\?.*/, '')
        await page.locator('a[href$="/household"]').click()
        await check('move')
        await page.goto(`${person}/consent`)
        await check('consent')
        await page.goto(`/staff/${masjid.slug}/people/import`)
        await page.locator('#list').fill('Name\tEmail\nZaid Omar\tzaid@example.org\nMaryam Rahman\t\nX\tnot-an-address')
        await page.locator('#given_how').selectOption('paper')
        await page.locator('#given_on').fill('2026-01-09')
        await page.locator('#evidence').fill('Folder 3')
        await page.locator('button[value="preview"]').click()
        await page.locator('#decide_3').waitFor()
        await check('preview')
        await page.locator('button[value="publish"]').click()
        await page.waitForURL(/done=imported/)
        await page.goto(`/staff/${masjid.slug}/people/households`)
        await check('households')
      })
    })
})
