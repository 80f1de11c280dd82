import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityFaults, inPage, noBrowser, useBrowser } from '../support/browser.ts'
import { runExample } from '../support/example.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const browser = useBrowser()

test('hall-screen: today’s times, the next prayer and the hijri date; it keeps working offline', {
  skip: noBrowser,
}, async () => {
  const example = runExample('hall-screen/serve.mjs', { SANDBOX_URL: minaret().sandboxUrl })
  const [, url = ''] = await example.says(/Open (\S+)/)
  await inPage(browser(), { viewport: { width: 1280, height: 720 } }, async page => {
    await page.goto(url)
    await page.getByRole('heading', { name: 'Larkspur Lane Masjid' }).waitFor()
    const seen = async () => ({
      rows: await page.locator('#times tr').allInnerTexts(),
      hijri: await page.locator('#hijri').textContent(),
      next: await page.locator('#next-name').textContent(),
    })
    const first = await seen()
    assert.ok(first.rows.length >= 5, first.rows.join('\n'))
    for (const prayer of ['Fajr', 'Dhuhr', 'Asr', 'Maghrib', 'Isha'])
      assert.ok(
        first.rows.some(row => new RegExp(`^${prayer}\\s+\\d\\d:\\d\\d`).test(row)),
        prayer,
      )
    assert.match(String(first.hijri), /^\d+ \D+ 14\d\d$/)
    assert.match(String(await page.locator('#next-in').textContent()), /^in (\d+ h )?\d+ min$/)
    assert.deepEqual(await accessibilityFaults(page), [])

    // Installed: the shell is cached. Then the server stops for good, and the browser goes offline.
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await example.stop()
    await page.context().setOffline(true)
    await page.reload()
    await page.getByRole('heading', { name: 'Larkspur Lane Masjid' }).waitFor()
    assert.deepEqual((await seen()).rows, first.rows)
    assert.equal((await seen()).hijri, first.hijri)
    await page.getByText('no network').waitFor()
  })
})

test('hall-screen: an unknown masjid is logged', async () => {
  const example = runExample('hall-screen/serve.mjs', { SANDBOX_URL: minaret().sandboxUrl, MASJID: 'no-such-masjid' })
  try {
    const [, url = ''] = await example.says(/Open (\S+)/)
    assert.equal((await fetch(`${url}times.json`)).status, 502)
    await example.says(/no masjid with the slug no-such-masjid/)
  } finally {
    await example.stop()
  }
})
