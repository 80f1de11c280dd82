// After the start, pages are made once before anybody asks: nobody waits for it, nobody is charged, and nothing of it is counted.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { scrape, total } from '../observability/scrape.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { outcomes, traceOf } from './use-kept-pages.ts'
import { makeShownMasjid } from './use-masjid-page.ts'

let minaret: TestMinaret
before(async () => {
  minaret = await startTestMinaret({ METRICS_PORT: '0', SANDBOX_DATA: 'on' })
  await makeShownMasjid(minaret)
})
after(() => minaret.stop())

test('pages are made once, so that the next who ask for them leave them in memory', async () => {
  await minaret.service.warmUp()
  const samples = await scrape(minaret)
  assert.equal(total(samples, 'http_server_request_duration_seconds_count', { http_route: '/' }), 0)
  assert.ok(total(samples, 'minaret_pages_lookups_total', { outcome: 'miss' }) >= 3)
  assert.equal((await outcomes(minaret)).kept, 0)
  const { kept, response } = await traceOf(minaret, '/')
  assert.equal(response.status, 200)
  assert.equal(kept, true)
})

test('a service that stops meanwhile stops, and one without masjids is warmed too', async () => {
  const empty = await startTestMinaret()
  await empty.service.warmUp()
  const warming = empty.service.warmUp()
  await empty.stop()
  await warming
})
