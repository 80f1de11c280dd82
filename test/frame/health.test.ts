import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()

test('both listeners are alive and ready', async () => {
  for (const url of [minaret().baseUrl, minaret().sandboxUrl]) {
    for (const path of ['/healthz', '/readyz']) {
      const response = await fetch(url + path)
      assert.equal(response.status, 200, url + path)
      assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    }
  }
})
