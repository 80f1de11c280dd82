import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accessibilityFaults,
  faultsInLook,
  inPage,
  looks,
  noBrowser,
  openedLooks,
  takeScreenshot,
  useBrowser,
} from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const browser = useBrowser()

const pages = {
  landing: '/',
  docs: '/docs',
  guide: '/docs/authorization-code',
  reference: '/docs/reference/pc_prayer_times',
  search: '/docs/search?q=token',
} as const

for (const look of openedLooks)
  test(`landing page and documentation have no accessibility violations: ${look}`, { skip: noBrowser }, () =>
    inPage(browser(), looks[look], async page => {
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(minaret().baseUrl + path)
        assert.deepEqual(await faultsInLook(page, look), [], `${name}, ${look}`)
        await takeScreenshot(page, `docs-${name}-${look}`)
      }
    }),
  )

for (const look of ['light', 'dark', 'phone'] as const)
  test(`the explorer's own parts are accessible: ${look}`, { skip: noBrowser }, () =>
    inPage(browser(), looks[look], async page => {
      await page.goto(`${minaret().baseUrl}/explorer`)
      await page.getByRole('button', { name: /execute query/i }).click()
      await page.locator('.result-window .CodeMirror-code').getByText('Chicago').first().waitFor()
      await takeScreenshot(page, `explorer-${look}`)
      // GraphiQL is not ours to check.
      await page.evaluate("document.getElementById('explorer').replaceChildren()")
      assert.deepEqual(await accessibilityFaults(page), [])
    }),
  )
