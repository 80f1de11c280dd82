// What a CDN may keep: nothing, unless the operator says for how long and whose data are open to everyone.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Api, useApi } from '../graphql/use-api.ts'

const cacheControl = async (api: Api, query: string, persisted = true): Promise<string | null> => {
  const sha256Hash = createHash('sha256').update(query).digest('hex')
  const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } })
  await (await api.get({ query, extensions })).text()
  const response = await api.get(persisted ? { extensions } : { query })
  await response.text()
  assert.match(response.headers.get('vary') ?? 'authorization', /authorization/)
  return response.headers.get('cache-control')
}

const MASJIDS = '{ up_masjids(limit: 1) { id } }'

describe('with CDN_SECONDS and CDN_SCOPES', () => {
  const api = useApi({ CDN_SECONDS: '300', CDN_SCOPES: 'masjid:read prayer-times:read' })

  test('a persisted query over open data may be kept by shared caches', async () => {
    assert.equal(await cacheControl(api(), MASJIDS), 'public, max-age=60, s-maxage=300')
  })

  for (const [what, query, persisted] of [
    ['data of another scope', '{ up_masjids(limit: 1) { id events(limit: 1) { id } } }', true],
    ['the schema, which differs by scope', '{ __schema { queryType { name } } up_masjids(limit: 1) { id } }', true],
    ['a query that is not persisted', '{ up_masjids(limit: 2) { id } }', false],
  ] as const)
    test(`not ${what}`, async () => assert.equal(await cacheControl(api(), query, persisted), 'private, max-age=60'))

  test('people and errors are kept by nobody', async () => {
    assert.equal(await cacheControl(api(), '{ ua_members(limit: 1) { id } }'), 'no-store')
    assert.equal(await cacheControl(api(), '{ up_masjids(limit: 1) { nothing } }'), 'no-store')
  })

  test('nobody gets it from the service itself without a credential', async () => {
    const response = await api().get({ query: MASJIDS }, { authorization: '' })
    assert.equal(response.status, 401)
    assert.doesNotMatch(response.headers.get('cache-control') ?? '', /public|s-maxage/)
  })
})

describe('without CDN_SCOPES', () => {
  const api = useApi({ CDN_SECONDS: '300' })
  test('nothing may be kept by shared caches', async () =>
    assert.equal(await cacheControl(api(), MASJIDS), 'private, max-age=60'))
})

test('scopes that reach people cannot be declared open', () => {
  assert.throws(() => readConfig({ CDN_SCOPES: 'masjid:read members:read' }), /CDN_SCOPES has "members:read"/)
})
