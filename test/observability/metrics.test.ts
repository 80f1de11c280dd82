// What an operator sees at /metrics after real traffic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enqueueMail } from '../../src/accounts/outbox.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { basic, makeClient, postToken, type TestApp, within } from '../support/oauth.ts'
import { metricsIn, readPanels, readRules, selectorsIn } from './dashboard.ts'
import { type ScrapedSample, scrape, total, watched } from './scrape.ts'

const PATIENCE_MS = 30_000
const DURATION = 'http_server_request_duration_seconds_count'

let app: TestApp
let key = ''
const minaret = useMinaret(watched, async ({ service: { database } }) => {
  app = await makeClient(database, { kind: 'confidential', scopes: 'masjid:read' })
  const { id: appId } = await makeApp(database, { scopes: ['masjid:read'] })
  key = (await makeKey(database, { appId, scopes: ['masjid:read'] })).key
})

/** `work` adds exactly one to a metric, once its response has ended on our side too. */
const addsOne = async (
  work: () => Promise<unknown>,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> => {
  const count = async (): Promise<number> => total(await scrape(minaret()), name, labels)
  const before = await count()
  await work()
  await within(PATIENCE_MS, `${name} has grown for ${JSON.stringify(labels)}`, async () => (await count()) > before)
  assert.equal(await count(), before + 1)
}

const ask = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${minaret().baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })

test('requests are counted by method, route pattern and status', async () => {
  const labels = { http_request_method: 'GET', listener: 'main' }
  const visit = async (path: string): Promise<void> => void (await (await fetch(minaret().baseUrl + path)).text())
  const counted = (path: string, route: string, status: string) =>
    addsOne(() => visit(path), DURATION, { ...labels, http_route: route, http_response_status_code: status })
  await counted('/healthz', '/healthz', '200')
  await counted('/m/nowhere', '/m/:slug', '404')
})

test('requests of both transports are counted: plain connections, and Node’s server', async () => {
  const labels = { http_route: '/v1/graphql', http_request_method: 'POST', http_response_status_code: '200' }
  const query = '{ up_masjids(limit: 1) { id } }'
  await addsOne(async () => (await ask(query)).text(), DURATION, labels)
  // A trailer announcement is nothing for plain connections.
  await addsOne(async () => (await ask(query, { trailer: 'x' })).text(), DURATION, labels)
})

test('buckets are cumulative, and the last one has everything', async () => {
  await (await fetch(`${minaret().baseUrl}/healthz`)).text()
  const samples = await scrape(minaret())
  const of = (one: ScrapedSample): boolean =>
    one.labels.http_route === '/healthz' && one.labels.http_response_status_code === '200'
  const buckets = samples.filter(one => one.name === 'http_server_request_duration_seconds_bucket' && of(one))
  const values = buckets.map(({ value }) => value)
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  )
  assert.equal(buckets.at(-1)?.labels.le, '+Inf')
  assert.equal(buckets.at(-1)?.value, samples.find(one => one.name === DURATION && of(one))?.value)
})

test('tokens are counted by grant and outcome', async () => {
  const name = 'minaret_oauth_tokens_total'
  const grant = { grant_type: 'client_credentials' }
  const issued = { grant: 'client_credentials', outcome: 'issued' }
  await addsOne(() => postToken(minaret(), grant, basic(app)), name, issued)
  const wrong = { authorization: `Basic ${btoa(`${app.clientId}:wrong`)}` }
  const refused = { grant: 'client_credentials', outcome: 'invalid_client' }
  await addsOne(() => postToken(minaret(), grant, wrong), name, refused)
  const invented = { grant_type: 'invented"\n} 1' }
  const unknown = { grant: 'unknown', outcome: 'unsupported_grant_type' }
  await addsOne(() => postToken(minaret(), invented, basic(app)), name, unknown)
})

test('GraphQL is counted by root field, whatever it is called in the document', async () => {
  const name = 'minaret_graphql_fields_total'
  const labels = { endpoint: 'main', kind: 'query', field: 'up_masjids' }
  const query =
    '{ secret_alias: up_masjids(limit: 1) { id } ...more } fragment more on query_root { up_masjids(limit: 2) { id } }'
  await addsOne(async () => (await ask(query)).text(), name, labels)
  const samples = await scrape(minaret())
  assert.ok(samples.every(one => one.labels.field !== 'secret_alias'))
  const errors = { endpoint: 'main', code: 'validation-failed' }
  await addsOne(async () => (await ask('{ no_such_field }')).text(), 'minaret_graphql_errors_total', errors)
})

test('answers from memory are told apart from those of the database', async () => {
  const name = 'minaret_graphql_operation_duration_seconds_count'
  const query = '{ up_masjids(limit: 3, order_by: {id: asc}) { id name } }'
  const before = total(await scrape(minaret()), name, { endpoint: 'main', source: 'memory' })
  await within(PATIENCE_MS, 'an answer came from memory', async () => {
    await (await ask(query)).text()
    return total(await scrape(minaret()), name, { endpoint: 'main', source: 'memory' }) > before
  })
  assert.ok(total(await scrape(minaret()), 'minaret_answers_lookups_total', { outcome: 'hit' }) > 0)
})

test('lanes, pools, turns, subscriptions and the process itself have figures', async () => {
  await (await ask('{ up_masjids(limit: 5) { id slug } }')).text()
  const samples = await scrape(minaret())
  assert.ok(total(samples, 'minaret_statement_run_seconds_count', { endpoint: 'main' }) > 0)
  assert.ok(total(samples, 'minaret_statement_wait_seconds_count', { endpoint: 'main' }) > 0)
  assert.equal(total(samples, 'minaret_lanes', { endpoint: 'main', lane: 'quick' }), 2)
  assert.equal(total(samples, 'minaret_pool_connections_max', { pool: 'requests' }), 10)
  const present = new Set(samples.map(({ name }) => name))
  for (const name of [
    'minaret_pool_waiting',
    'minaret_writers_waiting',
    'minaret_requests_in_progress',
    'minaret_requests_waiting',
    'minaret_subscriptions_open',
    'minaret_live_connections_open',
    'minaret_build_info',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ])
    assert.ok(present.has(name), name)
})

test('subscriptions that are open are counted, not timed as requests', async () => {
  const response = await ask('subscription { up_masjids(limit: 1) { id } }', { accept: 'text/event-stream' })
  assert.equal(response.status, 200)
  const open = async (): Promise<number> =>
    total(await scrape(minaret()), 'minaret_subscriptions_open', { endpoint: 'main' })
  await within(PATIENCE_MS, 'it is open', async () => (await open()) === 1)
  await response.body?.cancel()
  await within(PATIENCE_MS, 'it is closed', async () => (await open()) === 0)
  const slow = total(await scrape(minaret()), DURATION, { http_route: '/v1/graphql', http_response_status_code: '499' })
  assert.equal(slow, 0)
})

test('jobs say when they last succeeded', async () => {
  const name = 'minaret_job_last_success_timestamp_seconds'
  await within(PATIENCE_MS, 'announcements were looked at', async () => {
    const at = total(await scrape(minaret()), name, { job_name: 'due_announcements' })
    return Math.abs(Date.now() / 1000 - at) < 60
  })
  const samples = await scrape(minaret())
  for (const job of ['signing_keys', 'images', 'planned_changes'])
    assert.ok(total(samples, 'minaret_job_runs_total', { job_name: job }) > 0, job)
})

test('the migrations that are known have been applied', async () => {
  await within(PATIENCE_MS, 'the database was asked', async () =>
    (await scrape(minaret())).some(one => one.name === 'minaret_migrations_applied'),
  )
  const samples = await scrape(minaret())
  assert.equal(total(samples, 'minaret_migrations_applied'), total(samples, 'minaret_migrations_known'))
  assert.equal(total(samples, 'minaret_database_up'), 1)
})

test('attempts to send mail are counted, without the address', async () => {
  const failed = async (): Promise<number> =>
    total(await scrape(minaret()), 'minaret_mail_total', { outcome: 'failed' })
  const before = await failed()
  await enqueueMail(minaret().service.database, { to: 'amina@example.org', subject: 'A subject', text: 'A text' })
  await within(PATIENCE_MS, 'it was tried', async () => (await failed()) > before)
  assert.ok((await scrape(minaret())).every(({ labels }) => !JSON.stringify(labels).includes('amina')))
})

/** Everything above was traffic; what is only counted after an error, or in another mode, is not expected. */
test('every metric of the dashboard and of the alert rules exists', async () => {
  const samples = await scrape(minaret())
  const names = new Set(['up', ...samples.map(({ name }) => name)])
  const rules = readRules().map(({ alert, expr }) => ({ where: alert, expression: expr }))
  const expressions = [...readPanels(), ...rules]
  assert.ok(expressions.length > 40, `${expressions.length} expressions`)
  for (const { where, expression } of expressions) {
    const named = metricsIn(expression)
    assert.ok(named.length > 0, `${where}: ${expression}`)
    for (const name of named) assert.ok(names.has(name), `${where}: there is no ${name}`)
    // Prometheus adds `job` and `instance`; variables are Grafana's.
    const own = selectorsIn(expression).filter(
      ({ label, value }) => !/^(job|instance)$/.test(label) && !value?.includes('$'),
    )
    for (const { metric, label, value } of own) {
      const values = samples.filter(({ name }) => name === metric).map(({ labels }) => labels[label])
      const there = value === undefined ? values.some(one => one !== undefined) : values.includes(value)
      assert.ok(there, `${where}: no ${metric} has ${label}="${value}"`)
    }
  }
})

test('every alert says what happened and how urgent it is, once', () => {
  const rules = readRules()
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, annotations, labels, for: after = '' } of rules) {
    assert.match(alert, /^Minaret[A-Z]\w+$/)
    assert.ok(annotations.summary, alert)
    assert.match(labels.severity ?? '', /^(critical|warning)$/, alert)
    // One failed scrape, or one moment, pages nobody.
    assert.match(after, /^[1-9]\d*[mh]$/, alert)
  }
})
