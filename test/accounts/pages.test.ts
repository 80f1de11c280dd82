import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { setUpAuthenticator } from '../support/authenticator.ts'
import {
  faultsInLook,
  inPage,
  type Look,
  looks,
  noBrowser,
  openedLooks,
  takeScreenshot,
  useBrowser,
} from '../support/browser.ts'
import { lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'
import { authorizeParameters, makeClient, makePkce, type TestApp } from '../support/oauth.ts'
import { createPerson } from '../support/person.ts'

interface Prepared {
  readonly app: TestApp
  readonly otherApp: TestApp
  readonly email: string
  readonly confirmLink: string
  readonly resetLink: string
  /** Of somebody with a second factor. */
  readonly careful: string
  readonly keepLink: string
}

let prepared: Prepared

const minaret = useMinaret({}, async ({ baseUrl, service: { database } }) => {
  const user = await makeUser(database, { name: 'Amina Yusuf', email: 'amina@example.org' })
  const app = await makeClient(database, { name: 'Salah Companion' })
  const otherApp = await makeClient(database, { name: 'Jumuah Board' })
  await database.run(sql`
    insert into minaret.consents (user_id, app_id, scopes)
    values (${user.id}, ${otherApp.id}, ${['openid', 'profile', 'events:read', 'prayer-times:read']})`)
  const person = createPerson(baseUrl, { 'user-agent': 'Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1' })
  await person.signIn(user.email, PASSWORD)
  await person.submit('/sign-up', '/sign-up', {
    name: 'Bilal',
    email: 'bilal@example.org',
    password: 'seven olive trees',
  })
  await createPerson(baseUrl).submit('/forgot-password', '/forgot-password', { email: user.email })
  const leaving = await makeUser(database, { name: 'Leaving', email: 'leaving@example.org' })
  const last = createPerson(baseUrl)
  await last.signIn(leaving.email, PASSWORD)
  await last.submit('/account/data/erase', '/account/data/erase', {})
  const keepLink = (await lastMailTo(database, leaving.email)).link
  const shown = {
    app: 'Jumuah Board',
    heading: 'Jumuah Board wants to access your account',
    scopes: [{ scope: 'events:read', title: 'Read events', text: 'Community events and their dates.' }],
    claims: [{ claim: 'sub', title: 'An identifier' }],
  }
  await database.run(sql`
    insert into minaret.consent_texts (user_id, app_id, scopes, claims, language, version, shown)
    values (${user.id}, ${otherApp.id}, '{events:read}', '{}', 'en', '0123456789abcdef', ${JSON.stringify(shown)})`)
  const [confirmLink, resetLink] = [
    (await lastMailTo(database, 'bilal@example.org')).link,
    (await lastMailTo(database, user.email)).link,
  ]
  const careful = await makeUser(database, { name: 'Hafsa Omar', email: 'hafsa@example.org' })
  const owner = createPerson(baseUrl)
  await owner.signIn(careful.email, PASSWORD)
  await setUpAuthenticator(owner)
  prepared = { app, otherApp, email: user.email, confirmLink, resetLink, careful: careful.email, keepLink }
})
const browser = useBrowser()

const url = (path: string): string => minaret().baseUrl + path

/** The account's language is English; the link in the footer switches the page to another. */
const signInHere = async (page: Page, look: Look): Promise<void> => {
  await page.goto(url(look.startsWith('arabic') ? '/sign-in?ui_locales=ar' : '/sign-in'))
  await page.locator('#email').fill(prepared.email)
  await page.locator('#password').fill(PASSWORD)
  await page.locator('main button:not([type="button"])').click()
  await page.waitForURL(/\/account$/)
}

const authorizeUrl = (wishes = {}): string =>
  url(`/oauth/authorize?${authorizeParameters(prepared.app, makePkce(), wishes)}`)

interface Stop {
  readonly name: string
  readonly go: (page: Page) => Promise<unknown>
}

const open = (path: () => string) => (page: Page) => page.goto(url(path()))

const signedOutStops: readonly Stop[] = [
  { name: 'sign-in', go: open(() => '/sign-in') },
  { name: 'sign-in-for-app', go: page => page.goto(authorizeUrl()) },
  {
    name: 'sign-in-refused',
    go: async page => {
      await page.goto(url('/sign-in'))
      await page.locator('#email').fill('amina@example.org')
      await page.locator('#password').fill('a wrong password')
      await page.locator('main button:not([type="button"])').click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  {
    name: 'second-factor',
    go: async page => {
      await page.goto(url('/sign-in'))
      await page.locator('#email').fill(prepared.careful)
      await page.locator('#password').fill(PASSWORD)
      await page.locator('main button:not([type="button"])').click()
      await page.locator('#code').fill('12345')
      await page.locator('main button:not([type="button"])').first().click()
      await page.locator('.fault').waitFor()
      await page.locator('summary').click()
      await page.locator('#recovery_code').waitFor()
    },
  },
  { name: 'sign-up', go: open(() => '/sign-up') },
  {
    name: 'sign-up-faults',
    go: async page => {
      await page.goto(url('/sign-up'))
      await page.locator('#email').fill('amina@')
      await page.locator('#password').fill('password123')
      await page.locator('main button:not([type="button"])').click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  {
    name: 'check-mail',
    go: async page => {
      await page.goto(url('/forgot-password'))
      await page.locator('#email').fill('stranger@example.org')
      await page.locator('main button:not([type="button"])').click()
      await page.locator('.card h1').waitFor()
    },
  },
  { name: 'forgot-password', go: open(() => '/forgot-password') },
  { name: 'confirm', go: open(() => prepared.confirmLink) },
  { name: 'reset-password', go: open(() => prepared.resetLink) },
  { name: 'keep-account', go: open(() => prepared.keepLink) },
  { name: 'outbox', go: open(() => '/outbox') },
  { name: 'not-found', go: open(() => '/nowhere') },
  { name: 'link-expired', go: open(() => '/reset-password?token=x') },
]

const signedInStops: readonly Stop[] = [
  { name: 'account', go: open(() => '/account?done=saved') },
  {
    name: 'account-faults',
    go: async page => {
      await page.goto(url('/account'))
      await page.locator('#current_password').fill('not mine')
      await page.locator('#new_password').fill('short')
      await page.locator('form[action="/account/password"] button').click()
      await page.locator('.notice.bad').waitFor()
    },
  },
  { name: 'security', go: open(() => '/account/security') },
  {
    name: 'security-app',
    go: async page => {
      await page.goto(url('/account/security'))
      await page.locator('form[action="/account/security/app/begin"] button').click()
      await page.locator('img.qr').waitFor()
    },
  },
  {
    name: 'security-again',
    go: async page => {
      await page.goto(url('/sign-in/again'))
      await page.locator('#password').fill('not mine')
      await page.locator('main button:not([type="button"])').click()
      await page.locator('.fault').waitFor()
    },
  },
  {
    name: 'account-apps',
    go: async page => {
      await page.goto(url('/account/apps'))
      await page.locator('summary').click()
    },
  },
  { name: 'account-apps-withdraw', go: open(() => `/account/apps/${prepared.otherApp.id}/withdraw`) },
  { name: 'account-sessions', go: open(() => '/account/sessions') },
  { name: 'account-activity', go: open(() => '/account/activity') },
  { name: 'account-data', go: open(() => '/account/data') },
  { name: 'account-data-erase', go: open(() => '/account/data/erase') },
  {
    name: 'account-data-ready',
    go: async page => {
      await page.goto(url('/account/data'))
      await page.locator('form[action="/account/data/export"] button').click()
      await page.locator('a[href^="/account/data/download"]').waitFor()
    },
  },
  {
    name: 'consent',
    go: page => page.goto(authorizeUrl({ scope: 'openid profile email masjid:read donations:read' })),
  },
  { name: 'consent-plain-oauth', go: page => page.goto(authorizeUrl({ scope: 'prayer-times:read' })) },
]

const inspect = async (page: Page, look: Look, { name, go }: Stop): Promise<void> => {
  await go(page)
  await takeScreenshot(page, `accounts-${name}-${look}`)
  assert.deepEqual(await faultsInLook(page, look), [], `${name}, ${look}`)
  const [language, direction] = look.startsWith('arabic') ? ['ar', 'rtl'] : ['en', 'ltr']
  assert.deepEqual(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]'), [
    language,
    direction,
  ])
}

for (const look of openedLooks) {
  test(
    `every page, ${look}: axe finds nothing, nothing is wider than the screen, nothing is blocked`,
    { skip: noBrowser },
    () =>
      inPage(browser(), looks[look], async page => {
        const complaints: string[] = []
        page.on('console', message => {
          if (message.type() === 'error' && /Content Security Policy|Refused/.test(message.text()))
            complaints.push(message.text())
        })
        for (const stop of signedOutStops) await inspect(page, look, stop)
        await signInHere(page, look)
        for (const stop of signedInStops) await inspect(page, look, stop)
        assert.deepEqual(complaints, [])
      }),
  )
}
