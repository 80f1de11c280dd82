// Every page in real Chromium: light, dark, on a phone and in Arabic. axe finds nothing, nothing scrolls sideways, no script runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startSession } from '../../src/accounts/sessions.ts'
import type { User } from '../../src/accounts/users.ts'
import {
  accessibilityFaults,
  inPage,
  type Look,
  looks,
  noBrowser,
  takeScreenshot,
  useBrowser,
} from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { type EveryPage, makeEveryPage } from './every-page.ts'

const minaret = useMinaret()
const browser = useBrowser()
let every: EveryPage | undefined

const known = async (): Promise<EveryPage> => {
  every ??= await makeEveryPage(minaret().service.database)
  return every
}

const enter = async (page: Page, user: User): Promise<void> => {
  const token = await startSession(minaret().service.database, user.id, { address: '192.0.2.1', userAgent: 'Chromium' })
  await page.context().addCookies([{ name: 'minaret_session', value: token, url: minaret().baseUrl }])
}

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1')

const lookAt = async (page: Page, name: string, path: string, look: Look): Promise<string[]> => {
  const response = await page.goto(minaret().baseUrl + path)
  assert.equal(response?.status(), 200, path)
  await takeScreenshot(page, `${name}-${look}`)
  const faults = await accessibilityFaults(page)
  if (await scrollsSideways(page)) faults.push('the page scrolls sideways')
  return faults.map(fault => `${name}: ${fault}`)
}

for (const look of Object.keys(looks) as Look[])
  test(`every page, ${look}`, { skip: noBrowser }, async () => {
    const { owner, ownerPages, reviewer, reviewerPages, admin, adminPages } = await known()
    const faults: string[] = []
    for (const [user, pages] of [
      [owner, ownerPages],
      [reviewer, reviewerPages],
      [admin, adminPages],
    ] as const)
      await inPage(browser(), { ...looks[look], javaScriptEnabled: true }, async page => {
        await enter(page, user)
        for (const [name, path] of Object.entries(pages)) faults.push(...(await lookAt(page, name, path, look)))
      })
    assert.deepEqual(faults, [])
  })
