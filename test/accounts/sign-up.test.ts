import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { countMailTo, lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'
import { createPerson, decodeHtml } from '../support/person.ts'

const minaret = useMinaret()
const person = (headers = {}) => createPerson(minaret().baseUrl, headers)
const database = () => minaret().service.database

const password = 'seven olive trees'

test('from sign-up through the mail to the account', async () => {
  const amina = person()
  const asked = await amina.submit('/sign-up', '/sign-up', {
    name: 'Amina Yusuf',
    email: 'amina@example.org',
    password,
  })
  assert.equal(asked.status, 200)
  assert.match(asked.text, /Check your mail/)

  const { link, subject } = await lastMailTo(database(), 'amina@example.org')
  assert.equal(subject, 'Confirm your email address')
  const outbox = await amina.get('/outbox')
  assert.ok(decodeHtml(outbox.text).includes(`href="${minaret().baseUrl}${link}"`), 'the outbox page links to it')

  const confirmed = await amina.submit(link, '/confirm', { password })
  assert.deepEqual([confirmed.status, confirmed.location], [303, '/account'])
  const account = await amina.get('/account')
  assert.equal(account.status, 200)
  assert.match(account.text, /amina@example\.org/)

  const elsewhere = person()
  assert.equal((await elsewhere.signIn('AMINA@example.org', password)).location, '/account')
})

test('a link works once', async () => {
  const bilal = person()
  await bilal.submit('/sign-up', '/sign-up', { name: 'Bilal', email: 'bilal@example.org', password })
  const { link } = await lastMailTo(database(), 'bilal@example.org')
  await bilal.submit(link, '/confirm', { password })
  const again = await person().get(link)
  assert.equal(again.status, 410)
  assert.match(again.text, /This link no longer works/)
})

test('opening the link confirms nothing without the right password', async () => {
  const visitor = person()
  await visitor.submit('/sign-up', '/sign-up', { name: 'Dawud', email: 'dawud@example.org', password })
  const { link } = await lastMailTo(database(), 'dawud@example.org')
  assert.equal((await visitor.get(link)).status, 200)
  const wrong = await visitor.submit(link, '/confirm', { password: 'not the password I chose' })
  assert.equal(wrong.status, 422)
  const early = await person().signIn('dawud@example.org', password)
  assert.match(early.text, /Check your mail/)
  assert.equal(await countMailTo(database(), 'dawud@example.org'), 2)
})

test('signing up with a known address looks the same, and only its owner is notified', async () => {
  const known = await makeUser(database())
  const fresh = await person().submit('/sign-up', '/sign-up', { name: 'Huda', email: 'huda@example.org', password })
  const taken = await person().submit('/sign-up', '/sign-up', { name: 'Huda', email: known.email, password })
  assert.equal(taken.status, fresh.status)
  const plain = (text: string) => text.replaceAll(/value="[^"]*"/g, '').replaceAll(/[\w-]+@example\.org/g, '')
  assert.equal(plain(taken.text), plain(fresh.text))
  assert.equal((await lastMailTo(database(), known.email)).subject, 'You already have an account')
  assert.equal((await person().signIn(known.email, PASSWORD)).status, 303)
})

test('each rule refuses, keeps what was typed, and never echoes the password', async () => {
  const faulty: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{ name: '' }, /Enter your name/],
    [{ name: 'x'.repeat(101) }, /at most 100 characters/],
    [{ email: 'nobody' }, /not an email address/],
    [{ email: 'a@b' }, /not an email address/],
    [{ password: 'short' }, /at least 10 characters/],
    [{ password: 'y'.repeat(201) }, /at most 200 characters/],
    [{ password: 'password123' }, /Many people use this password/],
    [{ password: 'aaaaaaaaaaaaa' }, /a repetition or a simple sequence/],
    [{ password: 'idris bello 9' }, /Do not use your name/],
  ]
  for (const [change, expected] of faulty) {
    const typed = { name: 'Idris Bello', email: 'idris@example.org', password: 'the kettle at dawn', ...change }
    const answer = await person().submit('/sign-up', '/sign-up', typed)
    assert.equal(answer.status, 422, JSON.stringify(change))
    assert.match(answer.text, expected)
    assert.ok(answer.text.includes(`value="${typed.email}"`), 'the address is kept')
    assert.ok(!answer.text.includes(typed.password), 'the password is not')
    assert.match(answer.text, /aria-invalid="true"/)
  }
  assert.equal(await countMailTo(database(), 'idris@example.org'), 0)
})

test('the mail is in the language of the page', async () => {
  await person({ 'accept-language': 'ar' }).submit('/sign-up', '/sign-up', {
    name: 'سلمى',
    email: 'salma@example.org',
    password,
  })
  assert.equal((await lastMailTo(database(), 'salma@example.org')).subject, 'أكّد بريدك الإلكتروني')
})

test('a name cannot inject a link into the mail, and one with a line break is refused', async () => {
  const signUp = (name: string) =>
    person().submit('/sign-up', '/sign-up', { name, email: 'victim@example.org', password })
  assert.equal((await signUp('You won!\n\nClick')).status, 422)
  assert.equal(await countMailTo(database(), 'victim@example.org'), 0)
  await signUp('You won! https://evil.example/x Click')
  const { text } = await lastMailTo(database(), 'victim@example.org')
  assert.doesNotMatch(text, /https:\/\/evil/)
  assert.equal(text.match(/https?:\/\//g)?.length, 1)
})

test('a forgotten password: the link chooses a new one and ends every session', async () => {
  const user = await makeUser(database())
  const before = person()
  await before.signIn(user.email, PASSWORD)
  const asked = await person().submit('/forgot-password', '/forgot-password', { email: user.email })
  const unknown = await person().submit('/forgot-password', '/forgot-password', { email: 'stranger@example.org' })
  assert.equal(asked.text.replaceAll(user.email, '').length, unknown.text.replaceAll('stranger@example.org', '').length)
  assert.equal(await countMailTo(database(), 'stranger@example.org'), 0)

  const { link } = await lastMailTo(database(), user.email)
  const weak = await person().submit(link, '/reset-password', { password: 'password123' })
  assert.equal(weak.status, 422)
  const changed = await person().submit(link, '/reset-password', { password })
  assert.equal(changed.location, '/sign-in?done=password_changed')
  assert.equal((await before.get('/account')).location, '/sign-in')
  assert.equal((await person().signIn(user.email, PASSWORD)).status, 422)
  assert.equal((await person().signIn(user.email, password)).status, 303)
  const used = await person().get(link)
  assert.equal(used.status, 410)
  assert.match(used.text, /href="\/forgot-password"[^>]*>Get a new link</)
})
