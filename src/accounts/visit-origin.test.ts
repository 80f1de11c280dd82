import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedNetwork, regionOf } from './visit-origin.ts'

test('the country of a browser is that of its first language with one', () => {
  assert.equal(regionOf('en-GB,en;q=0.9,ar-EG;q=0.8'), 'GB')
  assert.equal(regionOf('ar, zh-Hant-TW;q=0.5'), 'TW')
  for (const none of [undefined, '', 'en', '*', 'en-', 'x-GB-', 'en-GBR', 'en_GB', '-GB'])
    assert.equal(regionOf(none), undefined)
})

test('private addresses are not counted', () => {
  for (const address of [undefined, '127.0.0.1', '10.0.0.1', '192.168.1.5', '::1', 'fd00::1'])
    assert.equal(countedNetwork(address), undefined, String(address))
  assert.equal(countedNetwork('9.9.9.9'), '9.9.9.9')
  assert.equal(countedNetwork('2620:fe::fe'), '2620:fe:0:0::/64')
})
