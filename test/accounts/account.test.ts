import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { countMailTo, lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'
import { createPerson, type Person } from '../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const person = () => createPerson(minaret().baseUrl)

const signedIn = async (): Promise<{ member: Person; email: string; id: string }> => {
  const { email, id } = await makeUser(database())
  const member = person()
  await member.signIn(email, PASSWORD)
  return { member, email, id }
}

test('every account page asks for sign-in', async () => {
  for (const path of ['/account', '/account/apps', '/account/sessions', '/account/activity'])
    assert.equal((await person().get(path)).location, '/sign-in', path)
})

test('name, picture and language are saved, and the page is in that language', async () => {
  const { member } = await signedIn()
  const saved = await member.submit('/account', '/account/profile', {
    name: 'Amina <b>Yusuf</b>',
    picture: 'https://pictures.example.org/amina.png',
    language: 'ar',
  })
  assert.equal(saved.location, '/account?done=saved')
  const { text } = await member.get('/account?done=saved')
  assert.match(text, /<html lang="ar" dir="rtl">/)
  assert.match(text, /تم الحفظ/)
  assert.ok(text.includes('value="https://pictures.example.org/amina.png"'))
  // The service fetches it once and serves it itself: the page asks nobody else.
  assert.doesNotMatch(text, /src="https?:/)
  assert.doesNotMatch(text, /<b>Yusuf/)
})

test('an invalid profile keeps what was typed', async () => {
  const { member } = await signedIn()
  for (const picture of ['http://pictures.example.org/a.png', 'javascript:alert(1)', 'a.png']) {
    const refused = await member.submit('/account', '/account/profile', { name: '', picture, language: 'xx' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Enter your name/)
    assert.match(refused.text, /begins with https/)
    assert.match(refused.text, /Choose one of the languages/)
    assert.ok(refused.text.includes(`value="${picture}"`))
  }
})

test('a new email address takes effect when its link is opened; the old one is notified', async () => {
  const { member, email } = await signedIn()
  const fields = { new_email: `new-${email}`, email_password: PASSWORD }
  const wrong = await member.submit('/account', '/account/email', { ...fields, email_password: 'wrong one here' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /not your current password/)
  const asked = await member.submit('/account', '/account/email', fields)
  assert.equal(asked.location, '/account?done=email_sent')
  assert.equal((await person().signIn(`new-${email}`, PASSWORD)).status, 422)

  const { link } = await lastMailTo(database(), `new-${email}`)
  const changed = await person().submit(link, '/confirm-email', { password: PASSWORD })
  assert.equal(changed.location, '/account?done=email_changed')
  assert.match((await lastMailTo(database(), email)).text, new RegExp(`new-${email}`))
  assert.equal((await person().signIn(email, PASSWORD)).status, 422)
  assert.equal((await person().signIn(`new-${email}`, PASSWORD)).status, 303)
  assert.equal((await person().get(link)).status, 410)
})

test('another person’s address cannot be taken, and its existence is not revealed', async () => {
  const [{ member }, other] = [await signedIn(), await makeUser(database())]
  const asked = await member.submit('/account', '/account/email', { new_email: other.email, email_password: PASSWORD })
  assert.equal(asked.location, '/account?done=email_sent')
  assert.equal((await lastMailTo(database(), other.email)).subject, 'You already have an account')
})

test('two people want the same address: the second to confirm is refused', async () => {
  const [first, second] = [await signedIn(), await signedIn()]
  const links: string[] = []
  for (const { member } of [first, second]) {
    await member.submit('/account', '/account/email', { new_email: 'wanted@example.org', email_password: PASSWORD })
    links.push((await lastMailTo(database(), 'wanted@example.org')).link)
  }
  assert.equal((await first.member.submit(links[0] ?? '', '/confirm-email', {})).status, 303)
  assert.equal((await second.member.submit(links[1] ?? '', '/confirm-email', {})).status, 409)
})

test('a new password ends every other session, keeps this one, and is reported by mail', async () => {
  const { member, email } = await signedIn()
  const elsewhere = person()
  await elsewhere.signIn(email, PASSWORD)
  const fields = { current_password: PASSWORD, new_password: 'a lantern and two doves' }
  const weak = await member.submit('/account', '/account/password', { ...fields, new_password: 'password123' })
  assert.match(weak.text, /Many people use this password/)
  const wrong = await member.submit('/account', '/account/password', { ...fields, current_password: 'not this one' })
  assert.match(wrong.text, /not your current password/)
  const changed = await member.submit('/account', '/account/password', fields)
  assert.equal(changed.location, '/account?done=password_changed')
  assert.equal((await member.get('/account')).status, 200)
  assert.equal((await elsewhere.get('/account')).location, '/sign-in')
  assert.equal((await lastMailTo(database(), email)).subject, 'Your password was changed')
  assert.equal((await person().signIn(email, PASSWORD)).status, 422)
})

test('sessions are listed and can be ended, one or all others, but not another person’s', async () => {
  const { member, email, id } = await signedIn()
  const [second, third, stranger] = [person(), person(), await signedIn()]
  await second.signIn(email, PASSWORD)
  await third.signIn(email, PASSWORD)
  const { text } = await member.get('/account/sessions')
  assert.equal(text.match(/\/account\/sessions\/[\w-]{36}\/end/g)?.length, 2)
  assert.match(text, /This browser/)

  const action = /\/account\/sessions\/[\w-]{36}\/end/.exec(text)?.[0] ?? ''
  const theft = await stranger.member.submit('/account', '/sign-out', {}).then(() => stranger)
  await theft.member.signIn(theft.email, PASSWORD)
  const token = /name="anti_forgery" value="([^"]*)"/.exec((await theft.member.get('/account')).text)?.[1] ?? ''
  assert.equal((await theft.member.post(action, { anti_forgery: token })).status, 404)

  assert.equal((await member.submit('/account/sessions', action, {})).location, '/account/sessions?done=ended')
  const alive = async () =>
    (await Promise.all([second, third].map(someone => someone.get('/account')))).filter(({ status }) => status === 200)
  assert.equal((await alive()).length, 1)
  await member.submit('/account/sessions', '/account/sessions/end-others', {})
  assert.equal((await alive()).length, 0)
  assert.equal((await member.get('/account')).status, 200)
  const live = await database().query(sql`select id from minaret.sessions where user_id = ${id} and ended_at is null`)
  assert.equal(live.length, 1)
})

test('an expired session has ended, and a visit extends a session', async () => {
  const { member, id } = await signedIn()
  await database().run(sql`
    update minaret.sessions set last_seen_at = now() - interval '1 hour', expires_at = now() + interval '1 day'
    where user_id = ${id}`)
  assert.equal((await member.get('/account')).status, 200)
  const row = await database().first<{ days: number }>(
    sql`select extract(day from expires_at - now())::int as days from minaret.sessions where user_id = ${id}`,
  )
  assert.equal(row?.days, 13)
  await database().run(sql`update minaret.sessions set expires_at = now() where user_id = ${id}`)
  assert.equal((await member.get('/account')).location, '/sign-in')
})

test('a session ends ninety days after sign-in, however often it is used', async () => {
  const { member, id } = await signedIn()
  await database().run(sql`
    update minaret.sessions set last_seen_at = now() - interval '1 hour', created_at = now() - interval '89 days'
    where user_id = ${id}`)
  await member.get('/account')
  const row = await database().first<{ hours: number }>(
    sql`select extract(epoch from expires_at - now()) / 3600 as hours from minaret.sessions where user_id = ${id}`,
  )
  assert.ok(Number(row?.hours) <= 24)
})

test('activity shows one’s own events, and nothing secret or about others', async () => {
  const { member, email } = await signedIn()
  await person().signIn(email, 'a wrong password')
  const other = await signedIn()
  const { text } = await member.get('/account/activity')
  assert.match(text, /Signed in/)
  assert.match(text, /Sign-in refused: wrong password/)
  assert.ok(!text.includes(other.email))
  const log = await database().query(sql`select audit_log::text as line from minaret.audit_log`)
  assert.ok(!JSON.stringify(log).includes('a wrong password'))
})

test('opening pages sends no mail', async () => {
  const { member, email } = await signedIn()
  for (const path of ['/account', '/account/apps', '/account/sessions', '/account/activity']) {
    assert.equal((await member.get(path)).status, 200)
  }
  assert.equal(await countMailTo(database(), email), 0)
})

test('not found: a page for people, JSON for programs', async () => {
  const page = await person().get('/no/such/page')
  assert.equal(page.status, 404)
  assert.match(page.text, /There is nothing here/)
  const program = await fetch(`${minaret().baseUrl}/no/such/page`, { headers: { accept: 'application/json' } })
  assert.deepEqual([program.status, ((await program.json()) as { error: string }).error], [404, 'not_found'])
})
