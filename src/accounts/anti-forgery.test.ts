import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserBinding, createAntiForgery, sessionBinding } from './anti-forgery.ts'

const antiForgery = createAntiForgery(['a secret of at least thirty-two letters'])

test('a token works only for its own binding', () => {
  const token = antiForgery.tokenFor(sessionBinding('a'))
  assert.equal(antiForgery.matches(sessionBinding('a'), token), true)
  assert.equal(antiForgery.matches(sessionBinding('b'), token), false)
  assert.equal(antiForgery.matches(browserBinding('a'), token), false)
})

test('a token is different each time', () => {
  assert.notEqual(antiForgery.tokenFor(sessionBinding('a')), antiForgery.tokenFor(sessionBinding('a')))
})

test('a missing, repeated, modified or foreign token is refused', () => {
  const binding = sessionBinding('a')
  const token = antiForgery.tokenFor(binding)
  const foreign = createAntiForgery(['another secret of thirty-two letters']).tokenFor(binding)
  for (const wrong of [undefined, '', '.', [token], `${token}x`, `x${token}`, `${token}.`, foreign])
    assert.equal(antiForgery.matches(binding, wrong), false, String(wrong))
})

test('a browser cookie is accepted only if we signed it', () => {
  const cookie = antiForgery.newBrowserCookie()
  assert.equal(antiForgery.readBrowserCookie(cookie), cookie.split('.')[0])
  for (const wrong of [undefined, '', 'chosen.by-an-attacker', `${cookie}x`])
    assert.equal(antiForgery.readBrowserCookie(wrong), undefined)
})
