import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedTags, chooseLanguage } from './languages.ts'

const nothing = { uiLocales: undefined, cookie: undefined, user: undefined, acceptLanguage: undefined }

test('ui_locales comes first, then the cookie, the user, the browser, English', () => {
  const all = { uiLocales: 'fr-CA ar-SA en', cookie: 'en', user: 'en', acceptLanguage: 'en' }
  assert.equal(chooseLanguage(all), 'ar')
  assert.equal(chooseLanguage({ ...all, uiLocales: undefined, cookie: 'ar' }), 'ar')
  assert.equal(chooseLanguage({ ...nothing, user: 'ar', acceptLanguage: 'en' }), 'ar')
  assert.equal(chooseLanguage({ ...nothing, acceptLanguage: 'fr, ar;q=0.8, en;q=0.7' }), 'ar')
  assert.equal(chooseLanguage(nothing), 'en')
})

test('an unsupported language is skipped', () => {
  assert.equal(chooseLanguage({ ...nothing, uiLocales: 'fr de', cookie: 'xx', acceptLanguage: 'tr' }), 'en')
})

test('Accept-Language is ordered by quality, and q=0 excludes a language', () => {
  assert.deepEqual(acceptedTags('en;q=0.5, ar-EG, fr;q=0'), ['ar-EG', 'en'])
  assert.deepEqual(acceptedTags(''), [])
})
