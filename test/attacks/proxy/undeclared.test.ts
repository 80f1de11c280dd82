// A proxy that nobody declared: all clients count as one. The log says so once, `minaret doctor` says what to set, and strangers learn nothing.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { createLogger } from '../../../src/base/log.ts'
import type { Finding } from '../../../src/commands/doctor/finding.ts'
import { DOCTOR_HEADER, doctorToken, SIGHTING_PATH } from '../../../src/http/proxies/doctor-token.ts'
import { type Forwarding, openForwarding } from '../../support/forwarding.ts'
import { startTestMinaret, TEST_SECRET, type TestMinaret } from '../../support/minaret.ts'
import { runCommand } from '../../support/process.ts'

let minaret: TestMinaret
let proxy: Forwarding
const lines: string[] = []

before(async () => {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(...String(chunk).split('\n').filter(Boolean))
      done()
    },
  })
  proxy = await openForwarding(
    () => minaret.baseUrl,
    client => ({ 'x-forwarded-for': client }),
  )
  const environment = { RATE_LIMITS: 'on' }
  minaret = await startTestMinaret(environment, { log: createLogger('info', sink) })
})
after(async () => {
  await minaret.stop()
  await proxy.close()
})

const said = (): { readonly peer: string; readonly header: string; readonly msg: string }[] =>
  lines.map(line => JSON.parse(line)).filter(({ msg }) => /TRUST_PROXY/.test(msg))

const ask = async (url: string, headers: Record<string, string> = {}): Promise<Response> => {
  const response = await fetch(url, { headers })
  await response.arrayBuffer()
  return response
}

test('the first request that comes through it is one line, which is true of a stranger who sends the header as well', async () => {
  assert.deepEqual(said(), [])
  await ask(`${minaret.baseUrl}/healthz`)
  assert.deepEqual(said(), [])
  await ask(`${proxy.url}/healthz`)
  const [line] = said()
  assert.deepEqual([line?.peer, line?.header], ['127.0.0.1', 'X-Forwarded-For'])
  assert.match(line?.msg ?? '', /set TRUST_PROXY=127\.0\.0\.1/)
  assert.match(line?.msg ?? '', /If it is not, somebody sent the header themselves, and there is nothing to do/)
})

test('it is no way to fill the log: neither the proxy nor a stranger adds a line', async () => {
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip'])
    for (let at = 0; at < 20; at += 1) await ask(`${minaret.baseUrl}/healthz`, { [header]: `203.0.113.${at}` })
  await ask(`${proxy.url}/healthz`)
  assert.equal(said().length, 1)
})

describe('what the doctor asks', () => {
  const url = (): string => minaret.baseUrl + SIGHTING_PATH
  const now = (): Date => new Date()

  test('is nothing to strangers: the answer is that of a path that is not there', async () => {
    const lasting = async (address: string, headers: Record<string, string> = {}) => {
      const response = await fetch(address, { headers })
      // A path that is not there may be a person's, who then gets a cookie.
      const { date: _date, 'x-request-id': _id, 'set-cookie': _cookie, ...rest } = Object.fromEntries(response.headers)
      return { status: response.status, rest, text: await response.text() }
    }
    const nowhere = await lasting(`${minaret.baseUrl}/.well-known/nowhere`)
    assert.equal(nowhere.status, 404)
    const late = new Date(Date.now() - 10 * 60_000)
    const [seconds = ''] = doctorToken(TEST_SECRET, now()).split('.')
    for (const token of [
      undefined,
      '',
      'x',
      doctorToken('another secret, which is long enough to be one', now()),
      doctorToken(TEST_SECRET, late),
      doctorToken(TEST_SECRET, now()).replace(/^\d+/, String(Number(seconds) + 1)),
      `${seconds}.${'A'.repeat(43)}`,
    ]) {
      const headers = token === undefined ? {} : { [DOCTOR_HEADER]: token }
      assert.deepEqual(await lasting(url(), headers), nowhere, `as to ${token}`)
    }
  })

  test('is the address that its request counts for', async () => {
    const headers = { [DOCTOR_HEADER]: doctorToken(TEST_SECRET, now()) }
    const seen = await (await fetch(proxy.url + SIGHTING_PATH, { headers })).json()
    const { port, ...rest } = seen as { port: number }
    assert.ok(port > 0)
    assert.deepEqual(rest, {
      peer: '127.0.0.1',
      hops: ['127.0.0.1'],
      headers: ['x-forwarded-for'],
      client: '127.0.0.1',
      believed: 0,
      believesAnybody: false,
    })
  })
})

/** An operator's first night: everybody is refused, and nobody knows why. */
test('the doctor finds it when everybody behind the proxy is refused already', async () => {
  let status = 0
  for (let sent = 0; sent < 100 && status !== 429; sent += 1) {
    const some = await Promise.all(Array.from({ length: 50 }, () => ask(`${proxy.url}/nowhere`)))
    status = some.at(-1)?.status ?? 0
  }
  assert.equal(status, 429)
  const { stdout } = await runCommand(['doctor', '--json'], {
    DATABASE_URL: minaret.databaseUrl,
    MINARET_SECRET: TEST_SECRET,
    BASE_URL: proxy.url,
    SANDBOX_URL: minaret.sandboxUrl,
  })
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  const clients = findings.find(({ check }) => check === 'clients')
  assert.equal(clients?.status, 'fault', JSON.stringify(findings))
  assert.match(clients?.remedy ?? '', /TRUST_PROXY=127\.0\.0\.1/)
})
