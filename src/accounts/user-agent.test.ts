import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUserAgent } from './user-agent.ts'

const known: readonly (readonly [string, string, string])[] = [
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    'Chrome',
    'Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0 Safari/537.36 Edg/143.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox', 'Android'],
]

for (const [header, browser, system] of known)
  test(`${browser} on ${system}`, () => assert.deepEqual(readUserAgent(header), { browser, system }))

test('an unknown browser is not guessed', () => {
  assert.equal(readUserAgent(''), undefined)
  assert.equal(readUserAgent('node'), undefined)
})
