import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { View } from '../frame/view.ts'
import { textsFor } from '../texts/texts.ts'
import { type ConsentParts, consentPage } from './consent-page.ts'

const view = (language: 'en' | 'ar'): View => ({
  language,
  texts: textsFor(language),
  user: { id: '1', name: 'Amina', email: 'amina@example.org', picture: undefined, isReviewer: false, isAdmin: false },
  antiForgery: 'proof',
  here: '/consent?request=ref',
  development: false,
})

const parts: ConsentParts = {
  app: { name: '<b>Salah</b>', owner: 'Bilal', state: 'approved', homePage: 'https://salah.example', logo: undefined },
  returnsTo: 'salah.example',
  scopes: ['events:read', 'openid'],
  claims: [],
  reference: 'ref',
}

test('the page names the app, its owner, review state, home page, redirect host and each scope', () => {
  const { text } = consentPage(view('en'), parts)
  for (const expected of [
    '&#60;b&#62;Salah&#60;/b&#62;</bdi> would like to',
    'Bilal',
    'Approved',
    'https://salah.example',
    'salah.example</strong>',
    'Read community events',
    'Know who you are',
    'amina@example.org',
  ])
    assert.ok(text.includes(expected), expected)
  assert.ok(!text.includes('<b>Salah'))
})

test('Allow and Deny are submitted by POST, with the reference and the anti-forgery token', () => {
  const { text } = consentPage(view('en'), parts)
  assert.match(text, /<form method="post" action="\/oauth\/consent"/)
  assert.match(text, /name="anti_forgery" value="proof"/)
  assert.match(text, /name="request" value="ref"/)
  assert.match(text, /name="decision" value="allow">Allow</)
  assert.match(text, /name="decision" value="deny">Deny</)
})

test('the page names each claim that the app will see, with its value, and no other', () => {
  const { text } = consentPage(view('en'), { ...parts, claims: ['picture', 'email', 'name'], newClaims: ['email'] })
  for (const expected of [
    'User identifier',
    'Email address<span class="badge warn">new',
    '<bdi>Amina</bdi>',
    'Picture',
  ])
    assert.ok(text.includes(expected), expected)
  const few = consentPage(view('en'), parts).text
  assert.ok(few.includes('User identifier'))
  for (const name of ['Email address', '<bdi>Amina</bdi>', '>Picture<']) assert.ok(!few.includes(name), name)
})

test('a scope that was not allowed before is marked as new', () => {
  assert.match(
    consentPage(view('en'), { ...parts, newScopes: ['events:read'] }).text,
    /events<span class="badge warn">new/,
  )
})

test('what the app may change is apart from what it may read, in both languages', () => {
  const writing: ConsentParts = {
    ...parts,
    scopes: ['events:write', 'openid', 'events:read'],
    newScopes: ['events:write'],
  }
  const { text } = consentPage(view('en'), writing)
  const [before = '', apart = ''] = text.split('<section class="may-change"')
  assert.match(before, /Read community events/)
  assert.ok(!before.includes('Change community events'))
  assert.match(apart, /It could also make changes for you.*Change community events<span class="badge warn">new/s)
  assert.match(consentPage(view('ar'), writing).text, /<section class="may-change".*تغيير فعاليات المجتمع/s)
  assert.ok(!consentPage(view('en'), parts).text.includes('may-change'))
  assert.ok(
    !consentPage(view('en'), { ...parts, scopes: ['events:write'] })
      .text.split('may-change')[0]
      ?.includes('scopes'),
  )
})

test('in Arabic the page runs from right to left', () => {
  const { text } = consentPage(view('ar'), parts)
  assert.match(text, /<html lang="ar" dir="rtl">/)
  assert.match(text, />سماح</)
})
