import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../clients/client.ts'
import {
  checkRedirectUri,
  isLoopback,
  isRegistered,
  matchesRedirectUri,
  redirectUriRules,
} from './check-redirect-uri.ts'

test('a redirect URI matches exactly; only the port of a loopback address may differ', () => {
  const pairs: [string, string, boolean][] = [
    ['https://app.example/cb', 'https://app.example/cb', true],
    ['https://app.example/cb/', 'https://app.example/cb', false],
    ['https://app.example/cb?x=1', 'https://app.example/cb', false],
    ['https://app.example:443/cb', 'https://app.example/cb', false],
    ['https://APP.example/cb', 'https://app.example/cb', false],
    ['https://app.example.evil.test/cb', 'https://app.example/cb', false],
    ['https://app.example/cb/../cb', 'https://app.example/cb', false],
    ['http://127.0.0.1:51004/cb', 'http://127.0.0.1/cb', true],
    ['http://127.0.0.1:51004/cb', 'http://127.0.0.1:3000/cb', true],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:3000/cb', true],
    ['http://[::1]:4000/cb', 'http://[::1]:3000/cb', true],
    ['http://[::1]:4000/cb', 'http://127.0.0.1:3000/cb', false],
    ['http://127.0.0.1:4000/other', 'http://127.0.0.1:3000/cb', false],
    ['http://127.0.0.1:4000@evil.test/cb', 'http://127.0.0.1:3000/cb', false],
    ['http://127.0.0.1.evil.test/cb', 'http://127.0.0.1/cb', false],
    ['http://localhost:4000/cb', 'http://localhost:3000/cb', false],
    ['http://127.0.0.1:65535/cb', 'http://127.0.0.1/cb', true],
    ['http://127.0.0.1:65536/cb', 'http://127.0.0.1/cb', false],
    ['http://127.0.0.1:99999/cb', 'http://127.0.0.1/cb', false],
    ['http://127.0.0.1:0/cb', 'http://127.0.0.1/cb', false],
    ['http://127.0.0.1:080/cb', 'http://127.0.0.1/cb', false],
    ['http://[::1]:99999/cb', 'http://[::1]:3000/cb', false],
    ['https://127.0.0.1:4000/cb', 'http://127.0.0.1:4000/cb', false],
  ]
  for (const [asked, registered, expected] of pairs)
    assert.equal(matchesRedirectUri(asked, registered), expected, `${asked} against ${registered}`)
})

test('a missing, an unregistered and, in production, an http redirect URI are refused', () => {
  const registered = ['http://127.0.0.1/cb']
  assert.throws(() => checkRedirectUri(undefined, { registered, httpsOnly: false }), { code: 'invalid_request' })
  assert.throws(() => checkRedirectUri('http://127.0.0.1/no', { registered, httpsOnly: false }), { status: 400 })
  assert.throws(() => checkRedirectUri('http://127.0.0.1/cb', { registered, httpsOnly: true }), /https/)
  assert.equal(checkRedirectUri('http://127.0.0.1:9/cb', { registered, httpsOnly: false }), 'http://127.0.0.1:9/cb')
})

test('a development client returns to any address of the loopback interface, and to no other', () => {
  const longest = `http://127.0.0.1/${'a'.repeat(2000 - 'http://127.0.0.1/'.length)}`
  const returns = [
    'http://127.0.0.1',
    'http://127.0.0.1:65535/cb?a=1',
    'http://[::1]:1/',
    'http://localhost/x',
    longest,
  ]
  const others = [
    'http://127.0.0.1:0/',
    'http://127.0.0.1:65536/',
    'http://128.0.0.1/',
    'https://127.0.0.1/',
    'http://localhost.evil.test/',
    'http://127.0.0.1/a b',
    `${longest}a`,
  ]
  assert.deepEqual([...returns, ...others].filter(isLoopback), returns)
  const rules = redirectUriRules({ development: true, host: null, redirectUris: [] } as unknown as Client, {
    httpsOnly: true,
  })
  assert.equal(checkRedirectUri('http://localhost:5173/cb', rules), 'http://localhost:5173/cb')
  assert.throws(() => checkRedirectUri('https://app.example/cb', rules), /only to http:\/\/127\.0\.0\.1/)
})

test('only apps that describe themselves may return to localhost by any port, in production too', () => {
  const redirectUris = ['http://localhost:3000/cb', 'http://127.0.0.1/cb']
  const rulesFor = (host: string | null) =>
    redirectUriRules({ development: false, host, redirectUris } as unknown as Client, { httpsOnly: true })
  const described = rulesFor('app.example')
  assert.equal(checkRedirectUri('http://localhost:4000/cb', described), 'http://localhost:4000/cb')
  assert.equal(checkRedirectUri('http://127.0.0.1:4000/cb', described), 'http://127.0.0.1:4000/cb')
  assert.throws(() => checkRedirectUri('http://localhost:4000/cb', rulesFor(null)), /not registered/)
  assert.throws(() => checkRedirectUri('http://127.0.0.1:4000/cb', rulesFor(null)), /https/)
  assert.equal(isRegistered('http://localhost:4000/cb', redirectUris), false)
})

test('what was asked for is repeated if it looks like an address, from its beginning, and not without end', () => {
  const rules = { registered: ['https://app.example/cb'], httpsOnly: false, loopback: false }
  const refusal = (asked: string): string => {
    try {
      return checkRedirectUri(asked, rules)
    } catch (error) {
      return (error as Error).message
    }
  }
  assert.match(refusal('https://evil.test/cb'), / Received: https:\/\/evil\.test\/cb$/)
  assert.match(refusal(`https://${'a'.repeat(400)}`), / Received: https:\/\/a{292}$/)
  assert.doesNotMatch(refusal('https://evil.test/ Call this number'), /Received/)
})
