// Giving in real Chromium: recording on a phone, in both languages, and a receipt that fits one sheet.
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
import { enterAs, makeMasjid, makeStaff } from './use-staff.ts'

const words = {
  en: { record: 'Record', receipt: 'Receipt: Yusuf Karim' },
  ar: { record: 'تسجيل', receipt: 'إيصال: Yusuf Karim' },
} as const

describe('giving on a phone', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()

  for (const language of ['en', 'ar'] as const)
    test(`a gift is recorded, and its receipt prints on one sheet (${language})`, async () => {
      const { database } = minaret().service
      const masjid = await makeMasjid(database)
      const user = await makeStaff(database, { masjid, capabilities: ['giving', 'people'] })
      const base = `/staff/${masjid.slug}/giving`
      await inPage(browser(), { ...looks.phone, baseURL: minaret().baseUrl }, async page => {
        await enterAs(minaret(), page, user, language)
        const check = async (name: string): Promise<void> => {
          await takeScreenshot(page, `giving-${name}-${language}`)
          assert.deepEqual(await accessibilityFaults(page), [], name)
          assert.equal(await scrollsSideways(page), false, `${name} scrolls sideways`)
        }
        const press = () => page.getByRole('button', { name: words[language].record, exact: true }).click()
        await page.goto(`${base}/new`)
        await press()
        await check('fault')
        await page.locator('#amount').fill('120.50')
        await page.locator('#currency').fill('USD')
        await page.locator('#name').fill('Yusuf Karim')
        await page.locator('#email').fill('yusuf@example.org')
        await press()
        await page.waitForURL(/done=recorded/)
        await check('year')
        await page.goto(`${base}/campaigns/new`)
        await check('campaign')
        await page.goto(`${base}/receipts`)
        await check('givers')
        await page.getByRole('link', { name: words[language].receipt }).click()
        await check('receipt')
        const pdf = await page.pdf({ format: 'A4' })
        assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, 1)
      })
    })
})
