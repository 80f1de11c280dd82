// The pages on which a frightened person takes an account back: in both languages, on a phone, without script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { User } from '../../src/accounts/users.ts'
import { setLogoutUri } from '../../src/apps/backchannel-logout.ts'
import { sql } from '../../src/db/sql.ts'
import {
  actorOf,
  addApiKey,
  changeAddress,
  enterAsThief,
  makeOwner,
  NEW_PASSWORD,
  PAGE,
} from '../attacks/person/use-theft.ts'
import { faultsInLook, inPage, looks, noBrowser, openedLooks, takeScreenshot, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()
const browser = useBrowser()
const database = () => minaret().service.database
const url = (path: string): string => minaret().baseUrl + path

/** @returns the link in the old mailbox. */
const steal = async (): Promise<{ owner: User; link: string }> => {
  const { owner, appId } = await makeOwner(database())
  const thief = await enterAsThief(minaret(), owner)
  await setLogoutUri(database(), { appId, uri: 'https://thief.example/out', loopback: false, actor: actorOf(owner.id) })
  await addApiKey(database(), owner.id, appId)
  await database().run(sql`insert into minaret.linked_identities (user_id, provider, issuer, subject, email)
    values (${owner.id}, 'example', 'https://other.example', gen_random_uuid()::text, 'thief@example.org')`)
  return { owner, link: await changeAddress(minaret(), thief, owner) }
}

const button = (page: Page) => page.locator('main button:not([type="button"])').first()

/** From the mail to the question. */
const comeBack = async (page: Page, owner: User, link: string, arabic: boolean): Promise<void> => {
  await page.goto(url(arabic ? '/sign-in?ui_locales=ar' : '/sign-in'))
  await page.goto(link.startsWith('http') ? link : url(link))
  await button(page).click()
  await page.locator('#password').fill(NEW_PASSWORD)
  await button(page).click()
  await page.locator('#email').fill(owner.email)
  await page.locator('#password').fill(NEW_PASSWORD)
  await button(page).click()
  await page.waitForURL(url(PAGE))
}

for (const look of openedLooks)
  test(`the question, the answer and the list, ${look}`, { skip: noBrowser }, () =>
    inPage(browser(), looks[look], async page => {
      const { owner, link } = await steal()
      await comeBack(page, owner, link, look.startsWith('arabic'))
      await takeScreenshot(page, `take-back-question-${look}`)
      assert.deepEqual(await faultsInLook(page, look), [])
      assert.equal(
        await page.locator('input[name="last"]').count(),
        3,
        'the thief’s, none and all: not the one of this browser',
      )
      await page.locator('#last-none').check()
      await page.locator('form[action="/account/taken-back/last"] button').click()
      await page.waitForURL(/done=answered/)
      await takeScreenshot(page, `take-back-answered-${look}`)
      assert.deepEqual(await faultsInLook(page, look), [])
    }),
  )

test('all of it works without script', { skip: noBrowser }, () =>
  inPage(browser(), { ...looks.phone, javaScriptEnabled: false }, async page => {
    const { owner, link } = await steal()
    await comeBack(page, owner, link, false)
    await page.locator('form[action="/account/taken-back/last"] button').click()
    await page.locator('.fault').waitFor()
    await page.locator('#last-none').check()
    await page.locator('form[action="/account/taken-back/last"] button').click()
    await page.waitForURL(/done=answered/)
    const keeping = page.locator('form[action="/account/taken-back/keep"] button')
    const many = await keeping.count()
    assert.ok(many >= 3)
    await keeping.first().click()
    await page.waitForURL(/done=kept/)
    assert.equal(await keeping.count(), many - 1)
  }),
)
