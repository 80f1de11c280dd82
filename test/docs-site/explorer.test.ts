import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { publicTestKey } from '../../src/sandbox/public-test-key.ts'
import { enterAs } from '../staff/use-staff.ts'
import { makeApp } from '../support/apps.ts'
import { inPage, looks, noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const browser = useBrowser()
const skip = noBrowser

const explorer = () => `${minaret().baseUrl}/explorer`
const queryOf = (page: Page): Promise<string> =>
  page.evaluate("document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.getValue()")
const typeQuery = (page: Page, text: string): Promise<void> =>
  page.evaluate(
    `document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue(${JSON.stringify(text)})`,
  )
const resultOf = (page: Page) => page.locator('.result-window .CodeMirror-code')
const run = (page: Page): Promise<void> => page.locator('.graphiql-execute-button').click()
const panelOf = (page: Page, name: string) => page.getByRole('region', { name })
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The query in the editor, without what is only layout. */
const untilQueryIs = async (page: Page, expected: RegExp): Promise<void> => {
  const deadline = Date.now() + 60_000
  for (let text = ''; !expected.test(text); text = (await queryOf(page)).replace(/\s+/g, ' '))
    if (Date.now() > deadline) throw new Error(`The query is ${text}, not ${expected}.`)
}

const opened = async (page: Page, path = ''): Promise<void> => {
  await page.goto(explorer() + path)
  await page.locator('.graphiql-execute-button').waitFor()
}

test('ticks build the query, and follow what is typed into the editor', { skip }, () =>
  inPage(browser(), looks.light, async page => {
    await opened(page)
    const builder = panelOf(page, 'Build a query')
    await builder.getByLabel('city', { exact: true }).waitFor()
    assert.equal(await builder.getByLabel('city', { exact: true }).isChecked(), true)
    assert.equal(await builder.getByLabel('slug', { exact: true }).isChecked(), false)
    await builder.getByLabel('slug', { exact: true }).check()
    await untilQueryIs(
      page,
      /^# Masjids of one city\. Change it, and run again\. \{ up_masjids\(.* address slug \} \} $/,
    )
    await builder.getByLabel('id', { exact: true }).uncheck()
    await untilQueryIs(page, /\{ name city state address slug \}/)
    await builder.getByRole('button', { name: 'Fields of entity' }).click()
    await builder.getByLabel('legal_name', { exact: true }).check()
    await untilQueryIs(page, /slug entity \{ legal_name \} \}/)
    await run(page)
    await resultOf(page).getByText('"legal_name"').first().waitFor()

    await typeQuery(page, '{ up_events(limit: 2) { title } }')
    await builder.getByLabel('title', { exact: true }).waitFor()
    assert.equal(await builder.getByLabel('up_events', { exact: true }).isChecked(), true)
    assert.equal(await builder.getByLabel('title', { exact: true }).isChecked(), true)
    assert.equal(await builder.getByLabel('up_masjids', { exact: true }).isChecked(), false)
    await typeQuery(page, '{ up_events(')
    await builder.getByText('The query cannot be read yet.').waitFor()
    await typeQuery(page, '')
    await builder.getByLabel('Find a table or field').fill('prayer_times')
    await builder.getByLabel('pc_prayer_times', { exact: true }).check()
    await untilQueryIs(page, /^\{ pc_prayer_times\(limit: 10\) \{ masjid_id \} \} $/)
    await builder.getByLabel('pc_prayer_times', { exact: true }).uncheck()
    await untilQueryIs(page, /^$/)
  }),
)

test('limit, order and conditions are arguments in the query, and shown again when they are typed', { skip }, () =>
  inPage(browser(), looks.light, async page => {
    await opened(page, `?query=${encodeURIComponent('{ up_masjids { name city latitude } }')}`)
    const builder = panelOf(page, 'Build a query')
    await builder.getByLabel('limit').fill('3')
    await builder.getByLabel('Order by').selectOption('city')
    await untilQueryIs(page, /up_masjids\(limit: 3, order_by: \{city: asc\}\)/)
    await builder.getByLabel('Direction').selectOption('desc')
    await builder.getByLabel('Add a condition').selectOption('city')
    await builder.getByRole('textbox', { name: 'city: Value' }).fill('Chi"cago')
    await untilQueryIs(page, /where: \{city: \{_eq: "Chi\\"cago"\}\}/)
    await builder.getByRole('textbox', { name: 'city: Value' }).fill('Chicago, Toronto')
    await builder.getByLabel('city: Comparison').selectOption('_in')
    await untilQueryIs(page, /order_by: \{city: desc\}, where: \{city: \{_in: \["Chicago", "Toronto"\]\}\}/)
    await builder.getByLabel('Add a condition').selectOption('latitude')
    await builder.getByLabel('latitude: Comparison').selectOption('_gt')
    await builder.getByRole('textbox', { name: 'latitude: Value' }).fill('42')
    await untilQueryIs(page, /latitude: \{_gt: 42\}/)
    await run(page)
    await resultOf(page).getByText('"Toronto"').first().waitFor()
    await builder.getByRole('button', { name: 'Remove the condition on latitude' }).click()
    await builder.getByRole('button', { name: 'Remove the condition on city' }).click()
    await builder.getByLabel('limit').fill('')
    await untilQueryIs(page, /up_masjids\(order_by: \{city: desc\}\)/)
    await typeQuery(page, '{ up_masjids(limit: 7, where: {events: {title: {_eq: "x"}}, state: {_neq: "IL"}}) { id } }')
    await builder.getByText('written in the query').first().waitFor()
    assert.equal(await builder.getByLabel('limit').inputValue(), '7')
    assert.equal(await builder.getByLabel('state: Comparison').inputValue(), '_neq')
    await builder.getByRole('textbox', { name: 'state: Value' }).fill('NY')
    await untilQueryIs(page, /where: \{events: \{title: \{_eq: "x"\}\}, state: \{_neq: "NY"\}\}/)
  }),
)

test('an answer is JSON, a table and a map, with its cost and its time beside it', { skip }, () =>
  inPage(browser(), looks.light, async page => {
    await opened(page, '?example=near-me')
    await run(page)
    await resultOf(page).getByText('"latitude"').first().waitFor()
    assert.doesNotMatch((await resultOf(page).textContent()) ?? '', /extensions/)
    const facts = await page.locator('.answer-facts').textContent()
    assert.match(facts ?? '', /^200[\d.,]+ msservice [\d.,]+ msdatabase [\d.,]+ mscost 10 of [\d,]+\d+ rows?$/)
    await tool(page, 'Table').click()
    const table = page.getByRole('table', { name: 'up_masjids_nearby' })
    assert.deepEqual((await table.getByRole('columnheader').allTextContents()).slice(0, 3), ['name', 'address', 'city'])
    const rows = await table.locator('tbody tr').count()
    assert.ok(rows > 1)
    assert.equal(await resultOf(page).isVisible(), false)
    await tool(page, 'Map').click()
    const map = page.getByRole('img', { name: `A map with ${rows} places` })
    assert.equal(await map.locator('circle').count(), rows)
    assert.match((await map.locator('circle title').first().textContent()) ?? '', /Masjid/)

    await typeQuery(page, '{ up_entities(limit: 2) { id } up_masjids(limit: 3) { id entity { legal_name } } }')
    await run(page)
    await page.getByRole('table', { name: 'up_entities' }).waitFor()
    assert.equal(await tool(page, 'Map').isDisabled(), true)
    await page.getByLabel('List').selectOption('up_masjids')
    await page.getByRole('columnheader', { name: 'entity.legal_name' }).waitFor()
    await typeQuery(page, '{ nonsense }')
    await run(page)
    await resultOf(page).getByText('validation-failed').waitFor()
    assert.match((await page.locator('.answer-facts').textContent()) ?? '', /^400/)
  }),
)

test('what was run is in the history of this browser, without headers or credentials', { skip }, () =>
  inPage(browser(), looks.light, async page => {
    await opened(page)
    await page.getByLabel('Credential').fill(publicTestKey)
    await page.getByLabel('Credential').press('Tab')
    await typeQuery(page, 'query First { up_masjids(limit: 1) { name } }')
    await run(page)
    await resultOf(page).getByText('"name"').first().waitFor()
    await typeQuery(page, '{ up_masjids(limit: 1) { slug } }')
    await run(page)
    await resultOf(page).getByText('"slug"').first().waitFor()
    await tool(page, 'History').click()
    const past = panelOf(page, 'History')
    await past.getByRole('button', { name: /slug/ }).waitFor()
    const stored = String(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'))
    assert.match(stored, /slug/)
    assert.ok(!stored.includes(publicTestKey.slice(8, 30)))
    await page.reload()
    await tool(page, 'History').click()
    await past.getByRole('button', { name: /query First/ }).click()
    await untilQueryIs(page, /^query First/)
    await past.getByRole('button', { name: 'Clear the history' }).click()
    await past.getByText('What you run is listed here').waitFor()
  }),
)

test('a link carries query and variables in its fragment, and never a credential', { skip }, () =>
  inPage(browser(), { ...looks.light, permissions: ['clipboard-read', 'clipboard-write'] }, async page => {
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await opened(page)
    await page.getByRole('button', { name: 'Use the public test key' }).click()
    const query = 'query Some($limit: Int = 2) {\n  up_masjids(limit: $limit) { name } # 100% & more\n}'
    await typeQuery(page, query)
    await page.getByRole('button', { name: 'Variables', exact: true }).click()
    await page.getByRole('textbox', { name: 'Variables' }).focus()
    await page.keyboard.type('{"limit": 4')
    await tool(page, 'Copy link').click()
    await page.getByText('Link copied').waitFor()
    const link = String(await page.evaluate('navigator.clipboard.readText()'))
    assert.match(link, /\/explorer#query=/)
    assert.ok(!link.includes(publicTestKey.slice(8, 30)))
    assert.equal(new URLSearchParams(new URL(link).hash.slice(1)).get('query'), query)
    await page.goto('about:blank')
    asked.length = 0
    await page.goto(link)
    await page.locator('.graphiql-execute-button').waitFor()
    assert.equal(await queryOf(page), query)
    assert.match(
      (await page.locator('.graphiql-editor-tool .CodeMirror-code').first().textContent()) ?? '',
      /"limit": 4/,
    )
    assert.equal(await page.locator('.answer-facts').textContent(), '', 'it is not run by itself')
    assert.ok(
      asked.length > 0 && asked.every(url => !url.includes('up_masjids')),
      'the query is in no address asked for',
    )
    await page.getByLabel('Credential').fill('mk_live_secret')
    await page.getByLabel('Credential').press('Tab')
    await typeQuery(page, '{ up_masjids(where: {name: {_eq: "mk_live_secret"}}) { id } }')
    await tool(page, 'Copy link').click()
    await page.getByText('Your credential is in the query').waitFor()
    assert.ok(!page.url().includes('mk_live'))
  }),
)

test('headers and variables complete; headers are sent, and kept nowhere', { skip }, () =>
  inPage(browser(), looks.light, async page => {
    await opened(
      page,
      `?query=${encodeURIComponent('query Some($howMany: Int) { up_masjids(limit: $howMany) { id } }')}`,
    )
    const hints = page.locator('.CodeMirror-hints')
    await panelOf(page, 'Build a query').getByLabel('id', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Variables', exact: true }).click()
    await page.getByRole('textbox', { name: 'Variables' }).focus()
    await page.keyboard.type('{')
    await page.keyboard.press('Control+Space')
    await hints.getByText('howMany').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('1')
    await page.getByRole('button', { name: 'Headers', exact: true }).click()
    await page.getByRole('textbox', { name: 'Headers' }).focus()
    await page.keyboard.type('{"x-minaret-e')
    await hints.getByText('X-Minaret-Explain').waitFor()
    await page.keyboard.press('Enter')
    const headers = () => page.locator('.graphiql-editor-tool .CodeMirror-code').nth(1).textContent()
    assert.match((await headers()) ?? '', /\{"X-Minaret-Explain": "1"\}/)
    await run(page)
    await resultOf(page).getByText('"cost"').waitFor()
    assert.equal((await resultOf(page).getByText('"id"').all()).length, 1)
    await page.evaluate(
      `document.querySelectorAll('.graphiql-editor-tool .CodeMirror')[1].CodeMirror.setValue('{"Authorization": "Bearer mk_live_secret"}')`,
    )
    await run(page)
    await resultOf(page).getByText('"errors"').waitFor()
    const stored = String(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'))
    assert.doesNotMatch(stored, /mk_live_secret/)
  }),
)

test('a developer saves a query for the team of an app, opens it again and deletes it', { skip }, async () => {
  const { database } = minaret().service
  const [owner, viewer] = [await makePerson(database), await makePerson(database)]
  const { id } = await makeApp(database, { ownerId: owner.id, scopes: ['masjid:read'] })
  await database.run(
    sql`insert into minaret.app_members (app_id, user_id, role) values (${id}, ${viewer.id}, 'viewer')`,
  )
  const name = 'Masjids <img src=x onerror="window.broken=1">'
  await inPage(browser(), looks.light, async page => {
    page.on('dialog', dialog => void dialog.accept())
    await opened(page)
    await tool(page, 'Saved').click()
    await panelOf(page, 'Saved queries').getByRole('link', { name: 'Sign in' }).waitFor()
    await enterAs(minaret(), page, owner)
    await opened(page)
    await typeQuery(page, '{ up_masjids(limit: 4) { slug } }')
    await tool(page, 'Saved').click()
    const saved = panelOf(page, 'Saved queries')
    await saved.getByText('This app has no saved queries yet.').waitFor()
    await saved.getByLabel('Name').fill(name)
    await saved.getByRole('button', { name: 'Save the query' }).click()
    await saved.getByText('Saved for the team.').waitFor()
    await opened(page)
    await tool(page, 'Saved').click()
    await saved.getByRole('button', { name: /^Masjids <img/ }).click()
    await untilQueryIs(page, /^\{ up_masjids\(limit: 4\) \{ slug \} \}$/)
    assert.equal(await page.evaluate('window.broken'), undefined)
    await enterAs(minaret(), page, viewer)
    await opened(page)
    await tool(page, 'Saved').click()
    await saved.getByRole('button', { name: /^Masjids <img/ }).waitFor()
    assert.equal(await saved.getByRole('button', { name: 'Save the query' }).isVisible(), false)
    assert.equal(await saved.getByRole('button', { name: /^Delete/ }).count(), 0)
    await enterAs(minaret(), page, owner)
    await opened(page)
    await tool(page, 'Saved').click()
    await saved.getByRole('button', { name: /^Delete Masjids/ }).click()
    await saved.getByText('Deleted.').waitFor()
  })
})

test('the explorer speaks Arabic from right to left, and code stays from left to right', { skip }, () =>
  inPage(browser(), looks.arabic, async page => {
    for (const url of [explorer(), `${minaret().sandboxUrl}/`]) {
      await page.goto(url)
      await page.getByRole('heading', { level: 1, name: 'المستكشف' }).waitFor()
      assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
      await page.getByRole('button', { name: 'تشغيل الاستعلام (Ctrl-Enter)' }).click()
      await page.getByText(/^التكلفة 5 من/).waitFor()
      await page.getByRole('button', { name: 'جدول' }).click()
      await page.getByRole('table').waitFor()
      await page.getByRole('button', { name: 'المتغيرات', exact: true }).waitFor()
      const direction = "getComputedStyle(document.querySelector('.graphiql-query-editor .CodeMirror')).direction"
      assert.equal(await page.evaluate(direction), 'ltr')
      const shown = String(await page.evaluate('document.body.innerText'))
      for (const word of ['Explorer', 'Credential', 'Documentation', 'Build', 'History', 'Headers', 'Ask', 'rows'])
        assert.ok(!new RegExp(`\\b${word}\\b`).test(shown), word)
    }
    await page.goto(explorer())
    await page.locator('.graphiql-execute-button').waitFor()
    await typeQuery(page, '{ up_events(limit: 1) { id } }')
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('heading', { level: 1, name: 'Explorer' }).waitFor()
    await page.locator('.graphiql-execute-button').waitFor()
    assert.equal(await queryOf(page), '{ up_events(limit: 1) { id } }')
    await page.goto(explorer())
    await page.getByRole('heading', { level: 1, name: 'Explorer' }).waitFor()
  }),
)

test('the keyboard reaches every part of the explorer, and leaves each of them', { skip }, () =>
  inPage(browser(), looks.light, async page => {
    await opened(page, `?query=${encodeURIComponent('{ up_masjids(limit: 2) { id latitude longitude } }')}`)
    await run(page)
    await tool(page, 'Table').click()
    await panelOf(page, 'Build a query').getByLabel('Find a table or field').fill('masjids_by_slug')
    await page.locator('.brand').focus()
    const places = ['#credential', '[data-tool]', '.gallery', '#builder-tree', '.graphiql-query-editor', '.answer-bar']
    places.push('.answer-shown', '.graphiql-editor-tools')
    const left = new Set(places)
    const isOutside = 'document.activeElement === document.body'
    for (let presses = 0; presses < 200 && !(await page.evaluate(isOutside)); presses += 1) {
      for (const place of left)
        if (await page.evaluate(`document.activeElement.closest(${JSON.stringify(place)}) !== null`)) left.delete(place)
      await page.keyboard.press('Tab')
    }
    assert.equal(await page.evaluate(isOutside), true, 'Tab leads through the page and out of it')
    assert.deepEqual([...left], [])
    await page.getByLabel('Find a table or field').focus()
    await page.keyboard.press('Escape')
    assert.equal(await page.getByLabel('Find a table or field').isVisible(), false)
    assert.equal(await page.evaluate('document.activeElement.dataset.tool'), 'builder')
  }),
)
