import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { AppKind } from '../../src/apps/app.ts'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { inPage, noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { authorizeParameters, makeClient, makePkce } from '../support/oauth.ts'

const minaret = useMinaret()
const browser = useBrowser()
const database = () => minaret().service.database

const listen = async (handler: RequestListener): Promise<{ server: Server; port: number }> => {
  const server = createServer(handler)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

/** An app whose server redirects to its pages on another origin, as many do. */
const withApp = async (work: (redirectUri: string, pages: string) => Promise<void>): Promise<void> => {
  const pages = await listen((_request, response) => response.end('<title>Inside the app</title>'))
  const target = `http://localhost:${pages.port}/inside`
  const callback = await listen((request, response) =>
    response.writeHead(302, { location: `${target}${new URL(request.url ?? '', target).search}` }).end(),
  )
  try {
    await work(`http://127.0.0.1:${callback.port}/callback`, target)
  } finally {
    for (const { server } of [pages, callback]) server.close().closeAllConnections()
  }
}

const startUrl = async (redirectUri: string, parameters = {}, kind: AppKind = 'public'): Promise<string> => {
  const app = await makeClient(database(), { name: 'Salah Companion', kind, redirectUris: [redirectUri] })
  const query = authorizeParameters({ ...app, redirectUri }, makePkce(), { parameters })
  return `${minaret().baseUrl}/oauth/authorize?${query}`
}

const byKeyboard = async (page: Page, email: string): Promise<void> => {
  // The email field gets focus automatically soon after the page has loaded; "Forgot your password?" is between the
  // password and the button.
  await page.locator('input[name=email]:focus').waitFor()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
}

test(
  'by keyboard and without script: from the app through sign-in and consent back to the app',
  { skip: noBrowser },
  () =>
    withApp((redirectUri, pages) =>
      inPage(browser(), { javaScriptEnabled: false, locale: 'en' }, async page => {
        const { email } = await makeUser(database())
        await page.goto(await startUrl(redirectUri))
        await byKeyboard(page, email)
        await page.getByRole('button', { name: 'Allow' }).waitFor()
        await page.getByRole('button', { name: 'Allow' }).focus()
        await page.keyboard.press('Enter')
        await page.waitForURL(`${pages}**`)
        assert.ok(new URL(page.url()).searchParams.get('code'))
        assert.equal(await page.title(), 'Inside the app')
      }),
    ),
)

test('remembered consent: signing in leads straight to the app', { skip: noBrowser }, () =>
  withApp((redirectUri, pages) =>
    inPage(browser(), { locale: 'en' }, async page => {
      const { email } = await makeUser(database())
      // A public app on a loopback address would be asked about again.
      const url = await startUrl(redirectUri, {}, 'confidential')
      await page.goto(url)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${pages}**`)

      await page.context().clearCookies()
      await page.goto(url)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${pages}**`)
      assert.ok(new URL(page.url()).searchParams.get('code'))
    }),
  ),
)

test('denied: the app is told', { skip: noBrowser }, () =>
  withApp((redirectUri, pages) =>
    inPage(browser(), { locale: 'en' }, async page => {
      const { email } = await makeUser(database())
      await page.goto(await startUrl(redirectUri, { login_hint: email }))
      assert.equal(await page.getByLabel('Email').inputValue(), email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.waitForURL(`${pages}**`)
      assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
    }),
  ),
)

test('ui_locales=ar: sign-in and consent in Arabic, from right to left', { skip: noBrowser }, () =>
  withApp((redirectUri, pages) =>
    inPage(browser(), { locale: 'en' }, async page => {
      const { email } = await makeUser(database())
      await page.goto(await startUrl(redirectUri, { ui_locales: 'fr ar' }))
      const direction = (): Promise<unknown> => page.evaluate('document.documentElement.dir')
      assert.equal(await direction(), 'rtl')
      await page.getByLabel('البريد الإلكتروني').fill(email)
      await page.getByLabel('كلمة المرور').fill(PASSWORD)
      await page.getByRole('button', { name: 'تسجيل الدخول' }).click()
      await page.getByRole('button', { name: 'سماح' }).waitFor()
      assert.equal(await direction(), 'rtl')
      await page.getByRole('button', { name: 'سماح' }).click()
      await page.waitForURL(`${pages}**`)
    }),
  ),
)

test('the skip link is the first tab stop and leads to the content', { skip: noBrowser }, () =>
  inPage(browser(), { locale: 'en' }, async page => {
    await page.goto(`${minaret().baseUrl}/sign-up`)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.className'), 'skip')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  }),
)

test('there is no layout shift while a page loads', { skip: noBrowser }, () =>
  inPage(browser(), { locale: 'en' }, async page => {
    await page.addInitScript(`
      window.shift = 0
      new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shift += entry.value })
        .observe({ type: 'layout-shift', buffered: true })`)
    // A slow script, so that the page is drawn without it first.
    await page.route('**/*.js', async route => {
      await setTimeout(300)
      await route.continue()
    })
    for (const path of ['/sign-in', '/sign-up', '/forgot-password']) {
      await page.goto(minaret().baseUrl + path, { waitUntil: 'load' })
      assert.equal(await page.evaluate('window.shift'), 0, path)
    }
  }),
)
