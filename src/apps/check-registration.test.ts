import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRegistration, type RegistrationInput } from './check-registration.ts'

const good: RegistrationInput = {
  name: ' Prayer board ',
  description: 'Shows the times of prayer.',
  kind: 'public',
  redirectUris: ['https://app.example.org/callback', ' '],
  scopes: ['prayer-times:read', 'openid', 'openid'],
}

const faultsOf = (change: Partial<RegistrationInput>): string[] => {
  const checked = checkRegistration({ ...good, ...change }, 'production')
  return checked.kind === 'faulty' ? checked.faults.map(({ field, code }) => `${field}: ${code}`) : []
}

test('valid values are trimmed, sorted and deduplicated', () => {
  const checked = checkRegistration(good, 'production')
  assert.equal(checked.kind, 'checked')
  if (checked.kind !== 'checked') return
  assert.equal(checked.registration.name, 'Prayer board')
  assert.deepEqual(checked.registration.redirectUris, ['https://app.example.org/callback'])
  assert.deepEqual(checked.registration.requestedScopes, ['openid', 'prayer-times:read'])
  assert.equal(checked.registration.idTokenAlgorithm, 'RS256')
})

test('every error is listed at once', () => {
  assert.deepEqual(
    faultsOf({ name: ' ', description: '', kind: '', redirectUris: [], scopes: [], homePage: 'javascript:alert(1)' }),
    [
      'name: missing',
      'description: missing',
      'homePage: not_web_address',
      'kind: missing',
      'redirectUris: missing',
      'scopes: missing',
    ],
  )
})

test('a server app needs no redirect URI, a public one does', () => {
  assert.deepEqual(faultsOf({ kind: 'confidential', redirectUris: [] }), [])
  assert.deepEqual(faultsOf({ kind: 'public', redirectUris: [] }), ['redirectUris: missing'])
})

test('at most 20 redirect URIs, each once', () => {
  const many = Array.from({ length: 21 }, (_, number) => `https://app.example.org/${number}`)
  assert.deepEqual(faultsOf({ redirectUris: many }), ['redirectUris: too_many'])
  assert.deepEqual(faultsOf({ redirectUris: many.slice(0, 20) }), [])
  assert.deepEqual(faultsOf({ redirectUris: ['https://a.example', 'https://a.example'] }), ['redirectUris: repeated'])
})

test('an unknown scope is named', () => {
  const checked = checkRegistration({ ...good, scopes: ['masjid:read', 'masjid:own'] }, 'production')
  assert.deepEqual(checked, { kind: 'faulty', faults: [{ field: 'scopes', code: 'unknown', value: 'masjid:own' }] })
})

test('text that is too long is refused', () => {
  assert.deepEqual(faultsOf({ name: 'x'.repeat(101) }), ['name: too_long'])
  assert.deepEqual(faultsOf({ description: 'x'.repeat(2001) }), ['description: too_long'])
})
