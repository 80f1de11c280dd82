// In real Chromium: the widget inside a page of another origin with a strict policy, pages without and with script, the finder's "near me".
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Masjid } from '../staff/use-staff.ts'
import { inPage, looks, noBrowser, takeScreenshot, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { makeShownMasjid } from './use-masjid-page.ts'

/** What the browser refused on the page or in its frames. */
const refusalsOn = (page: Page): string[] => {
  const refused: string[] = []
  page.on('console', message => {
    if (/Content Security Policy|Refused to/.test(message.text())) refused.push(message.text())
  })
  return refused
}

describe('in a browser', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()
  let masjid: Masjid
  let website: Server
  let websiteUrl: string
  const baseUrl = (): string => minaret().baseUrl

  /** The website of a masjid: another origin, which allows scripts and frames of the service and nothing else. */
  before(async () => {
    masjid = await makeShownMasjid(minaret())
    website = createServer((request, response) => {
      const attributes = new URL(request.url ?? '/', 'http://local').searchParams.get('attributes') ?? ''
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader(
        'content-security-policy',
        `default-src 'none'; script-src ${baseUrl()}; frame-src ${baseUrl()}`,
      )
      response.end(
        `<!doctype html><html lang="en"><title>Our masjid</title><h1>Our masjid</h1><script src="${baseUrl()}/widget.js" data-masjid="${masjid.slug}" ${attributes} async></script><p>After</p></html>`,
      )
    })
    await new Promise<void>(resolve => website.listen(0, '127.0.0.1', resolve))
    websiteUrl = `http://127.0.0.1:${(website.address() as AddressInfo).port}`
  })
  after(() => {
    website.closeAllConnections()
    website.close()
  })

  const contentHeight = async (page: Page): Promise<string> => {
    const frame = page.frames().find(one => one.url().includes('/widget'))
    return String(await frame?.evaluate('Math.ceil(document.documentElement.getBoundingClientRect().height)'))
  }

  test('one line of script shows the times on a website with a strict policy, as high as they are, without cookies', () =>
    inPage(browser(), looks.phone, async page => {
      const refused = refusalsOn(page)
      const asked: string[] = []
      page.on('request', request => asked.push(request.url()))
      await page.goto(
        `${websiteUrl}/?attributes=${encodeURIComponent('data-theme="dark" data-lang="ar" data-clock="24"')}`,
      )
      const frame = page.frameLocator('iframe')
      await frame.locator('tr.is-next, tr.is-past').first().waitFor()
      assert.equal(await frame.locator('html').getAttribute('dir'), 'rtl')
      assert.equal(await frame.locator('html').getAttribute('data-theme'), 'dark')
      assert.match((await frame.locator('h1').textContent()) ?? '', /مسجد زهرة الوادي/)
      const wanted = await contentHeight(page)
      await page.locator(`iframe[height="${wanted}"]`).waitFor()
      assert.match((await page.locator('iframe').getAttribute('sandbox')) ?? '', /^allow-scripts/)
      await takeScreenshot(page, 'masjid-widget-on-website')
      assert.deepEqual(refused, [])
      assert.deepEqual(await page.context().cookies(), [])
      const origins = new Set(asked.map(url => new URL(url).origin))
      assert.deepEqual([...origins].sort(), [baseUrl(), websiteUrl].sort())
    }))

  test('only the widget itself says how high it is', () =>
    inPage(browser(), looks.light, async page => {
      await page.goto(websiteUrl)
      await page.frameLocator('iframe').locator('table').waitFor()
      const wanted = await contentHeight(page)
      await page.locator(`iframe[height="${wanted}"]`).waitFor()
      await page.evaluate(`new Promise(resolve => {
        addEventListener('message', () => setTimeout(resolve, 0), { once: true })
        postMessage({ kind: 'minaret-widget', height: 1999 }, '*')
      })`)
      assert.equal(await page.locator('iframe').getAttribute('height'), wanted)
    }))

  test('a name that is none makes no frame', () =>
    inPage(browser(), looks.light, async page => {
      await page.goto(`${websiteUrl}/?attributes=${encodeURIComponent('data-masjid="x"')}`)
      await page.frameLocator('iframe').locator('body').waitFor()
      const made = await page.evaluate(`(() => {
        const script = document.createElement('script')
        script.src = '${baseUrl()}/widget.js'
        script.dataset.masjid = '../../staff'
        return new Promise(resolve => {
          script.onload = () => resolve(document.querySelectorAll('iframe').length)
          document.body.append(script)
        })
      })()`)
      assert.equal(made, 1)
    }))

  test('the page needs no script, and its linked data breaks no policy', async () => {
    await inPage(browser(), { ...looks.phone, javaScriptEnabled: false }, async page => {
      await page.goto(`${baseUrl()}/m/${masjid.slug}`)
      assert.ok(await page.locator('.next-name').isVisible())
      assert.ok(await page.locator('.day-times').isVisible())
      await page.goto(`${baseUrl()}/`)
      await page.locator('#find-q').fill('larkspur')
      await page.getByRole('button', { name: 'Find', exact: true }).click()
      await page.waitForURL(/\/find\?q=larkspur/)
      assert.ok(await page.getByRole('link', { name: 'Larkspur Lane Masjid' }).isVisible())
    })
    await inPage(browser(), looks.light, async page => {
      const refused = refusalsOn(page)
      await page.goto(`${baseUrl()}/m/${masjid.slug}`)
      assert.equal(await page.locator('script[type="application/ld+json"]').count(), 1)
      assert.deepEqual(refused, [])
      for (const language of ['en', 'ar']) {
        await page.goto(`${baseUrl()}/m/${masjid.slug}/og.png?lang=${language}`)
        assert.equal(await page.evaluate('document.images[0].naturalWidth'), 1200)
        await takeScreenshot(page, `masjid-picture-${language}`)
      }
    })
  })

  test('a page that stays open is loaded again once it says something else', () =>
    inPage(browser(), looks.light, async page => {
      await page.clock.install()
      await page.goto(`${baseUrl()}/m/${masjid.slug}`)
      const again = page.waitForRequest(request => request.isNavigationRequest())
      await page.clock.fastForward('25:00:00')
      await again
    }))

  test('“near me” searches where the browser is, and says so if it is not told', async () => {
    const place = { geolocation: { latitude: 35.7751234, longitude: -78.6336789 }, permissions: ['geolocation'] }
    await inPage(browser(), { ...looks.phone, ...place }, async page => {
      await page.goto(`${baseUrl()}/`)
      await page.getByRole('button', { name: 'Near me' }).click()
      await page.waitForURL(/\/find\?lat=35\.775&lon=-78\.634$/)
      assert.ok(await page.getByRole('link', { name: 'Larkspur Lane Masjid' }).first().isVisible())
    })
    await inPage(browser(), looks.phone, async page => {
      await page.goto(`${baseUrl()}/find`)
      await page.getByRole('button', { name: 'Near me' }).click()
      await page.getByText('Your browser did not tell where you are').waitFor()
    })
  })

  test('printed, the month is a sheet of its own, without navigation', () =>
    inPage(browser(), looks.light, async page => {
      await page.goto(`${baseUrl()}/m/${masjid.slug}`)
      await page.emulateMedia({ media: 'print' })
      for (const hidden of ['.site-header', '.month-links', '#calendar-title'])
        assert.ok(!(await page.locator(hidden).isVisible()), hidden)
      assert.ok(await page.locator('.month-times').isVisible())
      await takeScreenshot(page, 'masjid-public-printed')
    }))
})
