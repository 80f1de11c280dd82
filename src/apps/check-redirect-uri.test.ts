import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRedirectUri } from './check-redirect-uri.ts'

const refused: readonly (readonly [string, string])[] = [
  ['', 'odd_characters'],
  ['/callback', 'not_absolute'],
  ['app.example.org/callback', 'not_absolute'],
  ['//app.example.org/callback', 'not_absolute'],
  ['https:/app.example.org', 'not_absolute'],
  ['https://', 'not_absolute'],
  ['javascript:alert(1)', 'not_absolute'],
  ['data:text/html,hello', 'not_absolute'],
  ['javascript://app.example.org/%0aalert(1)', 'not_https'],
  ['http://app.example.org/callback', 'not_https'],
  ['http://localhost.example.org/callback', 'not_https'],
  ['http://127.0.0.1.example.org/callback', 'not_https'],
  ['myapp://callback', 'not_https'],
  ['myapp:/callback', 'not_absolute'],
  ['com.example.app:', 'not_absolute'],
  ['com.example.app:callback', 'not_absolute'],
  ['com.example.app:/callback#part', 'fragment'],
  ['com.example.app://user@callback', 'user_info'],
  ['https://app.example.org/callback#', 'fragment'],
  ['https://app.example.org/callback#part', 'fragment'],
  ['https://user@app.example.org/', 'user_info'],
  ['https://user:password@app.example.org/', 'user_info'],
  ['https://@app.example.org/', 'user_info'],
  ['https://*.example.org/', 'wildcard'],
  ['https://app.example.org/*', 'wildcard'],
  ['https://app.example.org/a b', 'odd_characters'],
  ['https://app.example.org/\n', 'odd_characters'],
  ['https://app.example.org\\@evil.example/', 'odd_characters'],
  ['https://مسجد.example/', 'odd_characters'],
  ['http://127.0.0.1:99999/cb', 'port'],
  ['http://[::1]:65536/cb', 'port'],
  ['https://app.example.org:0/', 'port'],
  ['https://app.example.org:70000', 'port'],
  [`https://app.example.org/${'a'.repeat(2000)}`, 'too_long'],
]

for (const [uri, reason] of refused)
  test(`refuses ${uri.slice(0, 60)}: ${reason}`, () => {
    assert.equal(checkRedirectUri(uri, 'development', 'public'), reason)
    assert.ok(checkRedirectUri(uri, 'production', 'public'))
  })

test('https is accepted in both modes', () => {
  for (const uri of [
    'https://app.example.org',
    'https://app.example.org:8443/a/b?c=d&e=%20',
    'https://xn--mgbh0fb.example/',
  ])
    for (const mode of ['production', 'development'] as const)
      assert.equal(checkRedirectUri(uri, mode, 'public'), undefined)
})

test('loopback http is for development only', () => {
  for (const uri of ['http://localhost:8080/cb', 'http://127.0.0.1/cb', 'http://[::1]:9/cb']) {
    assert.equal(checkRedirectUri(uri, 'development', 'public'), undefined)
    assert.equal(checkRedirectUri(uri, 'production', 'public'), 'not_https')
  }
})

test('a custom scheme is for public apps, and for development only', () => {
  for (const uri of ['com.example.app:/callback', 'com.example.app://callback', 'org.masjid.my-app:/oauth/cb?a=b']) {
    assert.equal(checkRedirectUri(uri, 'development', 'public'), undefined)
    assert.equal(checkRedirectUri(uri, 'development', 'confidential'), 'custom_scheme_confidential')
    assert.equal(checkRedirectUri(uri, 'production', 'public'), 'custom_scheme')
  }
})
