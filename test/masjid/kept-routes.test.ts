// Every page, calendar and file that a stranger gets is on the list of those that are kept in memory, or on that of those that are not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DeclaredRoute } from '../../src/http/charges/charge-addresses.ts'
import { isKeptRoute, keptRoutes, notKept } from '../../src/site/frame/kept-routes.ts'
import type { Masjid } from '../staff/use-staff.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { untilKept } from './use-kept-pages.ts'
import { getPage, makeShownMasjid } from './use-masjid-page.ts'

let minaret: TestMinaret
let masjid: Masjid
const routes: DeclaredRoute[] = []

before(async () => {
  minaret = await startTestMinaret(
    { METRICS_PORT: '0', SANDBOX_DATA: 'on' },
    { onRoutes: (listener, declared) => void (listener === 'main' && routes.push(...declared)) },
  )
  masjid = await makeShownMasjid(minaret)
})
after(() => minaret.stop())

const filled = (url: string): string =>
  url
    .replaceAll(':slug', masjid.slug)
    .replaceAll(':page', 'index')
    .replaceAll(':table', 'up_masjids')
    .replaceAll(':number', '1')
    .replaceAll('*', 'x')
    .replaceAll(/:[a-z]+/gi, 'x')

test('whatever strangers are shown has been thought about', async () => {
  const pages = [...new Set(routes.filter(({ method }) => method === 'GET').map(({ url }) => url))]
  assert.ok(pages.length > 100)
  const unknown: string[] = []
  for (const url of pages) {
    if (keptRoutes.includes(url) || url in notKept) continue
    const response = await getPage(minaret, filled(url))
    const type = response.headers.get('content-type') ?? ''
    await response.body?.cancel()
    if (response.status === 200 && /^text\/(html|calendar)/.test(type)) unknown.push(url)
  }
  assert.deepEqual(unknown, [])
})

test('no list names what is not there, and none is on two lists', () => {
  const there = new Set(routes.map(({ url }) => url))
  const named = [...keptRoutes, ...Object.keys(notKept)]
  assert.deepEqual(
    named.filter(url => !there.has(url)),
    [],
  )
  assert.equal(new Set(named).size, named.length)
  for (const reason of Object.values(notKept)) assert.ok(reason.length > 10)
})

test('a new page has to be on one of them', () => {
  assert.throws(() => isKeptRoute('/m/:slug/something-new'), /kept-routes/)
})

test('those that are said to be kept are', async () => {
  for (const url of keptRoutes) await untilKept(minaret, filled(url))
})
