import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { publicTestKey } from '../../src/sandbox/public-test-key.ts'
import { RENEWED_CHANNEL } from '../../src/sandbox/renew-fixtures.ts'
import { startTestMinaret, useMinaret } from '../support/minaret.ts'
import { ask, post } from '../support/sandbox.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const masjids = { query: '{ up_masjids(order_by: {id: asc}, limit: 1) { id name } }' }

const rename = (name: string): Promise<number> =>
  minaret().service.database.run(sql`
    update sandbox.up_masjids set name = ${name} where id = (select id from sandbox.up_masjids order by id limit 1)`)

const nameSeen = async (key?: string): Promise<string | undefined> => {
  const { data } = await ask(minaret().sandboxUrl, masjids, key)
  return (data?.up_masjids as { name: string }[] | undefined)?.[0]?.name
}

const tellRenewal = (): Promise<number> =>
  minaret().service.database.run(sql`select pg_notify(${RENEWED_CHANNEL}, '2026-11-15')`)

const until = async (fits: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 60_000
  while (!(await fits())) {
    if (Date.now() > deadline) throw new Error('The condition did not hold in time.')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

test('a response is cached, and evicted when the data are renewed', async () => {
  // Cached before it changes: otherwise the first name would show before the renewal was heard of.
  await nameSeen()
  await rename('First name')
  await tellRenewal()
  await until(async () => (await nameSeen()) === 'First name')
  await rename('Second name')
  assert.equal(await nameSeen(), 'First name')
  await tellRenewal()
  await until(async () => (await nameSeen()) === 'Second name')
})

test('responses are cached per scopes: what a key opens stays closed without it', async () => {
  const members = { query: '{ ua_members(limit: 1) { id } }' }
  assert.equal((await ask(minaret().sandboxUrl, members, publicTestKey)).errors, undefined)
  const { errors } = await ask(minaret().sandboxUrl, members)
  assert.equal(errors?.[0]?.extensions.code, 'insufficient-scope')
  assert.equal((await ask(minaret().sandboxUrl, members, publicTestKey)).errors, undefined)
})

test('responses have an ETag and may be cached for a minute; those of a key only privately', async () => {
  for (const round of ['asked', 'known']) {
    const open = await post(minaret().sandboxUrl, masjids)
    assert.equal(open.headers.get('cache-control'), 'public, max-age=60', round)
    assert.match(open.headers.get('etag') ?? '', /^(W\/)?"[\w-]+"$/, round)
    assert.match(open.headers.get('vary') ?? '', /authorization/i, round)
    assert.match(open.headers.get('content-type') ?? '', /graphql-response\+json/, round)
    assert.match(open.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/, round)
    const keyed = await post(minaret().sandboxUrl, masjids, { authorization: `Bearer ${publicTestKey}` })
    assert.equal(keyed.headers.get('cache-control'), 'private, max-age=60', round)
  }
})

test('a cached response has the bytes and headers of the first', async () => {
  const question = { query: '{ up_events(order_by: {id: asc}, limit: 5) { id title masjid { name } } }' }
  const [first, second] = [await post(minaret().sandboxUrl, question), await post(minaret().sandboxUrl, question)]
  assert.equal(await second.text(), await first.text())
  const headers = (response: Response) =>
    [...response.headers].filter(
      ([name]) => !['x-request-id', 'date', 'content-length', 'content-encoding', 'transfer-encoding'].includes(name),
    )
  assert.deepEqual(headers(second).toSorted(), headers(first).toSorted())
})

test('GET with the ETag of a response gets 304 without a body', async () => {
  const url = `${minaret().sandboxUrl}/v1/graphql?query=${encodeURIComponent(masjids.query)}`
  const first = await fetch(url)
  assert.equal(first.status, 200)
  const etag = first.headers.get('etag') ?? ''
  for (const round of ['one', 'two']) {
    const again = await fetch(url, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304, round)
    assert.equal(await again.text(), '')
  }
  assert.equal((await fetch(url, { headers: { 'if-none-match': '"another"' } })).status, 200)
})

test('errors are not cached', async () => {
  for (const query of ['{ no_such_table { id } }', '{ up_masjids(limit: 101) { id } }', '{']) {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const response = await post(minaret().sandboxUrl, { query }, { accept })
      assert.equal(response.headers.get('cache-control'), 'no-store', query)
      assert.equal(response.headers.get('etag'), null)
    }
  }
})

test('bodies that are split, spaced differently or pipelined on one connection are all answered', async () => {
  const bodies = Array.from(
    { length: 30 },
    (_, number) => `{"query":"{ up_masjids(limit: 2) { name } }"${' '.repeat(number % 3)}}`,
  )
  const texts = await Promise.all(
    bodies.map(async body => {
      const stream = new ReadableStream({
        async start(controller) {
          for (const half of [body.slice(0, 20), body.slice(20)]) {
            controller.enqueue(new TextEncoder().encode(half))
            await new Promise(resolve => setTimeout(resolve, 2))
          }
          controller.close()
        },
      })
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit
      return (await fetch(`${minaret().sandboxUrl}/v1/graphql`, init)).text()
    }),
  )
  assert.equal(new Set(texts).size, 1)
  assert.match(texts[0] ?? '', /^\{"data":/)
})

test('an address that sends too many requests gets 429, even for cached responses', async () => {
  const limited = await startTestMinaret({ RATE_LIMITS: 'on' })
  try {
    let refused: Response | undefined
    let asked = 0
    while (refused === undefined && asked < 3000) {
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => post(limited.sandboxUrl, { query: '{ __typename }' })),
      )
      refused = responses.find(({ status }) => status === 429)
      asked += responses.length
    }
    assert.ok(asked >= 1200 && asked <= 1300, `refused after ${asked}`)
    assert.ok(Number(refused?.headers.get('retry-after')) > 0)
    const { errors } = (await (refused as Response).json()) as { errors: { extensions: { code: string } }[] }
    assert.equal(errors[0]?.extensions.code, 'too_many_requests')
  } finally {
    await limited.stop()
  }
})

test('cached responses stay compressed, for clients that accept the encoding', async () => {
  const many = { query: '{ up_masjids(limit: 60) { id name city timezone } }' }
  const asked = async (encoding: string) => {
    const response = await post(minaret().sandboxUrl, many, { 'accept-encoding': encoding })
    const { headers } = response
    const names = ['content-encoding', 'vary', 'etag'].map(name => headers.get(name))
    return { names, text: await response.text() }
  }
  const [first, second] = [await asked('gzip, br'), await asked('gzip, br')]
  assert.equal(first.names[0], 'br')
  assert.match(String(first.names[1]), /accept-encoding/)
  assert.deepEqual(second, first)
  assert.equal((await asked('gzip')).names[0], 'gzip')
  const plain = await asked('identity')
  assert.equal(plain.names[0], null)
  assert.match(String(plain.names[1]), /accept-encoding/)
  assert.equal(plain.text, first.text)
})
