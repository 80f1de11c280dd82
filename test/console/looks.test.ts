// Every page in real Chromium: light, dark, on a phone and in Arabic. axe finds no violations, nothing scrolls sideways, and screenshots are taken.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startSession } from '../../src/accounts/sessions.ts'
import type { User } from '../../src/accounts/users.ts'
import {
  accessibilityFaults,
  contrastFaults,
  inPage,
  looks,
  noBrowser,
  scrollsSideways,
  takeScreenshot,
  useBrowser,
} from '../support/browser.ts'
import { keyboardFaults } from '../support/keyboard.ts'
import { useMinaret } from '../support/minaret.ts'
import { type EveryPage, makeEveryPage } from './every-page.ts'

const minaret = useMinaret()
const browser = useBrowser()
let every: EveryPage | undefined

const known = async (): Promise<EveryPage> => {
  every ??= await makeEveryPage(minaret().service.database)
  return every
}

const enter = async (page: Page, user: User, language: string): Promise<void> => {
  const token = await startSession(minaret().service.database, user.id, { address: '192.0.2.1', userAgent: 'Chromium' })
  const url = minaret().baseUrl
  const cookies = { minaret_session: token, minaret_language: language }
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
}

const open = async (page: Page, path: string): Promise<void> => {
  const response = await page.goto(minaret().baseUrl + path)
  assert.equal(response?.status(), 200, path)
}

const sidewaysFaults = async (page: Page, look: string): Promise<string[]> => {
  return (await scrollsSideways(page)) ? [`${look}: the page scrolls sideways`] : []
}

/** One load, three looks. */
const lookInEnglish = async (page: Page, name: string, path: string): Promise<string[]> => {
  await page.setViewportSize(looks.light.viewport)
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, path)
  await takeScreenshot(page, `${name}-light`)
  const faults = [...(await accessibilityFaults(page)), ...(await sidewaysFaults(page, 'light'))]
  await page.emulateMedia({ colorScheme: 'dark' })
  await takeScreenshot(page, `${name}-dark`)
  faults.push(...(await contrastFaults(page)).map(fault => `dark: ${fault}`))
  await page.setViewportSize(looks.phone.viewport)
  await takeScreenshot(page, `${name}-phone`)
  return [...faults, ...(await sidewaysFaults(page, 'phone'))].map(fault => `${name}: ${fault}`)
}

const lookInArabic = async (page: Page, name: string, path: string): Promise<string[]> => {
  await page.setViewportSize(looks.arabic.viewport)
  await open(page, path)
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
  await takeScreenshot(page, `${name}-arabic`)
  const faults = await sidewaysFaults(page, 'arabic')
  await page.setViewportSize(looks.phone.viewport)
  return [...faults, ...(await sidewaysFaults(page, 'arabic on a phone'))].map(fault => `${name}: ${fault}`)
}

const parts = {
  console: ({ owner, ownerPages }: EveryPage) => ({ user: owner, pages: ownerPages }),
  'the review desk': ({ reviewer, reviewerPages }: EveryPage) => ({ user: reviewer, pages: reviewerPages }),
  administration: ({ admin, adminPages }: EveryPage) => ({ user: admin, pages: adminPages }),
}

for (const [name, choose] of Object.entries(parts))
  for (const [language, look] of [
    ['en', lookInEnglish],
    ['ar', lookInArabic],
  ] as const)
    test(`every page of ${name}, ${language}`, { skip: noBrowser }, async () => {
      const { user, pages } = choose(await known())
      const faults = await inPage(browser(), { ...looks.light, locale: language }, async page => {
        await enter(page, user, language)
        const found: string[] = []
        for (const [picture, path] of Object.entries(pages)) found.push(...(await look(page, picture, path)))
        return found
      })
      assert.deepEqual(faults, [])
    })

/** Those with more than fields and links: lists that grow, drafts, conversations. */
const byKeyboard = ({ owner, reviewer, admin, ownerPages, reviewerPages, adminPages }: EveryPage) => [
  {
    user: owner,
    paths: ['list', 'new', 'pending', 'approved', 'requests', 'usage', 'messages', 'settings'].map(
      name => ownerPages[`console-${name}`] ?? name,
    ),
  },
  {
    user: reviewer,
    paths: ['console-self-described', 'review-queue', 'review-conversation', 'review-change', 'review-hosts'].map(
      name => reviewerPages[name] ?? name,
    ),
  },
  {
    user: admin,
    paths: ['overview', 'masjids', 'users', 'audit', 'changes'].map(name => adminPages[`admin-${name}`] ?? name),
  },
]

for (const look of ['light', 'arabic-phone'] as const)
  test(`Tab reaches everything in order, with a focus that is seen, and leaves: ${look}`, {
    skip: noBrowser,
  }, async () => {
    for (const { user, paths } of byKeyboard(await known()))
      await inPage(browser(), looks[look], async page => {
        await enter(page, user, looks[look].locale)
        // A list that a script renews meanwhile would have other controls than those that were counted.
        await page.route('**', route => (route.request().resourceType() === 'fetch' ? route.abort() : route.continue()))
        for (const path of paths) {
          await open(page, path)
          assert.deepEqual(await keyboardFaults(page), [], path)
        }
      })
  })

test('a reviewer writes to the owner by keyboard alone', { skip: noBrowser }, async () => {
  const { reviewer, apps } = await known()
  await inPage(browser(), looks.light, async page => {
    await enter(page, reviewer, 'en')
    await open(page, `/review/apps/${apps.asked}`)
    const isOn = (selector: string) => page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)
    const tabTo = async (selector: string): Promise<void> => {
      for (let presses = 0; presses < 100 && !(await isOn(selector)); presses += 1) await page.keyboard.press('Tab')
      assert.ok(await isOn(selector), selector)
    }
    await tabTo('textarea#message')
    await page.keyboard.type('Is it for one masjid only?')
    await tabTo('button')
    await page.keyboard.press('Enter')
    await page.locator('main').getByText('Is it for one masjid only?').waitFor()
  })
})
