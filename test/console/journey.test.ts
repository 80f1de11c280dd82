// From the first visit to the console to the end of an app, as people do it, in real Chromium and without script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { makeUser } from '../support/apps.ts'
import { noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { asPerson, fillForm, type Place, shownOnce } from './people.ts'

const minaret = useMinaret()
const browser = useBrowser()
const place = (): Place => ({ browser: browser(), baseUrl: minaret().baseUrl })

interface TokenAnswer {
  readonly status: number
  readonly accessToken: string
  readonly scope: string
}

const askToken = async (clientId: string, secret: string): Promise<TokenAnswer> => {
  const response = await fetch(`${minaret().baseUrl}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const body = (await response.json()) as { access_token?: string; scope?: string }
  return { status: response.status, accessToken: body.access_token ?? '', scope: body.scope ?? '' }
}

const query = async (credential: string): Promise<number> => {
  const response = await fetch(`${minaret().baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' }),
  })
  await response.arrayBuffer()
  return response.status
}

const refusedWithinASecond = (credential: string): Promise<void> =>
  within(1000, 'the credential is refused', async () => (await query(credential)) === 401)

const register = async (page: Page): Promise<void> => {
  const wishes = {
    name: 'Prayer board',
    kind: 'Confidential',
    redirectUris: '',
    scopes: ['masjid:read', 'events:read', 'members:read'],
  } as const
  await page.goto('/console')
  await page.getByText('You have no apps yet').waitFor()
  await page.getByRole('link', { name: 'Register an app' }).click()
  await fillForm(page, { ...wishes, redirectUris: 'http://board.example.org/callback\nhttps://board.example.org/cb#x' })
  await page.getByRole('button', { name: 'Send for review' }).click()
  // Errors are shown, and the typed values are still there.
  await page.getByRole('alert').getByText('is not https').waitFor()
  assert.equal(await page.getByLabel('App name').inputValue(), 'Prayer board')
  assert.match(await page.getByLabel('Description').inputValue(), /times of prayer/)
  assert.match(
    await page.getByLabel('Redirect URIs', { exact: true }).inputValue(),
    /^http:\/\/board.*\nhttps:\/\/board.*#x$/,
  )
  assert.ok(await page.getByRole('radio', { name: 'Confidential' }).isChecked())
  for (const scope of wishes.scopes) assert.ok(await page.getByRole('checkbox', { name: scope }).isChecked(), scope)
  await page.getByLabel('Redirect URIs', { exact: true }).fill('https://board.example.org/callback')
  await page.getByRole('button', { name: 'Send for review' }).click()
  await page.getByText('Your app is registered').waitFor()
}

const approveWithOneScopeLess = async (page: Page): Promise<void> => {
  await page.goto('/review')
  await page.getByRole('link', { name: 'Prayer board' }).click()
  await page.getByText('Scopes that reach personal data').waitFor()
  await page.getByRole('checkbox', { name: 'members:read' }).uncheck()
  await page.getByLabel('Message to the owner').fill('Without members for now.')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Prayer board is approved').waitFor()
}

const seeOnChart = async (page: Page): Promise<void> => {
  const deadline = performance.now() + 60_000
  for (;;) {
    await page.getByRole('link', { name: 'Usage' }).click()
    const chart = page.getByRole('img', { name: /Requests, Errors/ })
    if ((await chart.count()) > 0) return assert.match((await chart.getAttribute('aria-label')) ?? '', /1 in all/)
    assert.ok(performance.now() < deadline, 'the request does not show on the chart')
    await delay(250)
  }
}

test('register, approval with fewer scopes, secret, token, key, query, chart, rotation, stop', {
  skip: noBrowser,
}, async () => {
  const { database } = minaret().service
  const developer = await makeUser(database)
  const reviewer = await makeUser(database, { isReviewer: true })
  await asPerson(place(), developer.email, async page => {
    await register(page)
    await asPerson(place(), reviewer.email, approveWithOneScopeLess)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('Without members for now.').waitFor()
    await page.getByRole('link', { name: 'Credentials', exact: true }).click()
    const clientId = await shownOnce(page, 'client_id')

    await page.getByRole('button', { name: 'Make a secret' }).click()
    const first = await shownOnce(page, 'Your new secret')
    const token = await askToken(clientId, first)
    assert.deepEqual([token.status, token.scope], [200, 'masjid:read events:read'])

    await page.getByRole('link', { name: 'Credentials', exact: true }).click()
    assert.ok(!(await page.content()).includes(first), 'the secret is shown only once')
    await page.getByLabel(/^Name/).fill('website')
    await page.getByRole('checkbox', { name: 'events:read' }).uncheck()
    await page.getByRole('button', { name: 'Make a key' }).click()
    const key = await shownOnce(page, 'Your new key')
    await page.getByRole('button', { name: 'Run a first query with this key' }).click()
    await page.getByText('Answered with status 200').waitFor()
    assert.match((await page.getByRole('region', { name: 'Answer' }).textContent()) ?? '', /up_masjids/)
    await seeOnChart(page)

    await page.getByRole('link', { name: 'Credentials', exact: true }).click()
    await page.getByRole('button', { name: 'Make a second secret' }).click()
    const second = await shownOnce(page, 'Your new secret')
    for (const secret of [first, second]) assert.equal((await askToken(clientId, secret)).status, 200)
    await page.getByRole('link', { name: 'Credentials', exact: true }).click()
    assert.equal(await page.getByRole('button', { name: 'Make a second secret' }).count(), 0)
    await page.getByRole('link', { name: `Revoke …${first.slice(-4)}` }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('The secret was revoked').waitFor()
    assert.equal((await askToken(clientId, first)).status, 401)
    const { accessToken } = await askToken(clientId, second)
    assert.deepEqual([await query(accessToken), await query(key)], [200, 200])

    await page.getByRole('link', { name: 'Edit and stop' }).click()
    await page.getByRole('link', { name: 'Suspend the app' }).click()
    await page.getByRole('button', { name: 'Suspend the app' }).click()
    await page.getByText('The app is suspended').waitFor()
    await refusedWithinASecond(accessToken)
    await refusedWithinASecond(key)
    assert.equal((await askToken(clientId, second)).status, 401)
    await page.getByRole('button', { name: 'Start the app again' }).click()
    await page.getByText('The app works again').waitFor()
    assert.equal((await askToken(clientId, second)).status, 200)
    assert.equal(await query(key), 401, 'an old key stays revoked')

    await page.getByRole('link', { name: 'Delete the app' }).click()
    await page.getByRole('button', { name: 'Delete the app' }).click()
    await page.getByText('Prayer board was deleted').waitFor()
    assert.equal((await askToken(clientId, second)).status, 401)
  })
})
