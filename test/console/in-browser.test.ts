// What scripts add to the console, in Chromium: requests that appear by themselves, charts by keyboard, local times, copy buttons.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { User } from '../../src/accounts/users.ts'
import { createUsage } from '../../src/apps/usage.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createLogger } from '../../src/base/log.ts'
import { sql } from '../../src/db/sql.ts'
import { enterAs } from '../staff/use-staff.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { inPage, looks, noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'

const minaret = useMinaret()
const browser = useBrowser()
const database = () => minaret().service.database

const makeTeam = async () => {
  const owner = await makePerson(database())
  const { id } = await makeApp(database(), { ownerId: owner.id, scopes: ['masjid:read'] })
  return { owner, id, path: (rest: string) => `${minaret().baseUrl}/console/apps/${id}${rest}` }
}

const visiting = <T>(user: User, options: object, work: (page: Page) => Promise<T>): Promise<T> =>
  inPage(browser(), { ...looks.light, ...options }, async page => {
    await enterAs(minaret(), page, user)
    return work(page)
  })

test('requests appear by themselves, and end for a member who is removed', { skip: noBrowser }, async () => {
  const { owner, id, path } = await makeTeam()
  const { key } = await makeKey(database(), { appId: id })
  const member = await makePerson(database())
  await database().run(sql`
    insert into minaret.app_members (app_id, user_id, role) values (${id}, ${member.id}, 'viewer')`)
  assert.notEqual(owner.id, member.id)
  await visiting(member, {}, async page => {
    await page.goto(path('/requests'))
    await page.getByText('New requests appear by themselves.').waitFor()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ query: '{ up_masjids(limit: 3) { name } }' })
    await (await fetch(`${minaret().baseUrl}/v1/graphql`, { method: 'POST', headers, body })).text()
    await page.getByText('up_masjids(limit: 3)').waitFor()
    await database().run(sql`delete from minaret.app_members where app_id = ${id} and user_id = ${member.id}`)
    await page.getByText('You can no longer see the requests of this app.').waitFor()
    assert.equal(await page.getByText('up_masjids(limit: 3)').count(), 0)
  })
})

test('a chart is gone through by keyboard, and moments are in the time of the reader', {
  skip: noBrowser,
}, async () => {
  const { owner, id, path } = await makeTeam()
  const usage = createUsage({ database: database(), clock: systemClock, log: createLogger('silent') })
  usage.record({
    appId: id,
    outcome: 'refused',
    milliseconds: 7,
    rows: 0,
    query: '{ a }',
    code: 'validation-failed',
    reason: 'x',
  })
  await usage.close()
  await visiting(owner, { timezoneId: 'Asia/Tokyo' }, async page => {
    await page.goto(path('/usage'))
    const slider = page.getByRole('slider', { name: 'Go through the points: Requests, Errors' })
    await slider.focus()
    await page.keyboard.press('End')
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /Requests: 1, Errors: 1, The period before: 0/)
    await page.keyboard.press('ArrowLeft')
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /Requests: 0/)
    const moment = page.locator('time[data-moment]').last()
    const shown = (await moment.textContent()) ?? ''
    const expected = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' })
    assert.ok(shown.startsWith(expected.format(new Date((await moment.getAttribute('datetime')) ?? ''))), shown)
    assert.match(shown, /\(.*(now|ago)\)/)
    assert.match((await moment.getAttribute('title')) ?? '', /UTC$/)
    const link = page.getByRole('link', { name: 'validation-failed' })
    await link.click()
    await page.waitForURL(/error-codes#validation-failed/)
    assert.equal(await page.locator('tr#validation-failed').count(), 1)
  })
})

test('on a phone a copy button covers no part of an id', { skip: noBrowser }, async () => {
  const { owner, path } = await makeTeam()
  const context = { ...looks.phone, viewport: { width: 390, height: 844 } }
  await visiting(owner, context, async page => {
    await page.goto(path('/development'))
    await page.locator('.copy-frame .copy').first().waitFor()
    for (const frame of await page.locator('.copy-frame').all()) {
      const [code, button] = [await frame.locator('.code').boundingBox(), await frame.locator('.copy').boundingBox()]
      assert.ok(code && button && (button.y >= code.y + code.height || button.x >= code.x + code.width))
    }
  })
})
