import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scrapeUrl, total } from '../observability/scrape.ts'
import { within } from '../support/oauth.ts'
import { startMinaretProcess } from '../support/process.ts'
import { temporaryUsedFolder } from '../support/used-folder.ts'

test('several workers serve the same ports, are counted together, and all stop together', async () => {
  const folder = await temporaryUsedFolder()
  try {
    const minaret = await startMinaretProcess({
      DATA_DIR: folder.path,
      DEMO_DATA: 'off',
      WORKERS: '2',
      METRICS_PORT: '0',
      READ_CONNECTIONS: '2',
    })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${minaret.baseUrl}/healthz`, { headers: { connection: 'close' } })),
    )
    assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([200]))
    const [, metricsUrl = ''] = /Metrics\s+(\S+)/.exec(minaret.output()) ?? []
    const counted = async (): Promise<number> =>
      total(await scrapeUrl(metricsUrl), 'http_server_request_duration_seconds_count', { http_route: '/healthz' })
    await within(30_000, 'all requests are counted', async () => (await counted()) === answers.length)
    assert.equal(total(await scrapeUrl(metricsUrl), 'minaret_lanes', { endpoint: 'main', lane: 'quick' }), 2 * 2)
    assert.equal(total(await scrapeUrl(metricsUrl), 'minaret_build_info'), 1)
    assert.equal(await minaret.stop(), 0, minaret.output())
    await assert.rejects(fetch(metricsUrl))
    await assert.rejects(fetch(`${minaret.baseUrl}/healthz`))
    assert.ok(!existsSync(join(folder.path, 'postgres/postmaster.pid')))
  } finally {
    folder.remove()
  }
})
