// Enter in every form with several buttons: where something is typed it is the main action, where nothing is it does the least.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { hostsPage } from '../../src/site/review/hosts/hosts-page.ts'
import { textsFor } from '../../src/site/texts/texts.ts'
import { makeEverything } from '../attacks/everything-there-is.ts'
import { createRouteOf } from '../attacks/hostile-requests.ts'
import { inPage, looks, noBrowser, useBrowser } from '../support/browser.ts'
import { enterFaults } from '../support/enter-key.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'

/** Pages that no link leads to, and the test that opens them in a browser. */
const elsewhere: Readonly<Record<string, string>> = {
  'consent/consent-page.ts decision': 'test/oauth/looks.test.ts',
  'device/confirm-screen-page.ts decision': 'test/screens/staff-pages.test.ts',
  'staff/details/rule-question.ts answer': 'test/staff/masjid-looks.test.ts',
  'staff/people/import-page.ts step': 'test/staff/people/people-looks.test.ts',
  'staff/people/preview-page.ts step': 'test/staff/people/people-looks.test.ts',
}

const view = {
  language: 'en',
  texts: textsFor('en'),
  user: undefined,
  antiForgery: '',
  here: '/',
  development: true,
} as const

/** A form of it stands on the page only after an app has described itself. */
const hosts = hostsPage(view, {
  hosts: [
    {
      host: 'app.example',
      state: 'new',
      scopes: [],
      words: null,
      names: [],
      apps: 1,
      people: 0,
      createdAt: new Date(0),
    },
  ],
  done: false,
  refusal: undefined,
})

/** Buttons with names are told apart, so there are several: file and name, such as `review/app-page.ts action`. */
const namedButtons = (): string[] => {
  const folder = new URL('../../src/site/', import.meta.url).pathname
  const named = /submitButton\(\{[^})]*\bname: '(\w+)'/g
  const inFile = (file: string): string[] =>
    [...readFileSync(folder + file, 'utf8').matchAll(named)].map(([, name]) => `${file} ${name}`)
  return [...new Set(globSync('**/*.ts', { cwd: folder }).flatMap(inFile))].sort()
}

const submits = (form: string): string[] => form.match(/<button(?![^>]*type="button")[^>]*>/g) ?? []

describe('Enter', { skip: noBrowser }, () => {
  const browser = useBrowser()
  let minaret: TestMinaret
  let forms: readonly string[]

  before(async () => {
    const routes: { method: string; url: string }[] = []
    minaret = await startTestMinaret({}, { onRoutes: (_, added) => routes.push(...added) })
    const urlsOf = (asked: string): string[] => routes.flatMap(({ method, url }) => (method === asked ? url : []))
    const { actors } = await makeEverything(minaret, {
      ofPage: createRouteOf(urlsOf('GET').filter(url => !url.includes('*'))),
      ofForm: createRouteOf(urlsOf('POST')),
    })
    const crawled = actors.flatMap(({ reached }) => reached.markups)
    forms = [...crawled, ...(hosts.text.match(/<form[\s\S]*?<\/form>/g) ?? [])].filter(form => submits(form).length > 1)
  })
  after(() => minaret.stop())

  test('is the main action of a form in which something is typed, and decides nothing in others', () =>
    inPage(browser(), looks.light, async page => {
      await page.setContent(forms.join(''))
      assert.deepEqual(await enterFaults(page), [])
      await page.setContent('<form><input><button>Deny</button><button class="primary">Allow</button></form>')
      assert.equal((await enterFaults(page)).length, 1)
    }))

  test('is looked at in every form with several buttons', () => {
    const seen = new Set(forms.flatMap(submits).map(button => / name="(\w+)"/.exec(button)?.[1]))
    const unseen = namedButtons().filter(named => !(named in elsewhere) && !seen.has(named.split(' ')[1]))
    assert.deepEqual(unseen, [])
    assert.ok(
      forms.some(form => form.includes('formaction=')),
      'a form that can be saved as a draft',
    )
    for (const file of Object.values(elsewhere))
      assert.match(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), /faultsInLook|accessibilityFaults/)
  })
})
