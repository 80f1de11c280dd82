// The finder's box in a real Chromium: suggestions while somebody types, on a phone and in Arabic too, and a form that works without script.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { faultsInLook, inPage, looks, noBrowser, useBrowser } from '../support/browser.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useMinaret } from '../support/minaret.ts'

describe('the finder', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()

  before(async () => {
    const { database } = minaret().service
    await insertMasjid(database, { name: 'Tamarisk Masjid', city: 'Tampa' })
    await insertMasjid(database, { name: 'Quillwort Court Masjid', city: 'Durham' })
    await database.run(sql`update up_masjids set name_ar = 'مسجد الأثل' where name = 'Tamarisk Masjid'`)
  })

  for (const look of ['light', 'arabic-phone'] as const)
    test(`suggests from three letters on, once somebody stops typing: ${look}`, () =>
      inPage(browser(), looks[look], async page => {
        const asked: string[] = []
        const faults: string[] = []
        page.on('request', request => {
          if (request.url().includes('/find/suggestions'))
            asked.push(new URL(request.url()).searchParams.get('q') ?? '')
        })
        page.on('console', message => {
          if (message.type() === 'error') faults.push(message.text())
        })
        // Time passes when the test says so: how fast the machine types is nothing to rely on.
        await page.clock.install()
        await page.goto(`${minaret().baseUrl}/find`)
        const box = page.locator('#find-q')
        const options = page.locator('#find-suggestions option')
        await page.clock.pauseAt(Date.now() + 3_600_000)
        await box.pressSequentially('ta')
        await page.clock.runFor(1000)
        await box.pressSequentially('mari')
        await page.clock.runFor(199)
        assert.deepEqual(asked, [])
        await page.clock.runFor(1)
        await options.first().waitFor({ state: 'attached' })
        assert.deepEqual(asked, ['tamari'], 'one request for all that was typed at once')
        const [first] = await options.evaluateAll(all => all.map(option => (option as { value?: string }).value))
        assert.equal(first, look === 'arabic-phone' ? 'مسجد الأثل، Tampa' : 'Tamarisk Masjid, Tampa')
        await box.fill(first ?? '')
        await page.clock.runFor(1000)
        await page.clock.resume()
        assert.deepEqual(await faultsInLook(page, look), [])
        await box.press('Enter')
        await page.waitForURL(/\/find\?q=/)
        assert.equal(await page.locator('.found a').count(), 1)
        assert.deepEqual(asked, ['tamari'], 'what was chosen is not asked for')
        assert.deepEqual(faults, [], 'the content policy allows all of it')
      }))

  test('works without script', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false })
    try {
      const page = await context.newPage()
      await page.goto(`${minaret().baseUrl}/find`)
      await page.locator('#find-q').fill('quilwort')
      await page.locator('#find-q').press('Enter')
      await page.waitForURL(/\/find\?q=quilwort/)
      assert.match((await page.locator('.found').textContent()) ?? '', /Quillwort Court Masjid/)
    } finally {
      await context.close()
    }
  })
})
