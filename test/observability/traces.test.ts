// Requests → spans at a collector, over real OTLP.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { makeApp, makeKey } from '../support/apps.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'

const PATIENCE_MS = 30_000
const SECRET = 'Hidden in a variable'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[]
}

interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

let collector: Server
let minaret: TestMinaret
let key = ''
let given: string | undefined
const received: string[] = []

const spans = (): Span[] =>
  received.flatMap(text =>
    (JSON.parse(text) as Export).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(one => [...one.spans])),
  )

before(async () => {
  collector = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => (text += chunk))
    request.on('end', () => {
      assert.equal(request.url, '/v1/traces')
      given = request.headers['api-key'] as string | undefined
      received.push(text)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  minaret = await startTestMinaret({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=for the collector',
    ANSWER_CACHE_MB: '0',
  })
  const { database } = minaret.service
  const { id: appId } = await makeApp(database, { scopes: ['masjid:read'] })
  key = (await makeKey(database, { appId, scopes: ['masjid:read'] })).key
})
after(async () => {
  await minaret.stop()
  collector.closeAllConnections()
  await new Promise(resolve => collector.close(resolve))
})

const ask = (traceparent: string): Promise<Response> =>
  fetch(`${minaret.baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', traceparent },
    body: JSON.stringify({
      query: 'query Named($name: String!) { alias: up_masjids(where: {name: {_eq: $name}}) { id } }',
      variables: { name: SECRET },
    }),
  })

const untilSpan = async (what: string, is: (span: Span) => boolean): Promise<Span> => {
  await within(PATIENCE_MS, what, async () => spans().some(is))
  return spans().find(is) as Span
}

const trace = (digit: string): string => digit.repeat(32)

test('a GraphQL request is a span under the client’s, with its operation, and its statement’s wait and run', async () => {
  const parent = 'b7ad6b7169203331'
  await (await ask(`00-${trace('a')}-${parent}-01`)).text()
  const request = await untilSpan('the request arrives', ({ parentSpanId }) => parentSpanId === parent)
  assert.equal(request.traceId, trace('a'))
  assert.equal(request.name, 'POST /v1/graphql')
  const childOf = (span: Span, name: string): Promise<Span> =>
    untilSpan(name, one => one.parentSpanId === span.spanId && one.name === name)
  const operation = await childOf(request, 'graphql query')
  assert.match(JSON.stringify(operation.attributes), /"up_masjids"/)
  const statement = await childOf(operation, 'statement')
  const [wait, run] = [await childOf(statement, 'wait'), await childOf(statement, 'run')]
  assert.equal(wait.endTimeUnixNano, run.startTimeUnixNano)
  assert.ok(BigInt(request.startTimeUnixNano) <= BigInt(wait.startTimeUnixNano))
  assert.ok(BigInt(run.endTimeUnixNano) <= BigInt(request.endTimeUnixNano))
  const since = Math.abs(Date.now() - Number(BigInt(request.startTimeUnixNano) / 1_000_000n))
  assert.ok(since < PATIENCE_MS, `${since} ms`)
  assert.equal(given, 'for the collector')
})

test('other requests are spans named by their route', async () => {
  await (await fetch(`${minaret.baseUrl}/m/a-private-name?token=a-private-token`)).text()
  await untilSpan('the page', ({ name }) => name === 'GET /m/:slug')
})

test('a client that asks not to be traced is not; an unreadable traceparent starts a trace of our own', async () => {
  await (await ask(`00-${trace('b')}-b7ad6b7169203331-00`)).text()
  for (const wrong of [
    `00-${trace('0')}-b7ad6b7169203331-01`,
    `00-${trace('c')}-0000000000000000-01`,
    'x'.repeat(5000),
  ])
    assert.equal((await ask(wrong)).status, 200)
  const own = ({ name, parentSpanId = '' }: Span): boolean => name === 'POST /v1/graphql' && parentSpanId === ''
  await within(PATIENCE_MS, 'three of our own', async () => spans().filter(own).length === 3)
  assert.ok(spans().every(({ traceId }) => ![trace('b'), trace('0'), trace('c')].includes(traceId)))
})

test('no span has a variable, a credential, a path, an alias or the name of an operation', () => {
  assert.doesNotMatch(received.join('\n'), /Hidden|mk_live_|a-private|alias|Named|127\.0\.0\.1/)
})
