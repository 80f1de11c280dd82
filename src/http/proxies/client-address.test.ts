import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTrustedProxies } from '../../base/trusted-proxies.ts'
import { clientAddress } from './client-address.ts'

const seenAs = (setting: string, peer: string, forwarded?: string): string => {
  const trusted = readTrustedProxies(setting)
  assert.ok(trusted, setting)
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return clientAddress({ headers, socket: { remoteAddress: peer } }, trusted)
}

test('without a trusted proxy the header is ignored', () => {
  for (const setting of ['off', '0']) assert.equal(seenAs(setting, '192.0.2.1', '203.0.113.9'), '192.0.2.1')
})

test('one proxy: the right-most address, which it appended; the client sent everything left of it', () => {
  for (const setting of ['on', '1'])
    assert.equal(seenAs(setting, '192.0.2.1', '203.0.113.9, 127.0.0.1, 198.51.100.4'), '198.51.100.4')
})

test('two proxies: the second from the right; with fewer, the furthest known', () => {
  assert.equal(seenAs('2', '192.0.2.1', '203.0.113.9, 198.51.100.4, 192.0.2.2'), '198.51.100.4')
  assert.equal(seenAs('2', '192.0.2.1', '198.51.100.4'), '198.51.100.4')
  assert.equal(seenAs('2', '192.0.2.1'), '192.0.2.1')
})

test('networks: the first from the right that is in none of them; a peer outside them is not trusted', () => {
  const networks = '10.0.0.0/8, 2001:db8:aa::/48, 192.0.2.1'
  assert.equal(seenAs(networks, '10.1.2.3', '203.0.113.9, 198.51.100.4, 192.0.2.1'), '198.51.100.4')
  assert.equal(seenAs(networks, '2001:db8:aa::1', '198.51.100.4, 10.0.0.9'), '198.51.100.4')
  assert.equal(seenAs(networks, '198.51.100.77', '203.0.113.9'), '198.51.100.77')
  assert.equal(seenAs(networks, '::ffff:10.1.2.3', '203.0.113.9'), '203.0.113.9')
})

test('an invalid address stops the search at the last known hop', () => {
  assert.equal(seenAs('3', '192.0.2.1', '203.0.113.9, unknown, 198.51.100.4'), '198.51.100.4')
  for (const nothing of ['', ' ', ',', 'for=203.0.113.9', '-'])
    assert.equal(seenAs('on', '192.0.2.1', nothing), '192.0.2.1', nothing)
})

test('a port after the address, as some proxies write it, is removed', () => {
  assert.equal(seenAs('on', '192.0.2.1', '198.51.100.4:51234'), '198.51.100.4')
  assert.equal(seenAs('on', '192.0.2.1', '[2001:db8::1]:51234'), '2001:db8::1')
})

test('a setting that names no proxy is refused', () => {
  for (const wrong of [
    'yes',
    '17',
    '-1',
    '1.5',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8,',
    'proxy.example.org',
    '10.0.0.0/x',
  ])
    assert.equal(readTrustedProxies(wrong), undefined, wrong)
})
