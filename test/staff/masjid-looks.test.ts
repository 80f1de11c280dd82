// Team, details, changes and requests in real Chromium: on a phone, in both languages, light and dark.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { requestMasjid } from '../../src/capabilities/send-masjid-request.ts'
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
import { lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'
import { askAboutRule, enterAs, makeMasjid, makeStaff, visitAs } from './use-staff.ts'

describe('the pages of a masjid’s team', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()

  for (const [language, colorScheme] of [
    ['en', 'dark'],
    ['ar', 'light'],
  ] as const)
    test(`are accessible and fit a phone (${language}, ${colorScheme})`, async () => {
      const { database } = minaret().service
      const masjid = await makeMasjid(database, { name: 'Juniper Masjid' })
      const user = await makeStaff(database, { masjid, role: 'admin' })
      const north = await makeMasjid(database, { latitude: 69.65, longitude: 18.96, timezone: 'Europe/Oslo' })
      await askAboutRule(database, north)
      const northerner = await makeStaff(database, { masjid: north, role: 'admin' })
      await database.run(sql`update minaret.users set is_reviewer = true where id = ${user.id}`)
      const colleague = await makeStaff(database, { masjid, capabilities: ['events'] })
      const base = `/staff/${masjid.slug}`
      const inviter = await visitAs(minaret(), colleague)
      assert.equal((await inviter.get(`${base}/team`)).status, 403)
      const manager = await visitAs(minaret(), user)
      const invited = await makePerson(database)
      await manager.submit(`${base}/team`, `${base}/team/invite`, { email: invited.email, capabilities: 'times' })
      const actor = { kind: 'user', userId: colleague.id, address: undefined } as const
      await requestMasjid(database, {
        actor,
        baseUrl: minaret().baseUrl,
        words: 'I keep the keys.',
        masjidId: masjid.id,
      })
      const { link } = await lastMailTo(database, invited.email)
      const request = await database.first<{ id: string }>(sql`
        select id from minaret.masjid_requests where user_id = ${colleague.id}`)
      const visits = [
        ['team', `${base}/team`],
        ['person', `${base}/team/people/${colleague.id}`],
        ['details', `${base}/details`],
        ['changes', `${base}/changes`],
        ['masjids', '/staff?all=1'],
        ['register', '/staff/register'],
        ['claim', '/staff/claim?q=juniper'],
        ['review', '/review/masjids'],
        ['request', `/review/masjids/${request?.id}`],
      ] as const
      await inPage(browser(), { ...looks.phone, colorScheme, baseURL: minaret().baseUrl }, async page => {
        const check = async (name: string, path: string): Promise<void> => {
          await page.goto(path)
          await takeScreenshot(page, `masjid-${name}-${language}`)
          assert.deepEqual(await accessibilityFaults(page), [], name)
          assert.equal(await scrollsSideways(page), false, `${name} scrolls sideways`)
        }
        await enterAs(minaret(), page, user, language)
        for (const [name, path] of visits) await check(name, path)
        await enterAs(minaret(), page, northerner, language)
        for (const [name, path] of [
          ['north', ''],
          ['rules', '/details'],
        ] as const)
          await check(name, `/staff/${north.slug}${path}`)
        await enterAs(minaret(), page, invited, language)
        await check('invitation', link)
      })
    })
})
