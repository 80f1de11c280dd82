import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()

test('an unknown path gets 404 as a JSON error, for every method and on every listener', async () => {
  for (const url of [minaret().baseUrl, minaret().sandboxUrl])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await fetch(`${url}/oauth/token`, { method })
      assert.equal(response.status, 404, method)
      assert.deepEqual(await response.json(), { error: 'not_found', error_description: 'There is nothing here.' })
    }
})

test('token and userinfo are below /api, authorize and revoke are not', async () => {
  const { baseUrl } = minaret()
  const statusOf = async (path: string, method: string) =>
    (await fetch(baseUrl + path, { method, headers: { accept: 'application/json' } })).status
  assert.deepEqual(
    [
      await statusOf('/api/oauth/token', 'POST'),
      await statusOf('/api/oauth/userinfo', 'GET'),
      await statusOf('/oauth/authorize', 'GET'),
      await statusOf('/oauth/revoke', 'POST'),
    ],
    [400, 401, 400, 400],
  )
  for (const [path, method] of [
    ['/oauth/token', 'POST'],
    ['/oauth/userinfo', 'GET'],
    ['/api/oauth/authorize', 'GET'],
    ['/api/oauth/revoke', 'POST'],
  ] as const)
    assert.equal(await statusOf(path, method), 404, path)
})
