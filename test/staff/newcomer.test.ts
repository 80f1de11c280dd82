// A newcomer's task, in real Chromium on a phone: from signing in to a year's timetable that apps and "This week" show.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { ar } from '../../src/site/texts/ar.ts'
import { en } from '../../src/site/texts/en.ts'
import { makeApp, makeKey, makeUser, PASSWORD } from '../support/apps.ts'
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
import { dayFrom, TOMORROW, yearCsv } from './times/year.ts'
import { type Masjid, makeMasjid } from './use-staff.ts'

const ISHA = '22:30'
/** One day is a slip of the pen, which the preview shows. */
const year = yearCsv({ start: dayFrom(TOMORROW, -2), isha: index => (index === 40 ? '15:00' : ISHA) })

describe('a newcomer with a spreadsheet', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()
  const file = join(tmpdir(), `timetable-${process.pid}.csv`)
  writeFileSync(file, year)
  after(() => rmSync(file))

  const meet = async (language: string): Promise<{ masjid: Masjid; email: string }> => {
    const { database } = minaret().service
    const masjid = await makeMasjid(database)
    await fillDays(database, { from: dayFrom(TOMORROW, -2), days: 370 })
    const user = await makeUser(database, { hashed: true })
    await database.run(sql`
      insert into public.ua_members (masjid_id, user_id, given_name, role, status)
      values (${masjid.id}, ${user.id}, 'Amina', 'admin', 'active')`)
    await database.run(sql`update minaret.users set locale = ${language} where id = ${user.id}`)
    return { masjid, email: user.email }
  }

  const ishaInApi = async ({ id }: Masjid): Promise<string | undefined> => {
    const { database } = minaret().service
    const app = await makeApp(database, { scopes: ['prayer-times:read'] })
    const { key } = await makeKey(database, { appId: app.id, scopes: ['prayer-times:read'] })
    const query = `{ pc_prayer_times(where: {masjid_id: {_eq: "${id}"}, date: {_eq: "${TOMORROW}"}, prayer: {_eq: isha}}) { iqamah_local } }`
    const response = await fetch(`${minaret().baseUrl}/v1/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { data } = (await response.json()) as { data: { pc_prayer_times: { iqamah_local: string }[] } }
    return data.pc_prayer_times[0]?.iqamah_local.slice(11, 16)
  }

  for (const [language, texts] of [
    ['en', en],
    ['ar', ar],
  ] as const)
    test(`publishes a year in nine actions (${language})`, async () => {
      const { masjid, email } = await meet(language)
      await inPage(browser(), { ...looks.phone, locale: language, baseURL: minaret().baseUrl }, async page => {
        let actions = 0
        const act = async (work: Promise<unknown>): Promise<void> => {
          actions += 1
          await work
        }
        const press = (name: string): Promise<void> => act(page.getByRole('button', { name, exact: true }).click())
        const open = (name: string): Promise<void> => act(page.getByRole('link', { name, exact: true }).first().click())

        await page.goto('/staff')
        await act(page.getByLabel(texts.signIn.email).fill(email))
        await act(page.getByLabel(texts.signIn.password, { exact: true }).fill(PASSWORD))
        await press(texts.signIn.button)
        await page.waitForURL(`**/staff/${masjid.slug}`)
        await check(page, `overview-${language}`)

        await open(texts.staff.sections.times)
        await page.waitForURL('**/times')
        await check(page, `start-${language}`)
        await act(page.getByLabel(texts.staff.sheets.file).setInputFiles(file))
        await press(texts.staffTimes.read)
        await page.waitForURL(/drafts\/[^/]+$/)
        await check(page, `columns-${language}`)
        await press(texts.staffTimes.continue)
        await page.waitForURL(/preview/)
        await check(page, `preview-${language}`)
        await press(texts.staffTimes.publish)
        await page.waitForURL(/done=published/)
        await check(page, `published-${language}`)
        assert.equal(await ishaInApi(masjid), ISHA)

        const published = page.url()
        await page.click('a[href$="/rules"]')
        await check(page, `rules-${language}`)
        await page.goto(published)
        await open(texts.staffTimes.seeWeek)
        await page.locator('details[open]').getByText(ISHA).waitFor()
        await check(page, `week-${language}`)
        assert.equal(actions, 9)
      })
    })

  const check = async (page: Page, title: string): Promise<void> => {
    await takeScreenshot(page, `newcomer-${title}`)
    assert.deepEqual(await accessibilityFaults(page), [], title)
    const wide = await scrollsSideways(page)
    assert.equal(wide, false, `${title} scrolls sideways`)
  }
})
