// What is told about single requests: a line in the log, a header, the plan of a slow statement. Never a value or a secret.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'

const PATIENCE_MS = 30_000
const SECRET = 'Hidden in a variable'

let minaret: TestMinaret
let key = ''
const lines: string[] = []

before(async () => {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(...String(chunk).split('\n').filter(Boolean))
      done()
    },
  })
  const environment = { ACCESS_LOG: 'on', SLOW_STATEMENT_MS: '0', ANSWER_CACHE_MB: '0' }
  minaret = await startTestMinaret(environment, { log: createLogger('info', sink) })
  const { database } = minaret.service
  const scopes = ['masjid:read', 'masjid:write'] as const
  const { id: appId } = await makeApp(database, { scopes })
  key = (await makeKey(database, { appId, scopes })).key
})
after(() => minaret.stop())

const ask = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${minaret.baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables: { name: SECRET } }),
  })

// biome-ignore lint/suspicious/noExplicitAny: a line of the log
type Line = any

const logged = (): Line[] => lines.map(line => JSON.parse(line))

const lineWith = async (what: string, is: (line: Line) => boolean): Promise<Line> => {
  let found: Line
  await within(PATIENCE_MS, what, async () => {
    found = logged().find(is)
    return found !== undefined
  })
  return found
}

const QUERY = 'query Named($name: String!) { up_masjids(where: {name: {_eq: $name}}) { id name } }'

test('ACCESS_LOG writes a line for each request: the pattern, never the path, an address or a secret', async () => {
  const response = await fetch(`${minaret.baseUrl}/m/a-private-name?token=a-private-token`)
  await response.text()
  const id = response.headers.get('x-request-id')
  const { access } = await lineWith('the page is logged', ({ access }) => access?.requestId === id)
  const { ms, ...rest } = access
  assert.ok(ms >= 0)
  const expected = { listener: 'main', method: 'GET', route: '/m/:slug', status: 404, requestId: id }
  assert.deepEqual(rest, expected)
  await (await ask(QUERY)).text()
  await lineWith('the query is logged', ({ access }) => access?.route === '/v1/graphql' && access.status === 200)
  assert.doesNotMatch(lines.join('\n'), /a-private|127\.0\.0\.1|mk_live_\w/)
})

test('Server-Timing is for those who ask for explanations', async () => {
  const plain = await ask(QUERY)
  assert.equal(plain.headers.get('server-timing'), null)
  const explained = await ask(QUERY, { 'x-minaret-explain': '1' })
  assert.match(explained.headers.get('server-timing') ?? '', /^total;dur=\d+\.\d, db;dur=\d+\.\d, queue;dur=\d+\.\d$/)
})

test('a slow statement is logged with the hash of its document, its cost and its plan, and without values', async () => {
  await (await ask(QUERY)).text()
  const is = (line: Line): boolean => line.slow?.plan !== undefined && line.slow.fields.includes('up_masjids')
  const { slow } = await lineWith('the statement is logged', is)
  assert.match(slow.document, /^[0-9a-f]{16}$/)
  assert.ok(slow.cost > 0)
  assert.ok(slow.plan[0].Plan['Node Type'])
  assert.doesNotMatch(lines.join('\n'), new RegExp(SECRET))
})

test('a mutation is timed too, and logged without a plan', async () => {
  const mutation =
    'mutation ($name: String!) { update_up_masjids(where: {name: {_eq: $name}}, _set: {name: $name}) { affected_rows } }'
  const response = await ask(mutation, { 'x-minaret-explain': '1' })
  assert.match(response.headers.get('server-timing') ?? '', /^total;dur=\d+\.\d, db;dur=\d+\.\d, queue;dur=\d+\.\d$/)
  const is = (line: Line): boolean => line.slow?.fields.includes('update_up_masjids') === true
  const { slow } = await lineWith('the mutation is logged', is)
  assert.match(slow.statement, /^\w+$/)
  assert.equal(slow.plan, undefined)
  assert.doesNotMatch(JSON.stringify(slow), /Hidden/)
})

test('the plan of a statement is logged once', async () => {
  const query = '{ up_masjids(limit: 7) { id city } }'
  const of = () => logged().filter(({ slow }) => slow?.cost === 7)
  for (let count = 1; count <= 2; count += 1) {
    await (await ask(query)).text()
    await within(PATIENCE_MS, `line ${count}`, async () => of().length >= count)
  }
  assert.equal(of().filter(({ slow }) => slow.plan !== undefined).length, 1)
})
