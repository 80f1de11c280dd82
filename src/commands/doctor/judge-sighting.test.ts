import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../../base/log.ts'
import { readTrustedProxies } from '../../base/trusted-proxies.ts'
import { createProxies } from '../../http/proxies/proxies.ts'
import type { Finding } from './finding.ts'
import { judgeSighting } from './judge-sighting.ts'

const own = { address: '198.51.100.9', port: 50_001 }

interface Arrival {
  readonly setting: string
  readonly peer: string
  readonly port?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly url?: string
}

const judge = ({ setting, peer, port = 1234, headers = {}, url = 'https://id.example.org' }: Arrival): Finding => {
  const trusted = readTrustedProxies(setting)
  assert.ok(trusted)
  const { sighting } = createProxies(trusted, createLogger('silent'))
  const seen = sighting({ headers, socket: { remoteAddress: peer, remotePort: port } })
  return judgeSighting({ check: 'clients', url }, seen, own)
}

const from = (...addresses: readonly string[]) => ({ 'x-forwarded-for': addresses.join(', ') })

test('a proxy that is not declared is a fault, which names it', () => {
  const { status, found, remedy } = judge({ setting: 'off', peer: '::ffff:10.0.0.5', headers: from('198.51.100.9') })
  assert.equal(status, 'fault')
  assert.match(found, /10\.0\.0\.5, which TRUST_PROXY does not name/)
  assert.match(remedy ?? '', /^Set TRUST_PROXY=10\.0\.0\.5 /)
})

test('a proxy on the machine of the doctor is told from it', () => {
  assert.equal(judge({ setting: 'off', peer: own.address, headers: from(own.address) }).status, 'fault')
  assert.equal(judge({ setting: own.address, peer: own.address, headers: from(own.address) }).status, 'ok')
})

test('a second proxy that is not declared is one too, and all are named', () => {
  const headers = from('198.51.100.9', '203.0.113.7')
  for (const setting of ['1', '10.0.0.0/8']) {
    const { status, found, remedy } = judge({ setting, peer: '10.0.0.5', headers })
    assert.equal(status, 'fault', setting)
    assert.match(found, /the address of a proxy, 203\.0\.113\.7/)
    assert.match(remedy ?? '', /TRUST_PROXY=10\.0\.0\.5,203\.0\.113\.7 /)
  }
})

test('declared proxies, and no proxy at all, are in order', () => {
  const one = from('198.51.100.9')
  for (const setting of ['on', '1', '10.0.0.0/8', '10.0.0.5'])
    assert.equal(judge({ setting, peer: '10.0.0.5', headers: one }).status, 'ok', setting)
  const two = from('198.51.100.9', '203.0.113.7')
  for (const setting of ['2', '10.0.0.0/8, 203.0.113.0/24'])
    assert.equal(judge({ setting, peer: '10.0.0.5', headers: two }).status, 'ok', setting)
  for (const setting of ['off', '10.0.0.0/8'])
    assert.equal(judge({ setting, peer: own.address, port: own.port }).status, 'ok', setting)
})

test('a proxy that does not say for whom it forwards, or by another header', () => {
  for (const headers of [{}, { forwarded: 'for=198.51.100.9' }, { 'x-real-ip': '198.51.100.9' }, from('unknown')])
    for (const setting of ['off', 'on', '10.0.0.5']) {
      const { status, remedy } = judge({ setting, peer: '10.0.0.5', headers })
      assert.equal(status, 'fault', JSON.stringify(headers))
      assert.match(remedy ?? '', /send X-Forwarded-For, and set TRUST_PROXY=10\.0\.0\.5/)
    }
})

test('without TLS, another connection than ours may be translated addresses: a warning', () => {
  assert.equal(judge({ setting: 'off', peer: '172.17.0.1', url: 'http://minaret.test' }).status, 'warning')
})

test('a proxy too many, or one that is not there, is a warning: anybody can choose an address', () => {
  for (const arrival of [
    { setting: '2', peer: '10.0.0.5', headers: from('198.51.100.9') },
    { setting: 'on', peer: own.address, port: own.port },
    { setting: '0.0.0.0/0', peer: '10.0.0.5', headers: from('198.51.100.9') },
  ]) {
    const { status, found } = judge(arrival)
    assert.equal(status, 'warning', JSON.stringify(arrival))
    assert.match(found, /anybody can choose/)
  }
})
