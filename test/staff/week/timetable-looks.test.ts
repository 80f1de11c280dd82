// A change beside a published year in real Chromium: where it ends, the question inside of the year, and what the pages say afterwards.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { User } from '../../../src/accounts/users.ts'
import { sql } from '../../../src/db/sql.ts'
import { writeAs } from '../../data-model/writing.ts'
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
import { dayFrom, TOMORROW } from '../times/year.ts'
import { enterAs, type Masjid, makeMasjid, makeStaff } from '../use-staff.ts'

const STARTS = dayFrom(TOMORROW, 30)
const clocks = { fajr: '06:20', dhuhr: '13:30', asr: '18:00', maghrib: '20:30', isha: '22:30' }

const prepare = async ({ service: { database } }: TestMinaret): Promise<{ masjid: Masjid; user: User }> => {
  const masjid = await makeMasjid(database)
  await fillDays(database, { from: dayFrom(TOMORROW, -2), days: 50 })
  for (const prayer of ['fajr', 'dhuhr'])
    await insertRule(database, masjid.id, { prayer, rule: 'rounded_offset', offset_minutes: 15, round_to: 5 })
  await insertRule(database, masjid.id, { prayer: 'isha', rule: 'fixed', fixed_time: '19:30' })
  const user = await makeStaff(database, { masjid, capabilities: ['times'] })
  const days = Array.from({ length: 365 }, (_, index) =>
    Object.entries(clocks).map(([prayer, iqamah]) => ({ date: dayFrom(STARTS, index), prayer, iqamah })),
  )
  await writeAs(
    database,
    { user_id: user.id },
    sql`select id from pc_publish_timetable(${masjid.id}, 'times 2027.xlsx', ${JSON.stringify(days.flat())}::jsonb)`,
  )
  return { masjid, user }
}

const checkLooks = async (page: Page, name: string, look: Look): Promise<void> => {
  await takeScreenshot(page, `${name}-${look}`)
  assert.deepEqual(await faultsInLook(page, look), [], `${name}, ${look}`)
}

describe('a change beside a published year', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()

  for (const look of openedLooks)
    test(`is accessible, fits the screen, and asks before it replaces days of the year (${look})`, async () => {
      const { masjid, user } = await prepare(minaret())
      await inPage(browser(), { ...looks[look], baseURL: minaret().baseUrl }, async page => {
        const preview = async (first: string): Promise<void> => {
          await page.goto(`/staff/${masjid.slug}/week/change?prayer=fajr&session=1&from=${first}`)
          await page.locator('[name=how][value=offset]').check()
          await page.locator('[name=offset_minutes]').fill('20')
          await page.locator('.change-form button').click()
          await page.locator('.hall').waitFor()
        }
        await enterAs(minaret(), page, user, look.startsWith('arabic') ? 'ar' : 'en')
        await preview(TOMORROW)
        await checkLooks(page, 'change-before-timetable', look)
        await page.locator('.publish-form button').click()
        await page.waitForURL(/done=published/)
        await checkLooks(page, 'week-before-timetable', look)
        await preview(dayFrom(STARTS, 5))
        await page.locator('.publish-form button').click()
        await page.locator('.notice.bad').waitFor()
        await checkLooks(page, 'change-in-timetable', look)
        await page.locator('[name=replace_timetables]').check()
        await page.locator('.publish-form button').click()
        await page.waitForURL(/done=published/)
        await page.goto(`/staff/${masjid.slug}/times?done=published`)
        await checkLooks(page, 'timetable-starts-later', look)
      })
    })
})
