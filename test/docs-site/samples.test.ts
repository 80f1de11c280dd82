// The samples of the guides: true in every language, in tabs that need no script, run in place, and filled in for the reader.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { inPage, looks, noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { getCode, makeClient, makeFlow } from '../support/oauth.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const browser = useBrowser()
const run = promisify(execFile)

const guides = ['guides/first-query', 'guides/authorization-code', 'guides/client-credentials']

const blocksOf = (guide: string, language: string): string[] => {
  const text = readFileSync(new URL(`../../docs/${guide}.md`, import.meta.url), 'utf8')
  const pattern = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs')
  // Parts of a program are not samples that run by themselves.
  return [...text.matchAll(pattern)].map(([, block = '']) => block).filter(block => /console\.log|print/.test(block))
}

/** Each sample gets a code of its own. */
const fillIn = async (guide: string, block: string) => {
  const running = minaret()
  const flow = await makeFlow(running)
  const { form } = await getCode(running, flow)
  const server = await makeClient(running.service.database, {
    kind: 'confidential',
    scopes: 'masjid:read prayer-times:read',
  })
  const values = {
    'http://localhost:3000': running.baseUrl,
    'http://localhost:3001': running.sandboxUrl,
    THE_CODE: form.code ?? '',
    THE_VERIFIER: form.code_verifier ?? '',
    'https://your.app/callback': flow.app.redirectUri,
    YOUR_CLIENT_ID: guide.endsWith('client-credentials') ? server.clientId : flow.app.clientId,
  }
  const program = Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), block)
  return { program, env: { PATH: process.env.PATH, CLIENT_SECRET: server.secret } }
}

const programs = {
  js: (text: string) => [process.execPath, ['--input-type=module', '-e', text]] as const,
  python: (text: string) => ['python3', ['-c', text]] as const,
}

const noPython = spawnSync('python3', ['--version']).status === 0 ? false : 'There is no python3 on this machine.'

for (const [language, command] of Object.entries(programs))
  test(`the samples in ${language} run as pasted`, { skip: language === 'python' && noPython }, async () => {
    for (const guide of guides) {
      const blocks = blocksOf(guide, language)
      assert.ok(blocks.length > 0, `${guide} has none`)
      for (const block of blocks) {
        const { program, env } = await fillIn(guide, block)
        const [file, args] = command(program)
        const { stdout } = await run(file, args, { env })
        assert.match(stdout, guide.endsWith('first-query') ? /Masjid|Islamic|address/ : /access_token/, guide)
      }
    }
  })

test('tabs are chosen by keyboard, without script, and every language is there', { skip: noBrowser }, () =>
  inPage(browser(), { ...looks.light, javaScriptEnabled: false }, async page => {
    await page.goto(`${minaret().baseUrl}/docs/first-query`)
    const tabs = page.locator('.tabs').first()
    const shown = async () => (await tabs.locator('.tab-panel:visible code').allTextContents()).join('')
    assert.match(await shown(), /^curl/)
    await tabs.getByRole('radio', { name: 'curl' }).focus()
    for (const [name, words] of [
      ['JavaScript', 'await fetch'],
      ['Python', 'urllib.request'],
      ['Swift', 'URLSession.shared'],
      ['Kotlin', 'fun main()'],
    ] as const) {
      await page.keyboard.press('ArrowRight')
      assert.ok(await tabs.getByRole('radio', { name }).isChecked(), name)
      assert.ok((await shown()).includes(words), name)
    }
    const link = page.getByRole('link', { name: 'Run this' }).first()
    assert.match((await link.getAttribute('href')) ?? '', /^\/explorer\?query=.*up_masjids/)
  }),
)

test(
  '“Run this” shows the answer of the sandbox beside the sample, and a chosen language is kept',
  { skip: noBrowser },
  () =>
    inPage(browser(), looks.light, async page => {
      await page.goto(`${minaret().baseUrl}/docs/first-query`)
      await page.getByText('Python', { exact: true }).click()
      await page.goto(`${minaret().baseUrl}/docs/authorization-code`)
      assert.ok(await page.getByRole('radio', { name: 'Python' }).isChecked())
      await page.goto(`${minaret().baseUrl}/docs/filtering`)
      await page.getByRole('link', { name: 'Run this' }).first().click()
      await page.getByRole('region', { name: 'Answer of the sandbox' }).getByText('"data"').waitFor()
      assert.equal(new URL(page.url()).pathname, '/docs/filtering')
    }),
)

const page = async (path: string, language = 'en'): Promise<string> =>
  (await fetch(minaret().baseUrl + path, { headers: { 'accept-language': language } })).text()

test('the search leads to the row of an error code or a field', async () => {
  const first = async (words: string) =>
    /class="plain-list hits"><li><a href="([^"]+)"/.exec(await page(`/docs/search?q=${words}`))?.[1]
  assert.equal(await first('too-many-waiting'), '/docs/error-codes#too-many-waiting')
  assert.equal(await first('iqamah_local'), '/docs/reference/pc_prayer_times#iqamah_local')
  assert.match(await page('/docs/error-codes'), /<tr id="too-many-waiting">/)
})

test('a long page lists its headings, and samples are coloured by the server', async () => {
  const html = await page('/docs/authorization-code')
  assert.match(html, /<nav class="on-this-page"[^>]*>.*href="#3-exchange-the-code"/s)
  assert.match(html, /<span class="hljs-/)
})

test('in Arabic the frame, the index and every guide are Arabic, and the reference says that it is English', async () => {
  const overview = await page('/docs', 'ar')
  assert.match(overview, /<h1>التوثيق<\/h1>/)
  const paths = [...overview.matchAll(/<li class="card"><h3><a href="(\/docs\/[\w-]+)">([^<]+)<\/a>/g)]
  assert.equal(paths.length, readdirSync(new URL('../../docs/guides/', import.meta.url)).length)
  for (const [, path = '', title = ''] of paths) {
    const guide = await page(path, 'ar')
    assert.match(title, /^[^A-Za-z]+$/, path)
    assert.ok(guide.includes(`<h1>${title}</h1>`), path)
    assert.doesNotMatch(guide, /<div lang="en"|localhost:300[01]|<!--/, path)
    assert.doesNotMatch(guide, /href="[^"]*\.\.\/|href="\/docs\/[\w-]+\.md/, path)
  }
  const reference = await page('/docs/reference/up_masjids', 'ar')
  assert.match(reference, /هذه الصفحة بالإنجليزية.*<div lang="en" dir="ltr">/s)
})

const hitsOf = async (words: string): Promise<string[]> =>
  [...(await page(`/docs/search?q=${encodeURIComponent(words)}`, 'ar')).matchAll(/<li><a href="([^"]+)"/g)].map(
    ([, path = '']) => path,
  )

test('the search finds Arabic words in any of their forms, and names of fields as well', async () => {
  for (const [words, path] of [
    ['الجنازة', '/docs/staff-masjid'],
    ['جنازه', '/docs/staff-masjid'],
    ['مفاتيح المرور', '/docs/your-account#passkeys'],
    ['إشعارات', '/docs/webhooks'],
    ['التقاويم', '/docs/public-page#calendars'],
    ['Idempotency-Key', '/docs/writing#your-first-mutation'],
    ['iqamah_local', '/docs/reference/pc_prayer_times#iqamah_local'],
  ] as const)
    assert.ok(
      (await hitsOf(words)).some(hit => hit.startsWith(path)),
      `${words}: ${await hitsOf(words)}`,
    )
  assert.match(await page('/docs/search?q=zzzz', 'ar'), /لا شيء يتحدث عن/)
})

test('headings have the same anchors in both languages, and an Arabic guide is Markdown too', async () => {
  for (const language of ['en', 'ar'])
    assert.match(await page('/docs/get-an-app', language), /<h2 id="2-try-it-now">/, language)
  assert.match(await page('/docs/sandbox', 'ar'), /href="\/docs\/get-an-app#2-try-it-now"/)
  assert.match(await page('/docs/limits', 'ar'), /href="\/docs\/ar\/limits\.md"/)
  const markdown = await page('/docs/ar/errors.md')
  assert.match(markdown, /^# الأخطاء/)
  assert.ok(markdown.includes(`](${minaret().baseUrl}/docs/ar/limits.md)`))
  assert.ok(markdown.includes(`](${minaret().baseUrl}/docs/error-codes.md)`))
  assert.equal((await fetch(`${minaret().baseUrl}/docs/ar/error-codes.md`)).status, 404)
})
