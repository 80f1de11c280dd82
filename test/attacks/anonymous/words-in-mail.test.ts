// A stranger signs up with someone's address and a name like "your gift failed: pay again at …", to make us mail it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const person = () => createPerson(minaret().baseUrl)

const mailsTo = async (email: string): Promise<string[]> => {
  const rows = await database().query<{ mail: string }>(
    sql`select subject || ' ' || text as mail from minaret.outbox where recipient = ${email} order by id`,
  )
  return rows.map(({ mail }) => mail)
}

const NAME = 'Your gift failed, pay again under example dot test'

test('mail to an unconfirmed address contains nothing that its sender typed', async () => {
  const victim = 'victim@example.org'
  await person().submit('/sign-up', '/sign-up', { name: NAME, email: victim, password: PASSWORD })
  // Signing in before the address is confirmed sends the link again; so does asking for a new password.
  assert.equal((await person().signIn(victim, PASSWORD)).status, 200)
  await person().submit('/forgot-password', '/forgot-password', { email: victim })
  const mails = await mailsTo(victim)
  assert.equal(mails.length, 3)
  for (const mail of mails) assert.doesNotMatch(mail, /gift|pay/)
})

test('nor does the mail to a new address entered in an account', async () => {
  const { email } = await makeUser(database(), { name: NAME })
  const member = person()
  await member.signIn(email, PASSWORD)
  await member.submit('/account', '/account/email', { new_email: 'other@example.org', email_password: PASSWORD })
  const mails = await mailsTo('other@example.org')
  assert.equal(mails.length, 1)
  assert.doesNotMatch(mails.join(), /gift|pay/)
})

test('names with line breaks, control characters or direction overrides are refused, in the database too', async () => {
  for (const mark of ['\n', '\r', '\t', '\u0007', '\u2028', '\u202e', '\u2066', '\u0085']) {
    const name = `Amina${mark}Rahman`
    const fields = { name, email: 'amina@example.org', password: PASSWORD }
    const answer = await person().submit('/sign-up', '/sign-up', fields)
    assert.equal(answer.status, 422, JSON.stringify(name))
    assert.match(answer.text, /Use letters, digits and spaces/)
    await assert.rejects(makeUser(database(), { name, hashed: false }), { code: '23514' }, JSON.stringify(name))
  }
  const member = person()
  const { email } = await makeUser(database())
  await member.signIn(email, PASSWORD)
  const profile = { name: 'A\u202eB', picture: '', language: 'en' }
  assert.equal((await member.submit('/account', '/account/profile', profile)).status, 422)
  // Names in Persian contain joiners, and mixed ones direction marks that do not override.
  const good = { name: 'علی‌رضا O’Neil', picture: '', language: 'en' }
  assert.equal((await member.submit('/account', '/account/profile', good)).status, 303)
})
