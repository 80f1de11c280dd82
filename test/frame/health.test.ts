import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../support/minaret.ts'
import { untilReady } from '../support/process.ts'

const minaret = useMinaret()

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
