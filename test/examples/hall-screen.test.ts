// The example around the hall's screen, in a page of another origin.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connectScreen, makeKeeper } from '../screens/pair-screen.ts'
import { inPage, noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'

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

const example = readFileSync(new URL('../../examples/hall-screen/index.html', import.meta.url), 'utf8')

test('hall-screen: inside a page of another site the screen pairs, and goes on without a network', {
  skip: noBrowser,
}, async () => {
  const keeper = await makeKeeper(minaret())
  const site = await serve(example.replace('http://localhost:3000', minaret().baseUrl))
  try {
    await inPage(browser(), { viewport: { width: 1280, height: 720 } }, async page => {
      await page.goto(site.address)
      const frame = page.frameLocator('iframe')
      const code = frame.locator('#code')
      await code.filter({ hasText: '-' }).waitFor()
      assert.match((await code.textContent()) ?? '', /^[A-Z]{4}-[A-Z]{4}$/)
      const name = 'In a frame'
      await connectScreen(keeper.person, (await code.textContent()) ?? '', { masjid: keeper.masjid.id, name })
      await frame.locator('#countdown').filter({ hasText: ':' }).waitFor({ state: 'attached' })
      await page.context().setOffline(true)
      const counted = await frame.locator('#countdown').textContent()
      await within(30_000, 'the countdown goes on', async () => {
        return (await frame.locator('#countdown').textContent()) !== counted
      })
    })
  } finally {
    await site.close()
  }
})

test('the example is a few lines', () => {
  assert.ok(example.split('\n').length <= 10)
})
