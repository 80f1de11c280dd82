// A thief with somebody's password tries to pass for usual, or to make the checks for unusual sign-ins work against others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { letCodesPass, setUpAuthenticator } from '../../support/authenticator.ts'
import { countMailTo, lastMailTo } from '../../support/mail.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson } from '../../support/person.ts'

const minaret = useMinaret({ TRUST_PROXY: 'on' })
const direct = useMinaret()
const database = () => minaret().service.database
const browser = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36'

const visitor = (address: string, languages = 'en-GB') =>
  createPerson(minaret().baseUrl, { 'user-agent': browser, 'x-forwarded-for': address, 'accept-language': languages })

const regionsOf = (userId: string) =>
  database().query<{ region: string | null; network: string | null }>(
    sql`select region, network from minaret.sessions where user_id = ${userId} order by created_at`,
  )

test('attempts with a wrong password do not make a country or a network known', async () => {
  const { id, email } = await makeUser(database())
  await visitor('9.9.9.9').signIn(email, PASSWORD)
  for (let attempt = 0; attempt < 3; attempt += 1)
    await visitor('8.8.8.8', 'ru-RU').signIn(email, 'wrong password here')
  assert.deepEqual(await regionsOf(id), [{ region: 'GB', network: '9.9.9.9' }])
  await visitor('8.8.8.8', 'ru-RU').signIn(email, PASSWORD)
  assert.match((await lastMailTo(database(), email)).subject, /unusual sign-in/)
})

test('whoever hides the country is still asked for the second factor', async () => {
  const user = await makeUser(database())
  const owner = visitor('9.9.9.9')
  await owner.signIn(user.email, PASSWORD)
  await setUpAuthenticator(owner)
  await letCodesPass(database(), user.id)
  for (const languages of ['', 'en', '*', 'x-GB', 'en-GB;q=0', `${'en-'.repeat(500)}GB`, 'en-\u00e9\u00e9'])
    assert.equal(
      (await visitor('8.8.8.8', languages).signIn(user.email, PASSWORD)).location,
      '/sign-in/second-factor',
      languages.slice(0, 20),
    )
})

test('nothing that a browser sends appears in the mail about it', async () => {
  const { email } = await makeUser(database())
  await visitor('9.9.9.9').signIn(email, PASSWORD)
  const liar = createPerson(minaret().baseUrl, {
    'user-agent': 'Visit http://evil.example now <a href=x>',
    'x-forwarded-for': '8.8.8.8',
    'accept-language': 'de-DE, http://evil.example',
  })
  await liar.signIn(email, PASSWORD)
  const { subject, text } = await lastMailTo(database(), email)
  assert.match(subject, /unusual sign-in/)
  assert.doesNotMatch(text, /evil|<a/)
})

test('without a trusted proxy nobody chooses the network that a sign-in is counted for', async () => {
  const { database: own } = direct().service
  const { email, id } = await makeUser(own)
  const forger = createPerson(direct().baseUrl, { 'user-agent': browser, 'x-forwarded-for': '1.1.1.1' })
  await forger.signIn(email, PASSWORD)
  const rows = await own.query(sql`select network from minaret.sessions where user_id = ${id}`)
  assert.deepEqual(rows, [{ network: null }], 'loopback is not a network')
})

test('a crowd on one network locks nobody out: people sign in as before, and are told once', async () => {
  await database().run(sql`
    with others as (
      insert into minaret.users (email, name) select 'crowd' || n || '@example.org', 'Crowd' from generate_series(1, 30) n returning id)
    insert into minaret.sessions (token_hash, user_id, expires_at, network)
    select sha256(id::text::bytea), id, now() + interval '1 day', '4.4.4.4' from others`)
  const { email } = await makeUser(database())
  assert.equal((await visitor('4.4.4.4').signIn(email, PASSWORD)).location, '/account')
  assert.equal((await visitor('4.4.4.4').signIn(email, PASSWORD)).location, '/account')
  assert.ok((await countMailTo(database(), email)) <= 2)
})
