import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { quoteLiteral, rawSql } from '../../src/db/sql.ts'
import { publicTestKey } from '../../src/sandbox/public-test-key.ts'
import { loadFixture } from '../graphql/fixture.ts'
import { makeApp, makeKey, makeUser, PASSWORD } from '../support/apps.ts'
import { inPage, noBrowser, useBrowser } from '../support/browser.ts'
import { runExample } from '../support/example.ts'
import { useMinaret } from '../support/minaret.ts'
import { makeClient } from '../support/oauth.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const browser = useBrowser()
const skip = noBrowser

const answerOf = (page: Page) => page.locator('#answer')

/** GraphiQL's response, as the text of its editor. */
const resultOf = (page: Page) => page.locator('.result-window .CodeMirror-code')

const run = (page: Page): Promise<void> => page.getByRole('button', { name: /execute query/i }).click()

const openQueryRoot = async (page: Page): Promise<void> => {
  const button = page.getByRole('button', { name: /documentation explorer/i })
  await button.first().click()
  await page.getByText('query_root').first().click()
}

const complaintsOf = (page: Page): string[] => {
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return complaints
}

test('a newcomer runs the first query, changes it, and opens it in the explorer', { skip }, () =>
  inPage(browser(), { locale: 'en' }, async page => {
    const complaints = complaintsOf(page)
    await page.goto(minaret().baseUrl)
    await answerOf(page).getByText('"Chicago"').first().waitFor()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText(/^200 · \d+ ms$/).waitFor()
    await answerOf(page).getByText('"Chicago"').first().waitFor()
    const query = page.getByLabel('Query')
    await query.fill((await query.inputValue()).replace('Chicago', 'Toronto'))
    await query.press('Control+Enter')
    await answerOf(page).getByText('"Toronto"').first().waitFor()
    await query.fill('{ up_masjids(limit: 101) { name } }')
    await page.getByRole('button', { name: 'Run' }).click()
    await answerOf(page).getByText('100').first().waitFor()
    await query.fill('{ up_masjids(limit: 1) { slug } }')
    await page.getByRole('link', { name: 'Open in the explorer' }).click()
    await page.waitForURL('**/explorer?query=**')
    await run(page)
    await resultOf(page).getByText('slug').waitFor()
    assert.deepEqual(
      complaints.filter(text => !/status of 400/.test(text)),
      [],
    )
  }),
)

test('without script the first query is a plain form, and the browser shows the response', { skip }, () =>
  inPage(browser(), { locale: 'en', javaScriptEnabled: false }, async page => {
    await page.goto(minaret().baseUrl)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.waitForURL(`${minaret().sandboxUrl}/v1/graphql?**`)
    assert.match(await page.content(), /up_masjids.*Chicago/)
  }),
)

test('the explorer opens with a working query, shows the comments of tables, and has a gallery', { skip }, () =>
  inPage(browser(), { locale: 'en', viewport: { width: 1280, height: 900 } }, async page => {
    const complaints = complaintsOf(page)
    await page.goto(`${minaret().sandboxUrl}/`)
    await run(page)
    await resultOf(page).getByText('"Chicago"').first().waitFor()
    for (const [title, field] of [
      ['Masjids near me', 'distance_km'],
      ['Today’s times', 'iqamah_at'],
      ['Events this week', 'going_count'],
    ] as const) {
      await page.getByRole('link', { name: title }).click()
      await page.locator('.query-editor, .graphiql-query-editor').first().getByText(field).first().waitFor()
      await resultOf(page).getByText(`"${field}"`).first().waitFor()
    }
    await openQueryRoot(page)
    await page.getByText('Masjids: where they are, what they offer').first().waitFor()
    assert.deepEqual(complaints, [])
  }),
)

test('the credential of the explorer is kept in memory only, and opens personal data', { skip }, () =>
  inPage(browser(), { locale: 'en', viewport: { width: 1280, height: 900 } }, async page => {
    await page.goto(`${minaret().baseUrl}/explorer?example=donations-by-fund`)
    await run(page)
    await resultOf(page).getByText('insufficient-scope').waitFor()
    await page.getByRole('button', { name: 'Use the public test key' }).click()
    await run(page)
    await resultOf(page).getByText('amount_minor').first().waitFor()
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')
    assert.ok(!String(stored).includes(publicTestKey.slice(8, 30)))
    assert.equal(await page.getByLabel('Credential').inputValue(), publicTestKey)
    await page.reload()
    assert.equal(await page.getByLabel('Credential').inputValue(), '')
  }),
)

test('an example that needs a key sets the public test key and runs; Tab leaves the editor', { skip }, () =>
  inPage(browser(), { locale: 'en', viewport: { width: 1280, height: 900 } }, async page => {
    await page.goto(`${minaret().sandboxUrl}/explorer?example=first`)
    await page.waitForURL(`${minaret().sandboxUrl}/?example=first`)
    await page.getByRole('link', { name: /Donations by fund/ }).click()
    await resultOf(page).getByText('amount_minor').first().waitFor()
    assert.equal(await page.getByLabel('Credential').inputValue(), publicTestKey)
    await page.getByRole('textbox', { name: 'Query Editor' }).focus()
    const focused = () => page.evaluate("document.activeElement.closest('.graphiql-query-editor .CodeMirror') !== null")
    assert.equal(await focused(), true)
    for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Tab')
    assert.equal(await focused(), false)
    assert.match((await page.locator('.graphiql-query-editor .CodeMirror').textContent()) ?? '', /donations/)
  }),
)

const stop = (page: Page): Promise<void> => page.getByRole('button', { name: /stop query/i }).click()

test('the explorer follows a subscription and stops it, in the sandbox and on live data', { skip }, async () => {
  const { baseUrl, sandboxUrl, service } = minaret()
  await loadFixture(service.database)
  const { key } = await makeKey(service.database, { appId: (await makeApp(service.database)).id })
  await inPage(browser(), { locale: 'en', viewport: { width: 1280, height: 900 } }, async page => {
    const complaints = complaintsOf(page)
    const status = page.getByRole('status')
    await page.goto(`${sandboxUrl}/?example=announcements-as-they-come`)
    await run(page)
    await resultOf(page).getByText('"starts_at"').first().waitFor()
    await status.getByText('Subscribed. First result at').waitFor()
    await stop(page)
    await status.waitFor({ state: 'hidden' })
    const query = 'subscription { up_masjids_by_slug(slug: "masjid-1") { capacity } }'
    await page.goto(`${baseUrl}/explorer?query=${encodeURIComponent(query)}`)
    await page.getByLabel('Ask').selectOption('the live data')
    await page.getByLabel('Credential').fill(key)
    await page.getByLabel('Credential').press('Tab')
    await run(page)
    await resultOf(page).getByText('capacity').waitFor()
    await service.database.run(rawSql(`update up_masjids set capacity = 4321 where slug = 'masjid-1'`))
    await resultOf(page).getByText('4321').waitFor()
    await status.getByText('Result 2 at').waitFor()
    await page.getByRole('link', { name: 'First query' }).click()
    await status.waitFor({ state: 'hidden' })
    // The schema of the live data is asked for before the key is typed in.
    assert.deepEqual(
      complaints.filter(text => !/status of 401/.test(text)),
      [],
    )
  })
})

const untilSchemaSays = async (words: string): Promise<void> => {
  const deadline = Date.now() + 60_000
  while (!(await (await fetch(`${minaret().sandboxUrl}/v1/schema.graphql`)).text()).includes(words))
    if (Date.now() > deadline) throw new Error(`The schema does not say ${words}.`)
}

test('the explorer never runs script from a comment in the database', { skip }, async () => {
  const evil = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>[x](javascript:window.broken=1)'
  const comment = quoteLiteral(`@scope masjid:read\n@soft_delete deleted_at\n${evil}`)
  await minaret().service.database.run(rawSql(`comment on table sandbox.up_masjids is ${comment}`))
  await untilSchemaSays('onerror')
  await inPage(browser(), { locale: 'en', viewport: { width: 1280, height: 900 } }, async page => {
    await page.goto(`${minaret().sandboxUrl}/`)
    await openQueryRoot(page)
    await page.getByText('onerror').first().waitFor()
    assert.equal(await page.evaluate('window.broken'), undefined)
  })
})

test('the guide from start to finish: from the documentation to an app that greets a person', { skip }, async () => {
  const { baseUrl, service } = minaret()
  const { email, name } = await makeUser(service.database)
  const { clientId } = await makeClient(service.database, { redirectUris: ['http://127.0.0.1:8080/callback'] })
  await inPage(browser(), { locale: 'en' }, async page => {
    await page.goto(baseUrl)
    await page.getByRole('link', { name: 'Documentation', exact: true }).first().click()
    await page.getByRole('link', { name: 'Sign people in' }).first().click()
    const command = await page.locator('pre', { hasText: 'examples/single-page-app' }).textContent()
    const file = /node examples\/(\S+)/.exec(String(command))?.[1] ?? ''
    const example = runExample(file, { MINARET_URL: baseUrl, CLIENT_ID: clientId })
    try {
      const [, url = ''] = await example.says(/Then open (\S+)/)
      await page.goto(url)
      await page.getByRole('button', { name: 'Sign in with Minaret' }).click()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText(`Salam, ${name}.`).waitFor()
    } finally {
      await example.stop()
    }
  })
})
