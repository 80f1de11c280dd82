import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOwnBuild } from '../../src/base/build/own-build.ts'
import { scrape } from '../observability/scrape.ts'
import { useMinaret } from '../support/minaret.ts'
import { untilReady } from '../support/process.ts'

const minaret = useMinaret({ METRICS_PORT: '0' })

test('both listeners are alive and ready', async () => {
  for (const url of [minaret().baseUrl, minaret().sandboxUrl]) {
    await untilReady(url)
    for (const path of ['/healthz', '/readyz']) {
      const response = await fetch(url + path)
      if (path === '/healthz') assert.equal(response.status, 200, url + path)
      assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    }
  }
})

test('a build is told apart from another of its version, by the health check and the metrics', async () => {
  const { version, commit } = readOwnBuild()
  assert.match(commit, /^([0-9a-f]{40}(-dirty|-unchecked)?|unknown)$/)
  for (const url of [minaret().baseUrl, minaret().sandboxUrl]) {
    const response = await fetch(`${url}/healthz`)
    const { status, ...build } = (await response.json()) as Record<string, string>
    assert.equal(status, 'alive')
    assert.equal(build.version, version)
    // Somebody may save a file while the tests run.
    assert.equal(build.commit?.slice(0, 40), commit.slice(0, 40))
  }
  const { labels } = (await scrape(minaret())).find(({ name }) => name === 'minaret_build_info') ?? {}
  assert.deepEqual([labels?.version, labels?.commit?.slice(0, 40)], [version, commit.slice(0, 40)])
})
