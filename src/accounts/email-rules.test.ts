import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEmail, checkName, checkPicture, emailKey } from './email-rules.ts'

test('accepts real-world addresses', () => {
  for (const email of ['a@example.org', 'first.last+tag@mail.example.co.uk', "o'hara@example.org", 'سلمى@مثال.إختبار'])
    assert.equal(checkEmail(email), undefined, email)
})

test('refuses what is not an address, or more than one', () => {
  assert.equal(checkEmail(''), 'email_missing')
  const wrong = [
    'a',
    'a@',
    '@b.org',
    'a@b',
    'a b@c.org',
    'a@b.org,c@d.org',
    '<a@b.org>',
    'a@b.org\r\nBcc: c@d.org',
    `${'x'.repeat(250)}@b.org`,
  ]
  for (const email of wrong) assert.equal(checkEmail(email), 'email_wrong', email)
})

test('a name of one to a hundred characters', () => {
  assert.deepEqual(
    [checkName(''), checkName('ع'), checkName('x'.repeat(101))],
    ['name_missing', undefined, 'name_long'],
  )
})

test('a picture is an https URL or empty', () => {
  for (const picture of ['', 'https://example.org/a.png']) assert.equal(checkPicture(picture), undefined)
  for (const picture of [
    'http://example.org/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,x',
    'a.png',
    `https://a.org/${'x'.repeat(2000)}`,
  ])
    assert.equal(checkPicture(picture), 'picture_wrong', picture)
})

test('every spelling of an address gives the same key', () => {
  assert.equal(emailKey(' Amina@Example.ORG '), 'amina@example.org')
})
