import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRedirectUri, matchesRedirectUri } from './check-redirect-uri.ts'

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
