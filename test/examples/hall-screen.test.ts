// The example around the hall's screen, as a page of another origin.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inPage, noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()
const browser = useBrowser()

test('hall-screen: the screen runs inside a page of another origin, and shows a code', {
  skip: noBrowser,
}, async () => {
  const example = readFileSync(new URL('../../examples/hall-screen/index.html', import.meta.url), 'utf8')
  await inPage(browser(), { viewport: { width: 1280, height: 720 } }, async page => {
    const body = example.replace('http://localhost:3000', minaret().baseUrl)
    await page.route('https://masjid.example/**', route => route.fulfill({ contentType: 'text/html', body }))
    await page.goto('https://masjid.example/')
    const code = page.frameLocator('iframe').locator('#code')
    await code.filter({ hasText: '-' }).waitFor()
    assert.match((await code.textContent()) ?? '', /^[A-Z]{4}-[A-Z]{4}$/)
  })
})
