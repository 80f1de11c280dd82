import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiKey } from '../../src/access/api-key-format.ts'
import { publicTestKey } from '../../src/sandbox/public-test-key.ts'
import { exampleQueries } from '../../src/site/explorer/example-queries.ts'
import { follow } from '../live/events.ts'
import { useMinaret } from '../support/minaret.ts'
import { ask, post } from '../support/sandbox.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const today = new Date().toISOString().slice(0, 10)

const count = (answer: unknown): number => (Array.isArray(answer) ? answer.length : 0)

test('without a credential the three public scopes are open', async () => {
  const { data, errors } = await ask(minaret().sandboxUrl, {
    query:
      '{ up_masjids(limit: 3) { id name city state address } up_events(limit: 3) { title } pc_prayer_sources(limit: 3) { kind } }',
  })
  assert.equal(errors, undefined)
  for (const table of ['up_masjids', 'up_events', 'pc_prayer_sources']) assert.equal(count(data?.[table]), 3, table)
})

test('personal data need a test key, and the error names the scope', async () => {
  for (const [table, scope] of [
    ['ua_donations', 'donations:read'],
    ['ua_members', 'members:read'],
  ] as const) {
    const response = await post(minaret().sandboxUrl, { query: `{ ${table}(limit: 1) { id } }` })
    const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] }
    assert.equal(errors[0]?.extensions.code, 'insufficient-scope')
    assert.match(String(errors[0]?.message), new RegExp(scope))
    assert.match(String(errors[0]?.message), new RegExp(table))
    assert.ok(errors[0]?.message.includes(publicTestKey), 'the public test key is named')
  }
})

test('the public test key opens every table over invented people', async () => {
  const query = `{ ua_donations(limit: 2) { amount_minor } ua_members(limit: 2) { given_name email }
    up_event_rsvps(limit: 2) { status } ua_campaigns(limit: 2) { title } ua_households(limit: 2) { name } }`
  const { data, errors } = await ask(minaret().sandboxUrl, { query }, publicTestKey)
  assert.equal(errors, undefined)
  for (const [table, rows] of Object.entries(data ?? {})) assert.equal(count(rows), 2, table)
})

/** A subscription's first. */
const resultOf = async (query: string, key: string | undefined): ReturnType<typeof ask> => {
  if (!/^subscription/m.test(query)) return ask(minaret().sandboxUrl, { query }, key)
  const followed = await follow({ url: `${minaret().sandboxUrl}/v1/graphql`, key, query })
  const result = await followed.until(1)
  await followed.close()
  return result
}

test('every example of the gallery returns rows', async () => {
  for (const { name, query, needsKey } of exampleQueries(today)) {
    const { data, errors } = await resultOf(query, needsKey ? publicTestKey : undefined)
    assert.equal(errors, undefined, `${name}: ${JSON.stringify(errors)}`)
    for (const [field, rows] of Object.entries(data ?? {})) {
      const listed = Array.isArray(rows) ? rows : ((rows as { groups?: unknown[] }).groups ?? [rows])
      assert.ok(listed.length > 0, `${name}: ${field} is empty`)
    }
  }
})

test('a live key, an access token and nonsense are refused with a hint', async () => {
  const { sandboxUrl } = minaret()
  for (const credential of [createApiKey('live'), 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA', 'nonsense']) {
    const response = await post(
      sandboxUrl,
      { query: '{ up_masjids(limit: 1) { id } }' },
      { authorization: `Bearer ${credential}` },
    )
    assert.equal(response.status, 401, credential)
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/)
    const { errors } = (await response.json()) as { errors: { message: string }[] }
    if (credential !== 'nonsense') assert.match(String(errors[0]?.message), /mk_test_/)
  }
})

test('a test key on the main endpoint is refused with a hint', async () => {
  const response = await post(
    minaret().baseUrl,
    { query: '{ up_masjids(limit: 1) { id } }' },
    { authorization: `Bearer ${publicTestKey}` },
  )
  assert.equal(response.status, 401)
  const { errors } = (await response.json()) as { errors: { message: string }[] }
  assert.match(String(errors[0]?.message), /test key.*sandbox/)
})

test('every origin may send requests', async () => {
  const headers = { origin: 'https://somewhere.example', 'access-control-request-method': 'POST' }
  const preflight = await fetch(`${minaret().sandboxUrl}/v1/graphql`, {
    method: 'OPTIONS',
    headers: { ...headers, 'access-control-request-headers': 'authorization,content-type' },
  })
  assert.ok(preflight.ok)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/i)
  for (const round of ['asked', 'known']) {
    const response = await post(minaret().sandboxUrl, { query: '{ up_masjids(limit: 1) { id } }' }, { origin: 'null' })
    assert.equal(response.headers.get('access-control-allow-origin'), '*', round)
  }
})

test('the data of the sandbox are invented: no row of the live tables shows', async () => {
  const { data } = await ask(minaret().sandboxUrl, { query: '{ up_masjids_aggregate { aggregate { count } } }' })
  assert.deepEqual(data, { up_masjids_aggregate: { aggregate: { count: 140 } } })
})
