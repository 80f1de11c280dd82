// Passkeys in the wrong hands: copied, replayed, from another site, in another account, through a stolen session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { asksAgain } from '../../support/asks-again.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf } from '../../support/person.ts'
import { addPasskey, createAuthenticator, optionsOn, signInWithPasskey } from '../../support/software-authenticator.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const person = () => createPerson(minaret().baseUrl)
const NEW = '/account/security/passkeys/new'

const withPasskey = async () => {
  const user = await makeUser(database())
  const owner = person()
  await owner.signIn(user.email, PASSWORD)
  const phone = createAuthenticator(minaret().baseUrl)
  assert.equal((await addPasskey(owner, phone)).status, 200)
  return { user, owner, phone }
}

const refused = /done=passkey_refused$/

test('a copied authenticator is noticed by its counter, which the database never sets back', async () => {
  const { user, phone } = await withPasskey()
  assert.equal((await signInWithPasskey(person(), phone, { counter: 100 })).location, '/account')
  for (const counter of [100, 99, 1, 0])
    assert.match((await signInWithPasskey(person(), phone, { counter })).location ?? '', refused, String(counter))
  assert.equal((await signInWithPasskey(person(), phone, { counter: 101 })).location, '/account')
  await assert.rejects(
    database().run(sql`update minaret.passkeys set counter = 5 where user_id = ${user.id}`),
    /never goes back/,
  )
  const noted = await database().query(sql`
    select from minaret.audit_log where action = 'account.passkey_refused' and user_id = ${user.id}`)
  assert.equal(noted.length, 4)
})

test('an answer that was made for another site is refused, to sign in and to add', async () => {
  const { owner, phone } = await withPasskey()
  for (const origin of ['https://evil.example', 'http://localhost', 'http://localhost.evil.example:3000'])
    assert.match((await signInWithPasskey(person(), phone, { origin })).location ?? '', refused, origin)
  const other = createAuthenticator('https://evil.example')
  assert.equal((await addPasskey(owner, other)).status, 422)
})

test('without the person being verified by the device, nothing is accepted', async () => {
  const { owner, phone } = await withPasskey()
  assert.match((await signInWithPasskey(person(), phone, { unverified: true })).location ?? '', refused)
  assert.equal((await addPasskey(owner, createAuthenticator(minaret().baseUrl), { unverified: true })).status, 422)
})

test('an answer counts once, in the browser that was asked, for what it was asked for', async () => {
  const { owner, phone } = await withPasskey()
  const [someone, thief] = [person(), person()]
  const page = await someone.get('/sign-in')
  const fields = hiddenFieldsOf(page.text, '/sign-in/passkey')
  const response = phone.get(optionsOn(page, '/sign-in/passkey'))
  const theirs = hiddenFieldsOf((await thief.get('/sign-in')).text, '/sign-in/passkey')
  assert.match(
    (await thief.post('/sign-in/passkey', { ...theirs, response })).location ?? '',
    refused,
    'another browser',
  )
  const answers = await Promise.all([1, 2, 3].map(() => someone.post('/sign-in/passkey', { ...fields, response })))
  assert.equal(answers.filter(({ location }) => location === '/account').length, 1, 'once, also in parallel')

  const again = await owner.get('/sign-in/again')
  const { challenge } = optionsOn(again, '/sign-in/again')
  const crossed = await signInWithPasskey(person(), phone, { challenge })
  assert.match(crossed.location ?? '', refused, 'a challenge for something else')
  const made = Buffer.alloc(64, 7).toString('base64url')
  assert.match((await signInWithPasskey(person(), phone, { challenge: made })).location ?? '', refused, 'not ours')
})

test("another's passkey neither confirms who somebody is, nor moves to another account", async () => {
  const [one, other] = [await withPasskey(), await withPasskey()]
  await database().run(sql`update minaret.sessions set fresh_at = null where user_id = ${one.user.id}`)
  const page = await one.owner.get('/sign-in/again')
  const response = other.phone.get(optionsOn(page, '/sign-in/again'))
  const answer = await one.owner.submit('/sign-in/again', '/sign-in/again', { kind: 'passkey', response })
  assert.equal(answer.status, 422)
  assert.equal((await addPasskey(other.owner, one.phone)).status, 422, 'a key has one owner')
  await assert.rejects(
    database().run(sql`update minaret.passkeys set user_id = ${other.user.id} where user_id = ${one.user.id}`),
    /keeps its owner/,
  )
})

test('a stolen session adds no passkey without showing who it is', async () => {
  const { user, owner } = await withPasskey()
  const form = hiddenFieldsOf((await owner.get(NEW)).text, NEW)
  const options = optionsOn(await owner.get(NEW), NEW)
  await database().run(
    sql`update minaret.sessions set fresh_at = now() - interval '16 minutes' where user_id = ${user.id}`,
  )
  const response = createAuthenticator(minaret().baseUrl).create(options)
  assert.ok(asksAgain(await owner.post(NEW, { ...form, name: 'Mine', response })))
  assert.equal((await owner.get('/account/security/password/off')).location, '/sign-in/again')
  const rows = await database().query(sql`select from minaret.passkeys where user_id = ${user.id}`)
  assert.equal(rows.length, 1)
})

test('a disabled account, and somebody else’s passkey page, stay closed', async () => {
  const [one, other] = [await withPasskey(), await withPasskey()]
  const page = await one.owner.get('/account/security')
  const [path = ''] = page.text.match(/\/account\/security\/passkeys\/[\da-f-]{36}/g) ?? []
  assert.equal((await other.owner.get(path)).status, 404)
  const { anti_forgery = '' } = hiddenFieldsOf(
    (await other.owner.get('/account/security')).text,
    '/account/security/codes',
  )
  for (const action of ['name', 'remove'])
    assert.equal((await other.owner.post(`${path}/${action}`, { anti_forgery, name: 'x' })).status, 404, action)
  await database().run(sql`update minaret.users set disabled_at = now() where id = ${one.user.id}`)
  assert.match((await signInWithPasskey(person(), one.phone)).location ?? '', refused)
})

test('rubbish instead of an answer is refused, never an internal error', async () => {
  await withPasskey()
  for (const response of ['', 'null', '[]', '{"id":1,"response":null}', '{"id":"x","response":{}}', '{'.repeat(50)]) {
    const someone = person()
    const fields = hiddenFieldsOf((await someone.get('/sign-in')).text, '/sign-in/passkey')
    assert.match((await someone.post('/sign-in/passkey', { ...fields, response })).location ?? '', refused, response)
  }
})
