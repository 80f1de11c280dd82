// The example around the hall's screen, in a page of another origin.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { inPage, noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()
const browser = useBrowser()

/** At 127.0.0.1, while the service is at localhost: another origin, and another site. */
const serve = async (body: string): Promise<{ readonly address: string; close(): Promise<void> }> => {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(body))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

test('hall-screen: the screen runs inside a page of another site, and shows a code', { skip: noBrowser }, async () => {
  const example = readFileSync(new URL('../../examples/hall-screen/index.html', import.meta.url), 'utf8')
  const site = await serve(example.replace('http://localhost:3000', minaret().baseUrl))
  try {
    await inPage(browser(), { viewport: { width: 1280, height: 720 } }, async page => {
      await page.goto(site.address)
      const code = page.frameLocator('iframe').locator('#code')
      await code.filter({ hasText: '-' }).waitFor()
      assert.match((await code.textContent()) ?? '', /^[A-Z]{4}-[A-Z]{4}$/)
    })
  } finally {
    await site.close()
  }
})
