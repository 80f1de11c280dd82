// Whoever reaches the service tries to read its metrics, to write into them, or to make them grow.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { readScrape, type ScrapedSample, scrape, total, watched } from '../../observability/scrape.ts'
import { useMinaret } from '../../support/minaret.ts'
import { postToken, within } from '../../support/oauth.ts'

const PATIENCE_MS = 30_000
const REQUESTS = 'http_server_request_duration_seconds_count'
const minaret = useMinaret(watched)

const metricsUrl = (): string => {
  const { metricsUrl: url } = minaret().service
  assert.ok(url)
  return url
}

/** Sends bytes as they are, on one connection, and waits for this many responses or its end. */
const sendRaw = (port: number, text: string, responses = 1): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', chunk => {
      answer += chunk
      if (answer.split('HTTP/1.1 ').length > responses) socket.end()
    })
    socket.on('error', reject).on('close', () => resolve(answer))
  })

test('the main port and the sandbox have no /metrics', async () => {
  for (const url of [minaret().baseUrl, minaret().sandboxUrl]) {
    const response = await fetch(`${url}/metrics`)
    assert.equal(response.status, 404)
    assert.doesNotMatch(await response.text(), /http_server_request_duration/)
  }
})

test('the port of metrics has nothing else, and only GET', async () => {
  const origin = new URL(metricsUrl()).origin
  for (const path of ['/', '/healthz', '/v1/graphql', '/metrics/', '/metrics/x', '//metrics'])
    assert.equal((await fetch(origin + path)).status, 404, path)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const response = await fetch(metricsUrl(), { method })
    assert.equal(response.status, 405, method)
    assert.equal(response.headers.get('allow'), 'GET, HEAD')
  }
})

test('it listens on loopback only, unless told otherwise', () => {
  assert.equal(new URL(metricsUrl()).hostname, '127.0.0.1')
})

test('method, path, Host and user agent cannot write into labels', async () => {
  const { port } = minaret().service
  const evil = 'x"} 1\\n evil_metric 1'
  for (const text of [
    `GET /%22%7D%201%0Aevil_metric%201 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\nhost: ${evil}\r\nuser-agent: ${evil}\r\nconnection: close\r\n\r\n`,
    `PROPFIND /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
    `MKCOL /evil HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
  ])
    await sendRaw(port, text)
  await fetch(`${minaret().baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'query evil { evil_field }', operationName: evil }),
  })
  await postToken(minaret(), { grant_type: evil })
  const text = await (await fetch(metricsUrl())).text()
  assert.doesNotMatch(text, /evil|PROPFIND|MKCOL/)
  const methods = new Set(readScrape(text).map(({ labels }) => labels.http_request_method))
  for (const method of methods) assert.match(String(method), /^(undefined|_OTHER|GET|HEAD|POST|OPTIONS)$/)
})

test('10,000 different paths add no series', async () => {
  const { port } = minaret().service
  const asked = (from: number, count: number): string =>
    Array.from(
      { length: count },
      (_, index) => `GET /nowhere/${from + index} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    ).join('')
  const unmatched = { http_response_status_code: '404', listener: 'main' }
  await sendRaw(port, asked(-1, 1))
  await within(PATIENCE_MS, 'the first is counted', async () => total(await scrape(minaret()), REQUESTS, unmatched) > 0)
  const before = await scrape(minaret())
  for (let from = 0; from < 10_000; from += 200) await sendRaw(port, asked(from, 200), 200)
  await within(PATIENCE_MS, 'all are counted', async () => {
    const counted = total(await scrape(minaret()), REQUESTS, unmatched) - total(before, REQUESTS, unmatched)
    return counted === 10_000
  })
  const after = await scrape(minaret())
  const requestSeries = (samples: readonly ScrapedSample[]) => samples.filter(({ name }) => name === REQUESTS).length
  assert.equal(requestSeries(after), requestSeries(before))
  assert.ok(after.length < 5000, `${after.length} series`)
})

test('no label has an id, an address or anything that looks like a credential', async () => {
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/
  for (const { name, labels } of await scrape(minaret())) {
    const text = JSON.stringify(labels)
    assert.doesNotMatch(text, uuid, name)
    assert.doesNotMatch(text, /mk_(live|test)_|eyJ|@|127\.0\.0\.1/, name)
  }
})
