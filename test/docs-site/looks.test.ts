import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  accessibilityFaults,
  contrastFaults,
  faultsInLook,
  inPage,
  looks,
  noBrowser,
  openedLooks,
  scrollsSideways,
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

/** Each panel with one of the views of an answer. On a phone a panel covers the answer. */
const explorerStates = [
  { view: 'json', tool: 'builder' },
  { view: 'table', tool: 'history' },
  { view: 'map', tool: 'saved' },
]

const toggleTool = (page: Page, tool: string, isOpen: boolean): Promise<void> =>
  page.locator(`[data-tool="${tool}"][aria-expanded="${!isOpen}"]`).click()

for (const look of ['light', 'dark', 'phone', 'arabic'] as const)
  test(`the explorer is accessible: ${look}`, { skip: noBrowser }, () =>
    inPage(browser(), looks[look], async page => {
      const faultsHere = look === 'dark' ? contrastFaults : accessibilityFaults
      await page.goto(`${minaret().baseUrl}/explorer?example=near-me`)
      await page.locator('.graphiql-execute-button').click()
      await page.locator('.result-window .CodeMirror-code').getByText('Chicago').first().waitFor()
      const isPhone = look === 'phone'
      if (!isPhone) await toggleTool(page, 'builder', false)
      for (const { view, tool } of explorerStates) {
        await page.locator(`[data-view="${view}"]`).click()
        if (isPhone && view === 'table') assert.deepEqual(await faultsHere(page), [], view)
        await toggleTool(page, tool, true)
        assert.deepEqual(await faultsHere(page), [], `${view}, ${tool}`)
        assert.equal(await scrollsSideways(page), false, `${view}, ${tool}`)
        await takeScreenshot(page, `explorer-${look}-${view}`)
        await toggleTool(page, tool, false)
      }
    }),
  )

test(
  'every sample has a button that copies it, the search stays in view, and the contents begin at the current page',
  {
    skip: noBrowser,
  },
  () =>
    inPage(browser(), { ...looks.light, permissions: ['clipboard-read', 'clipboard-write'] }, async page => {
      await page.goto(`${minaret().baseUrl}/docs/limits`)
      assert.ok(await page.getByRole('searchbox', { name: 'Search the documentation' }).isVisible())
      const current = page.locator('.docs-contents [aria-current]')
      const { y = -1, height = 0 } = (await current.boundingBox()) ?? {}
      assert.ok(y >= 0 && y + height <= (page.viewportSize()?.height ?? 0), `the current page is at ${y}`)
      await page.goto(`${minaret().baseUrl}/docs/first-query`)
      const sample = page.locator('.copy-frame').first()
      await sample.getByRole('button', { name: 'Copy' }).click()
      await sample.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
      const copied = String(await page.evaluate('navigator.clipboard.readText()'))
      assert.equal(copied, (await sample.locator('code').textContent())?.trim())
      assert.match(copied, /^curl /)
    }),
)
