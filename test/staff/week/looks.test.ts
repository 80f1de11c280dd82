// The pages of "This week" in real Chromium: on a phone and a desk, in both languages, light and dark.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { User } from '../../../src/accounts/users.ts'
import {
  faultsInLook,
  inPage,
  type Look,
  looks,
  noBrowser,
  openedLooks,
  takeScreenshot,
  useBrowser,
} from '../../support/browser.ts'
import { insertRule } from '../../support/iqamah.ts'
import { type TestMinaret, useMinaret } from '../../support/minaret.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { enterAs, type Masjid, makeMasjid, makeStaff } from '../use-staff.ts'

const prepare = async ({ service: { database } }: TestMinaret): Promise<{ masjid: Masjid; user: User }> => {
  const masjid = await makeMasjid(database)
  await fillDays(database, { from: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10), days: 130 })
  await insertRule(database, masjid.id, { prayer: 'fajr', rule: 'rounded_offset', offset_minutes: 20, round_to: 5 })
  await insertRule(database, masjid.id, { prayer: 'isha', rule: 'fixed', fixed_time: '19:30' })
  await insertRule(database, masjid.id, { prayer: 'isha', rule: 'offset', offset_minutes: 15, season: 'ramadan' })
  await insertRule(database, masjid.id, { prayer: 'taraweeh', rule: 'offset', offset_minutes: 30 })
  for (const session of [1, 2])
    await insertRule(database, masjid.id, {
      prayer: 'jumuah',
      session,
      rule: 'fixed',
      fixed_time: `1${session + 2}:15`,
      khutbah_minutes: 25,
    })
  return { masjid, user: await makeStaff(database, { masjid, role: 'admin' }) }
}

const checkLooks = async (page: Page, name: string, look: Look): Promise<void> => {
  await takeScreenshot(page, `${name}-${look}`)
  assert.deepEqual(await faultsInLook(page, look), [], `${name}, ${look}`)
}

describe('the pages of this week', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()

  for (const look of openedLooks)
    test(`are accessible, fit the screen and lead from the week to a published change (${look})`, async () => {
      const { masjid, user } = await prepare(minaret())
      await inPage(browser(), { ...looks[look], baseURL: minaret().baseUrl }, async page => {
        await enterAs(minaret(), page, user, look.startsWith('arabic') ? 'ar' : 'en')
        await page.goto(`/staff/${masjid.slug}/week`)
        await checkLooks(page, 'week', look)
        await page.goto(`/staff/${masjid.slug}/week/change?prayer=isha&session=1`)
        assert.equal(await page.locator('[name=offset_minutes]').isVisible(), false)
        await page.locator('[name=how][value=rounded_offset]').check()
        await page.locator('[name=offset_minutes]').fill('25')
        await checkLooks(page, 'week-change', look)
        await page.locator('.change-form button').click()
        await page.locator('.hall').waitFor()
        await page.locator('[name=when][value=set]').check()
        await checkLooks(page, 'week-preview', look)
        await page.locator('[name=when][value=now]').check()
        await page.locator('.publish-form button').click()
        await page.waitForURL(/done=published/)
        for (const part of ['sessions', 'ramadan']) {
          await page.goto(`/staff/${masjid.slug}/week/${part}`)
          await checkLooks(page, `week-${part}`, look)
        }
      })
    })
})
