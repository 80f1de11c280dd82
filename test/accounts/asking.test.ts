// Signing in and consenting in Chromium: nothing leads away, the decision stays in view, passwords can be shown, demo accounts filled in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_PASSWORD } from '../../src/accounts/demo-users.ts'
import { sql } from '../../src/db/sql.ts'
import { fixtureTemplate } from '../graphql/fixture.ts'
import { enterAs } from '../staff/use-staff.ts'
import { faultsInLook, inPage, looks, noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { authorizeParameters, makeClient, makePerson, makePkce } from '../support/oauth.ts'

// There is data already, so that none is filled in.
const minaret = useMinaret({ DEMO_DATA: 'on' }, undefined, { template: fixtureTemplate })
const browser = useBrowser()
const database = () => minaret().service.database
const phone = { ...looks.phone, viewport: { width: 390, height: 740 } }

const scope =
  'openid profile email masjid:read events:read prayer-times:read donations:read members:read events:write members:write'

test('the consent page has nothing but the question, says what the app is for, and keeps both buttons in view on a phone', {
  skip: noBrowser,
}, async () => {
  const app = await makeClient(database(), { scopes: scope })
  await database().run(sql`
    update minaret.apps set description = 'Shows <b>times</b> in the hall.', home_page = 'https://salah.example.org/'
    where id = ${app.id}`)
  const user = await makePerson(database())
  const address = `${minaret().baseUrl}/oauth/authorize?${authorizeParameters(app, makePkce(), { scope })}`
  await inPage(browser(), phone, async page => {
    await enterAs(minaret(), page, user)
    await page.goto(address)
    await page.getByText('Shows <b>times</b> in the hall.').waitFor()
    assert.equal(await page.getByRole('navigation', { name: 'Main navigation' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'salah.example.org' }).count(), 1)
    for (const scrolled of [0, 300, 100_000]) {
      await page.evaluate(`scrollTo(0, ${scrolled})`)
      for (const name of ['Allow', 'Deny']) {
        const box = await page.getByRole('button', { name }).boundingBox()
        assert.ok(box && box.y >= 0 && box.y + box.height <= 740, `${name} at ${scrolled}: ${JSON.stringify(box)}`)
      }
    }
    assert.deepEqual(await faultsInLook(page, 'light'), [])
  })
})

test('a password can be shown, and is sent as a password', { skip: noBrowser }, async () => {
  await inPage(browser(), looks.light, async page => {
    for (const path of ['/sign-in', '/sign-up']) {
      await page.goto(minaret().baseUrl + path)
      const field = page.getByLabel('Password', { exact: true })
      await field.fill('a long secret')
      await page.getByRole('button', { name: 'Show password' }).press('Enter')
      assert.equal(await field.getAttribute('type'), 'text', path)
      await page.getByRole('button', { name: 'Hide password' }).click()
      assert.equal(await field.getAttribute('type'), 'password', path)
    }
  })
})

test('in development a demo account is filled in with one click, and says what it may do', {
  skip: noBrowser,
}, async () => {
  await inPage(browser(), looks.light, async page => {
    await page.goto(`${minaret().baseUrl}/sign-in`)
    await page.getByText('Reviewer: decides about apps').waitFor()
    await page.getByRole('button', { name: 'Fill in reviewer@example.org' }).click()
    assert.equal(await page.getByLabel('Email').inputValue(), 'reviewer@example.org')
    assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), DEMO_PASSWORD)
    assert.deepEqual(await faultsInLook(page, 'light'), [])
  })
})
