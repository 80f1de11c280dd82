import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../test/support/holds.ts'
import { networkOf, readIpAddress } from './ip-address.ts'

const spellings: readonly (readonly [string, string | undefined])[] = [
  ['192.0.2.7', '192.0.2.7'],
  [' 192.0.2.7 ', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::', '::'],
  ['', undefined],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['192.0.2.256', undefined],
  ['0x7f.1', undefined],
  ['2001:db8::1::2', undefined],
  ['192.0.2.7, 192.0.2.8', undefined],
]

for (const [written, meant] of spellings)
  test(`"${written}" is read as ${meant}`, () => assert.equal(readIpAddress(written), meant))

test('an IPv4 address counts as itself, however it is written', () => {
  assert.equal(networkOf('192.0.2.7'), '192.0.2.7')
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.notEqual(networkOf('192.0.2.8'), networkOf('192.0.2.7'))
})

test('IPv6 addresses of one /64 count as one, those of another /64 separately', async () => {
  await holds(
    fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
      const [left, right] = [networkOf(one), networkOf(other)]
      if (!left.endsWith('/64')) return assert.match(one, /ffff|^::/i)
      const prefix = left.slice(0, -'::/64'.length)
      assert.equal(networkOf(`${prefix}:1:2:3:4`), left)
      assert.equal(networkOf(`${prefix}:dead:beef:0:1`), left)
      if (right.endsWith('/64')) assert.equal(left === right, prefix === right.slice(0, -'::/64'.length))
    }),
  )
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'))
})
