import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { inPage, noBrowser, useBrowser } from '../support/browser.ts'
import { runExample } from '../support/example.ts'
import { type TestMinaret, useMinaret } from '../support/minaret.ts'
import { makeClient } from '../support/oauth.ts'

/** Twelve masjids, each with an event in two days. */
const fill = async ({ service: { database } }: TestMinaret): Promise<void> => {
  await database.run(sql`
    with masjids as (
      insert into up_masjids (slug, name, address, city, country, latitude, longitude, timezone)
      select 'masjid-' || n, 'Masjid ' || n, n || ' Street', 'Chicago', 'US', 41, -87, 'America/Chicago'
      from generate_series(1, 12) n returning id
    ), events as (
      insert into up_events (masjid_id, title, starts_local, timezone)
      select id, 'Halaqah <of> the week', (now() + interval '2 days')::timestamp, 'America/Chicago' from masjids
      returning id, masjid_id, starts_local
    )
    insert into up_event_occurrences (event_id, masjid_id, starts_local, starts_at, ends_at)
    select id, masjid_id, starts_local, now() + interval '2 days', now() + interval '2 days 1 hour' from events`)
}

const minaret = useMinaret({}, fill)
const browser = useBrowser()
const database = () => minaret().service.database

const REDIRECT_URI = 'http://127.0.0.1:8080/callback'

/** A port that is free now; a loopback redirect URI matches on any port. */
const freePort = (): Promise<string> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(String(port)))
    })
  })

const signIn = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
}

const publicApp = async () => {
  const { clientId } = await makeClient(database(), { redirectUris: [REDIRECT_URI] })
  return { MINARET_URL: minaret().baseUrl, CLIENT_ID: clientId, PORT: await freePort() }
}

test('code-pkce: a person signs in, and the program greets them and lists masjids', { skip: noBrowser }, async () => {
  const { email, name } = await makeUser(database())
  const example = runExample('code-pkce/code-pkce.mjs', await publicApp())
  const [url] = await example.says(/http\S+\/oauth\/authorize\S+/)
  await inPage(browser(), { locale: 'en' }, async page => {
    await page.goto(url)
    await signIn(page, email)
    await page.getByText('You may close this window').waitFor()
  })
  const { status, output } = await example.ended()
  assert.equal(status, 0, output)
  assert.ok(output.includes(`Signed in as ${name} <${email}>`), output)
  assert.match(output, /Masjid \d+, Chicago/)
})

test('code-pkce: a denial is reported, and nothing else happens', { skip: noBrowser }, async () => {
  const { email } = await makeUser(database())
  const example = runExample('code-pkce/code-pkce.mjs', await publicApp())
  const [url] = await example.says(/http\S+\/oauth\/authorize\S+/)
  await inPage(browser(), { locale: 'en' }, async page => {
    await page.goto(url)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('You may close this window').waitFor()
  })
  const { status, output } = await example.ended()
  assert.notEqual(status, 0)
  assert.doesNotMatch(output, /Signed in/)
})

test('refresh: refreshes, retries, revokes', { skip: noBrowser }, async () => {
  const { email } = await makeUser(database())
  const example = runExample('refresh/refresh.mjs', await publicApp())
  const [url] = await example.says(/http\S+\/oauth\/authorize\S+/)
  await inPage(browser(), { locale: 'en' }, async page => {
    await page.goto(url)
    await signIn(page, email)
  })
  const { status, output } = await example.ended()
  assert.equal(status, 0, output)
  for (const line of [
    'the refresh token is a new one',
    'the successor is the same',
    'before revoking, the access token is good',
    'after revoking, the access token is refused',
    'a refresh gives invalid_grant',
  ])
    assert.ok(output.includes(line), `${line}\n${output}`)
})

test('client-credentials: the server shows the events of the week, with one token for all requests', async () => {
  const app = await makeClient(database(), { kind: 'confidential' })
  const environment = { MINARET_URL: minaret().baseUrl, CLIENT_ID: app.clientId, CLIENT_SECRET: app.secret }
  const example = runExample('client-credentials/server.mjs', environment)
  try {
    const [, url = ''] = await example.says(/Open (\S+)/)
    const page = await (await fetch(url)).text()
    assert.match(page, /<li>\w+.*: <b>Halaqah &lt;of&gt; the week<\/b>, Masjid \d+, Chicago/)
    await Promise.all(Array.from({ length: 5 }, () => fetch(url)))
  } finally {
    await example.stop()
  }
})

test('client-credentials: a wrong secret is logged, but not shown to visitors', async () => {
  const app = await makeClient(database(), { kind: 'confidential' })
  const environment = { MINARET_URL: minaret().baseUrl, CLIENT_ID: app.clientId, CLIENT_SECRET: 'wrong' }
  const example = runExample('client-credentials/server.mjs', environment)
  try {
    const [, url = ''] = await example.says(/Open (\S+)/)
    const response = await fetch(url)
    assert.equal(response.status, 502)
    assert.doesNotMatch(await response.text(), /invalid_client/)
    await example.says(/invalid_client/)
  } finally {
    await example.stop()
  }
})

test('single-page-app: signs in in the browser, lists masjids, signs out', { skip: noBrowser }, async () => {
  const { email, name } = await makeUser(database())
  const { clientId } = await makeClient(database(), { redirectUris: [REDIRECT_URI] })
  const example = runExample('single-page-app/serve.mjs', { MINARET_URL: minaret().baseUrl, CLIENT_ID: clientId })
  try {
    const [, url = ''] = await example.says(/Then open (\S+)/)
    await inPage(browser(), { locale: 'en' }, async page => {
      await page.goto(url)
      await page.getByRole('button', { name: 'Sign in with Minaret' }).click()
      await signIn(page, email)
      await page.getByText(`Salam, ${name}.`).waitFor()
      await page.locator('#masjids li').first().waitFor()
      assert.equal(await page.locator('#masjids li').count(), 10)
      assert.equal(new URL(page.url()).search, '', 'the code is removed from the URL')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('You are not signed in.').waitFor()
      await page.reload()
      await page.getByText('You are not signed in.').waitFor()
    })
  } finally {
    await example.stop()
  }
})
