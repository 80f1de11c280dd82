// The protocols and clients: graphql-transport-ws by graphql-ws, GraphQL over SSE by graphql-sse in both modes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient as createSseClient } from 'graphql-sse'
import { type Client, createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { rawSql } from '../../src/db/sql.ts'
import { useApi } from '../graphql/use-api.ts'
import { within } from '../support/oauth.ts'
import { openSocket } from './raw-socket.ts'

const api = useApi()

const run = (text: string): Promise<unknown> => api().minaret.service.database.run(rawSql(text))
const PATIENCE_MS = 60_000
const address = (): string => api().url.replace('http', 'ws')

const client = (payload: Record<string, unknown> = { Authorization: `Bearer ${api().key}` }): Client =>
  createClient({ url: address(), webSocketImpl: WebSocket, connectionParams: payload, retryAttempts: 0 })

// biome-ignore lint/suspicious/noExplicitAny: a result has the shape of its operation
type Result = any

interface Subscribing {
  subscribe(
    payload: { query: string; variables?: Record<string, unknown> },
    sink: { next(value: Result): void; error(error: unknown): void; complete(): void },
  ): () => void
}

const collect = (from: Subscribing, query: string, variables: Record<string, unknown> = {}) => {
  const results: Result[] = []
  const ends: unknown[] = []
  const stop = from.subscribe(
    { query, variables },
    { next: value => results.push(value), error: error => ends.push(error), complete: () => ends.push('complete') },
  )
  const until = async (count: number): Promise<Result> => {
    await within(PATIENCE_MS, `${count} results`, async () => results.length >= count || ends.length > 0)
    return results[count - 1]
  }
  return { results, ends, stop, until }
}

const LIST = 'subscription ($slug: String!) { up_masjids(where: {slug: {_eq: $slug}}) { slug capacity } }'

test('graphql-ws: subscriptions, queries and mutations over one socket', async () => {
  const socket = client()
  const one = collect(socket, LIST, { slug: 'masjid-1' })
  const other = collect(socket, LIST, { slug: 'masjid-2' })
  assert.deepEqual((await one.until(1)).data, { up_masjids: [{ slug: 'masjid-1', capacity: null }] })
  await other.until(1)
  const query = collect(socket, '{ up_masjids_by_slug(slug: "masjid-4") { slug } }')
  assert.deepEqual((await query.until(1)).data, { up_masjids_by_slug: { slug: 'masjid-4' } })
  await within(PATIENCE_MS, 'the end of the query', async () => query.ends.length > 0)
  assert.deepEqual(query.ends, ['complete'])
  await run(`update up_masjids set capacity = 11 where slug = 'masjid-1'`)
  assert.equal((await one.until(2)).data.up_masjids[0].capacity, 11)
  assert.equal(other.results.length, 1)
  one.stop()
  await within(PATIENCE_MS, 'the end', async () => one.ends.length > 0)
  await run(`update up_masjids set capacity = 12 where slug in ('masjid-1', 'masjid-2')`)
  assert.equal((await other.until(2)).data.up_masjids[0].capacity, 12)
  assert.equal(one.results.length, 2)
  await socket.dispose()
})

test('graphql-ws: errors of a document end that operation alone', async () => {
  const socket = client({ headers: { authorization: `Bearer ${api().key}` } })
  const good = collect(socket, LIST, { slug: 'masjid-1' })
  await good.until(1)
  const bad = collect(socket, 'subscription { up_masjids { nothing } }')
  await within(PATIENCE_MS, 'the error', async () => bad.ends.length > 0)
  const [errors] = bad.ends as [readonly { extensions: { code: string } }[]]
  assert.equal(errors[0]?.extensions.code, 'validation-failed')
  const query = collect(socket, '{ nothing }')
  await within(PATIENCE_MS, 'the error', async () => query.ends.length > 0)
  assert.ok(Array.isArray(query.ends[0]))
  await run(`update up_masjids set capacity = 13 where slug = 'masjid-1'`)
  await good.until(2)
  await socket.dispose()
})

test('graphql-transport-ws: how a socket is closed, and why', async () => {
  const init = { type: 'connection_init', payload: { Authorization: `Bearer ${api().key}` } }
  const asked = { id: '1', type: 'subscribe', payload: { query: 'subscription { up_masjids { id } }' } }
  for (const [what, messages, code] of [
    ['a credential that is none', [{ type: 'connection_init', payload: { Authorization: 'Bearer none' } }], 4403],
    ['no credential', [{ type: 'connection_init' }], 4403],
    ['two beginnings', [init, init], 4429],
    ['an operation before the beginning', [asked], 4401],
    ['two operations with one id', [init, asked, asked], 4409],
    ['not JSON', ['{'], 4400],
    ['not a message', ['[]'], 4400],
    ['an unknown type', [init, { type: 'start', id: '1', payload: {} }], 4400],
    ['an operation without an id', [init, { type: 'subscribe', payload: { query: '{ __typename }' } }], 4400],
    ['nothing at all', [], 4408],
  ] as const) {
    const socket = await openSocket(address(), messages)
    assert.equal((await socket.closed).code, code, what)
  }
  const pinging = await openSocket(address(), [{ type: 'ping', payload: { a: 1 } }])
  await within(PATIENCE_MS, 'a pong', async () => pinging.messages.length > 0)
  assert.deepEqual(pinging.messages, [{ type: 'pong', payload: { a: 1 } }])
  pinging.socket.terminate()
  const silent = await openSocket(address(), [], { protocol: '' })
  assert.equal((await silent.closed).code, 4406)
})

for (const singleConnection of [false, true])
  test(`graphql-sse: ${singleConnection ? 'a single connection' : 'distinct connections'}`, async () => {
    const url = singleConnection ? `${api().url}/stream` : api().url
    const sse = createSseClient({
      url,
      singleConnection: singleConnection as false,
      headers: { authorization: `Bearer ${api().key}` },
      retryAttempts: 0,
    })
    const one = collect(sse as Subscribing, LIST, { slug: 'masjid-5' })
    const other = collect(sse as Subscribing, LIST, { slug: 'masjid-6' })
    await Promise.all([one.until(1), other.until(1)])
    const capacity = singleConnection ? 61 : 51
    await run(`update up_masjids set capacity = ${capacity} where slug = 'masjid-5'`)
    assert.equal((await one.until(2)).data.up_masjids[0].capacity, capacity)
    one.stop()
    const query = collect(sse as Subscribing, '{ up_masjids_by_slug(slug: "masjid-4") { slug } }')
    assert.deepEqual((await query.until(1)).data, { up_masjids_by_slug: { slug: 'masjid-4' } })
    await within(PATIENCE_MS, 'the end of the query', async () => query.ends.length > 0)
    await run(`update up_masjids set capacity = ${capacity + 1} where slug in ('masjid-5', 'masjid-6')`)
    assert.equal((await other.until(2)).data.up_masjids[0].capacity, capacity + 1)
    assert.equal(one.results.length, 2)
    other.stop()
    sse.dispose()
  })

test('a reserved stream: who may use it, and for what', async () => {
  const stream = `${api().url}/stream`
  const authorization = `Bearer ${api().key}`
  const reserved = await fetch(stream, { method: 'PUT', headers: { authorization } })
  assert.equal(reserved.status, 201)
  const token = await reserved.text()
  assert.match(token, /^[\w-]{40,}$/)
  const headers = { authorization, 'x-graphql-event-stream-token': token, 'content-type': 'application/json' }
  const post = (body: unknown, own: Record<string, string> = headers): Promise<Response> =>
    fetch(stream, { method: 'POST', headers: own, body: JSON.stringify(body) })
  const operation = { query: 'subscription { up_masjids { id } }', extensions: { operationId: 'a' } }
  assert.equal((await fetch(stream, { method: 'PUT' })).status, 401)
  assert.equal((await post(operation, { ...headers, authorization: 'Bearer none' })).status, 401)
  assert.equal((await post({ query: operation.query })).status, 400)
  assert.equal((await post({ query: 'subscription { nothing }', extensions: { operationId: 'b' } })).status, 400)
  assert.equal((await post(operation)).status, 202)
  assert.equal((await post(operation)).status, 409)
  assert.equal((await post(operation, { ...headers, 'x-graphql-event-stream-token': 'other' })).status, 404)
  const control = new AbortController()
  const open = (): Promise<Response> =>
    fetch(`${stream}?token=${token}`, { headers: { accept: 'text/event-stream' }, signal: control.signal })
  const opened = await open()
  assert.equal(opened.status, 200)
  assert.equal((await open()).status, 409)
  const reader = (opened.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  await within(PATIENCE_MS, 'the result', async () => {
    text += new TextDecoder().decode((await reader.read()).value)
    return /event: next\ndata: \{"id":"a","payload":\{"data":/.test(text)
  })
  assert.equal((await fetch(`${stream}?operationId=a`, { method: 'DELETE', headers })).status, 200)
  assert.equal((await post(operation)).status, 202)
  control.abort()
  await within(PATIENCE_MS, 'the end of the reservation', async () => (await post(operation)).status === 404)
  const preflight = await fetch(stream, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.org', 'access-control-request-method': 'DELETE' },
  })
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PUT, DELETE/)
})
