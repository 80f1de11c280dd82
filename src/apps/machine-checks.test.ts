import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHomeHost, checkHttps, checkPersonal } from './machine-checks.ts'

test('URLs without https are flagged', () => {
  assert.deepEqual(checkHttps(['https://a.example/', 'http://localhost/']).about, ['http://localhost/'])
  assert.equal(checkHttps(['https://a.example/']).good, true)
})

test('scopes for personal data are flagged', () => {
  assert.deepEqual(checkPersonal(['openid', 'masjid:read', 'members:read', 'donations:read']).about, [
    'members:read',
    'donations:read',
  ])
  assert.equal(checkPersonal(['openid', 'masjid:read']).good, true)
})

test('a redirect to another host than the home page is flagged, a subdomain is not', () => {
  const check = (redirectUris: string[]) => checkHomeHost({ homePage: 'https://app.example', redirectUris }).about
  assert.deepEqual(check(['https://app.example/cb', 'https://login.app.example/cb']), [])
  assert.deepEqual(check(['https://evil.example/cb', 'https://evilapp.example/cb']), [
    'evil.example',
    'evilapp.example',
  ])
  const without = checkHomeHost({ homePage: undefined, redirectUris: ['https://a.example/'] })
  assert.deepEqual(without, { code: 'home_page', good: false, about: [] })
})
