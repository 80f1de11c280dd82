// Requests → spans at a collector, over real OTLP.
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { makeApp, makeKey } from '../support/apps.ts'
import { insertEvent } from '../support/events.ts'
import { type ImageHost, openImageHost } from '../support/image-host.ts'
import { ask as askForImage } from '../support/image-rows.ts'
import { insertMasjid } from '../support/masjids.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { openReceiver, type Receiver, verify } from '../webhooks/receiver.ts'
import { makeEndpoint } from '../webhooks/use-webhooks.ts'

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
let receiver: Receiver
let images: ImageHost
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
  receiver = await openReceiver()
  images = await openImageHost()
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=for the collector',
    ANSWER_CACHE_MB: '0',
  }
  minaret = await startTestMinaret(environment, { dial: images.dial })
  const { database } = minaret.service
  const scopes = ['masjid:read', 'masjid:write'] as const
  const { id: appId } = await makeApp(database, { scopes })
  key = (await makeKey(database, { appId, scopes })).key
})
after(async () => {
  await minaret.stop()
  await Promise.all([receiver.close(), images.close()])
  collector.closeAllConnections()
  await new Promise(resolve => collector.close(resolve))
})

const QUERY = 'query Named($name: String!) { alias: up_masjids(where: {name: {_eq: $name}}) { id } }'
const MUTATION =
  'mutation Named($name: String!) { alias: update_up_masjids(where: {name: {_eq: $name}}, _set: {name: $name}) { affected_rows } }'

const ask = (traceparent: string, query = QUERY): Promise<Response> =>
  fetch(`${minaret.baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', traceparent },
    body: JSON.stringify({ query, variables: { name: SECRET } }),
  })

const untilSpan = async (what: string, is: (span: Span) => boolean): Promise<Span> => {
  await within(PATIENCE_MS, what, async () => spans().some(is))
  return spans().find(is) as Span
}

const childOf = (span: Span, name: string): Promise<Span> =>
  untilSpan(name, one => one.parentSpanId === span.spanId && one.name === name)

const trace = (digit: string): string => digit.repeat(32)

test('a GraphQL request is a span under the client’s, with its operation, and its statement’s wait and run', async () => {
  const parent = 'b7ad6b7169203331'
  await (await ask(`00-${trace('a')}-${parent}-01`)).text()
  const request = await untilSpan('the request arrives', ({ parentSpanId }) => parentSpanId === parent)
  assert.equal(request.traceId, trace('a'))
  assert.equal(request.name, 'POST /v1/graphql')
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

test('so is a mutation, with the wait and run of its transaction', async () => {
  const parent = 'd7ad6b7169203331'
  const response = await ask(`00-${trace('d')}-${parent}-01`, MUTATION)
  assert.deepEqual(await response.json(), { data: { alias: { affected_rows: 0 } } })
  const request = await untilSpan('the request arrives', ({ parentSpanId }) => parentSpanId === parent)
  const statement = await childOf(await childOf(request, 'graphql mutation'), 'statement')
  assert.match(JSON.stringify(statement.attributes), /"minaret.statement","value":{"stringValue":"\w+"}/)
  const [wait, run] = [await childOf(statement, 'wait'), await childOf(statement, 'run')]
  assert.ok(BigInt(run.endTimeUnixNano) > BigInt(run.startTimeUnixNano))
  assert.ok(BigInt(wait.startTimeUnixNano) >= BigInt(request.startTimeUnixNano))
  assert.ok(BigInt(run.endTimeUnixNano) <= BigInt(request.endTimeUnixNano))
})

/** The span that sent this header. */
const senderOf = ({ traceparent }: IncomingHttpHeaders): Promise<Span> => {
  const [, traceId, spanId] = /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(String(traceparent)) ?? []
  return untilSpan(`the sender of ${traceparent}`, one => one.traceId === traceId && one.spanId === spanId)
}

test('a webhook continues the trace of its delivery at the receiver, and its signature holds', async () => {
  const { database } = minaret.service
  const masjid = await insertMasjid(database)
  const { secret } = await makeEndpoint(database, { url: `${receiver.url}/a-private-path` })
  await insertEvent(database, masjid)
  await within(PATIENCE_MS, 'a message', () => receiver.received.length > 0)
  const [message] = receiver.received
  assert.ok(message)
  verify(message, secret)
  assert.equal((await senderOf(message.headers)).name, 'POST webhook')
})

test('an image is fetched with the trace of its job', async () => {
  await askForImage(minaret.service.database, 'https://logo.test/a-private-picture.png')
  await within(PATIENCE_MS, 'the image is asked for', () => images.requests.length > 0)
  const span = await senderOf(images.requests[0]?.headers ?? {})
  assert.equal(span.name, 'GET image')
  assert.match(JSON.stringify(span.attributes), /"http.response.status_code","value":{"intValue":200}/)
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
  assert.doesNotMatch(received.join('\n'), /Hidden|mk_live_|a-private|logo\.test|alias|Named|127\.0\.0\.1/)
})
