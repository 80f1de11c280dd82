// Somebody else's data: taking it along, or erasing it, with what an attacker may have.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Life, makeLife } from '../../own-data/life.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { asksAgain } from '../../support/asks-again.ts'
import { setUpAuthenticator } from '../../support/authenticator.ts'
import { lastMailTo } from '../../support/mail.ts'
import { startTestMinaret, useMinaret } from '../../support/minaret.ts'
import { getTokens, makeClient, within } from '../../support/oauth.ts'
import { createPerson, decodeHtml, hiddenFieldsOf, type Person } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

interface Signed {
  readonly life: Life
  readonly person: Person
}

const signedIn = async (): Promise<Signed> => {
  const life = await makeLife(database())
  const person = createPerson(minaret().baseUrl)
  await person.signIn(life.user.email, PASSWORD)
  return { life, person }
}

const cookieOf = (person: Person): string => [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** As if the person had signed in an hour ago. */
const ageSessions = (userId: string) =>
  database().run(sql`update minaret.sessions set fresh_at = now() - interval '1 hour' where user_id = ${userId}`)

const erasuresOf = async (userId: string): Promise<number> =>
  (await database().query(sql`select from minaret.erasures where user_id = ${userId}`)).length

const askForLink = async (person: Person): Promise<string> => {
  const { text } = await person.submit('/account/data', '/account/data/export', {})
  return decodeHtml(/href="(\/account\/data\/download[^"]*)"/.exec(text)?.[1] ?? '')
}

let victim: Signed
before(async () => {
  victim = await signedIn()
})

const stolenFrom = async (person: Person, userId: string): Promise<Person> => {
  await ageSessions(userId)
  const thief = createPerson(minaret().baseUrl)
  for (const [name, value] of person.cookies) thief.cookies.set(name, value)
  return thief
}

/** With the anti-forgery field of a page that shows it. */
const sendAll = async (thief: Person, userId: string): Promise<void> => {
  const fields = hiddenFieldsOf((await thief.get('/account/data')).text, '/account/data/export')
  for (const path of ['/account/data/export', '/account/data/erase']) {
    const sent = await thief.post(path, fields)
    assert.ok(asksAgain(sent), path)
  }
  assert.equal((await thief.get('/account/data/erase')).location, '/sign-in/again')
  const links = await database().query(sql`select from minaret.data_exports where user_id = ${userId}`)
  assert.deepEqual([links.length, await erasuresOf(userId)], [0, 0])
}

test('a stolen session without the password neither exports nor erases', async () => {
  const { life, person } = await signedIn()
  const thief = await stolenFrom(person, life.user.id)
  await sendAll(thief, life.user.id)
  assert.equal((await thief.submit('/sign-in/again', '/sign-in/again', { password: 'a guess' })).status, 422)
  await sendAll(thief, life.user.id)
  // The owner goes on after the password.
  const back = await person.submit('/sign-in/again', '/sign-in/again', { password: PASSWORD })
  assert.equal(back.status, 303)
  assert.match((await person.submit('/account/data', '/account/data/export', {})).text, /Your download is ready/)
})

test('of an account with a second factor, the password is not enough either', async () => {
  const { life, person } = await signedIn()
  await setUpAuthenticator(person)
  const thief = await stolenFrom(person, life.user.id)
  await thief.submit('/sign-in/again', '/sign-in/again', { password: PASSWORD })
  await sendAll(thief, life.user.id)
})

test('ids of others in forms and queries mean nothing', async () => {
  const { life, person } = await signedIn()
  const other = victim.life.user
  const strange = { user_id: other.id, userId: other.id, email: other.email, id: other.id, sub: other.id }
  const { text } = await person.submit('/account/data', '/account/data/export', strange)
  const link = decodeHtml(/href="(\/account\/data\/download[^"]*)"/.exec(text)?.[1] ?? '')
  const zip = await fetch(new URL(`${link}&${new URLSearchParams(strange)}`, minaret().baseUrl), {
    headers: { cookie: cookieOf(person) },
  })
  assert.equal(zip.status, 200)
  const asked = await database().query<{ user_id: string }>(sql`
    select user_id from minaret.data_exports where user_id in (${life.user.id}, ${other.id})`)
  assert.deepEqual(asked, [{ user_id: life.user.id }])
  await person.submit('/account/data/erase', '/account/data/erase', strange)
  assert.deepEqual([await erasuresOf(life.user.id), await erasuresOf(other.id)], [1, 0])
})

test('another site cannot post the forms, nor with the field of another session', async () => {
  const { life, person } = await signedIn()
  const foreign = hiddenFieldsOf((await victim.person.get('/account/data/erase')).text, '/account/data/erase')
  for (const path of ['/account/data/export', '/account/data/erase'])
    for (const fields of [{}, foreign]) {
      const sent = await person.post(path, fields, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
      assert.equal(sent.status, 403, path)
      assert.equal((await person.post(path, fields)).status, 403, path)
    }
  assert.equal(await erasuresOf(life.user.id), 0)
})

test('a link works once, in the session that asked, within the hour', async () => {
  const { life, person } = await signedIn()
  const link = await askForLink(person)
  const anonymous = await createPerson(minaret().baseUrl).get(link)
  assert.equal(anonymous.location, '/sign-in')
  assert.equal((await victim.person.get(link)).status, 410)
  const elsewhere = createPerson(minaret().baseUrl)
  await elsewhere.signIn(life.user.email, PASSWORD)
  assert.equal((await elsewhere.get(link)).status, 410)
  assert.equal((await person.get(link)).status, 200)
  assert.equal((await person.get(link)).status, 410)
  const late = await askForLink(person)
  await database().run(
    sql`update minaret.data_exports set expires_at = now() - interval '1 second' where user_id = ${life.user.id}`,
  )
  assert.equal((await person.get(late)).status, 410)
  const ended = await askForLink(person)
  await person.submit('/account/data', '/sign-out', {})
  assert.equal((await person.get(ended)).location, '/sign-in')
})

test('two downloads at once with one link: one gets the file', async () => {
  const { person } = await signedIn()
  const link = await askForLink(person)
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await person.get(link)).status))
  assert.deepEqual(statuses.sort(), [200, 410, 410, 410, 410])
})

test('downloads are limited: five an hour, counted for the account in all browsers', async () => {
  const limited = await startTestMinaret({ RATE_LIMITS: 'on' })
  try {
    const user = await makeUser(limited.service.database)
    const statuses: number[] = []
    for (const browser of [createPerson(limited.baseUrl), createPerson(limited.baseUrl)]) {
      await browser.signIn(user.email, PASSWORD)
      for (let tries = 0; tries < 3; tries += 1)
        statuses.push((await browser.submit('/account/data', '/account/data/export', {})).status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  } finally {
    await limited.stop()
  }
})

test('rows of an address that was never confirmed are nobody’s', async () => {
  const email = `${victim.life.marks[0]}-unconfirmed@example.org`
  await database().run(sql`
    insert into public.ua_donations (masjid_id, donor_name, donor_email, amount_minor, currency, method, status, received_at)
    values (${victim.life.masjidId}, 'The Real One', ${email}, 100, 'USD', 'cash', 'succeeded', now())`)
  const impostor = await makeUser(database(), { email, emailVerified: true })
  const person = createPerson(minaret().baseUrl)
  await person.signIn(email, PASSWORD)
  await database().run(sql`update minaret.users set email_verified_at = null where id = ${impostor.id}`)
  await person.submit('/account/data/erase', '/account/data/erase', {})
  await database().run(sql`update minaret.erasures set due_at = now() where user_id = ${impostor.id}`)
  await within(30_000, 'the impostor is erased', async () => (await erasuresOf(impostor.id)) === 0)
  const [gift] = await database().query<{ donor_name: string }>(
    sql`select donor_name from public.ua_donations where donor_email = ${email}`,
  )
  assert.equal(gift?.donor_name, 'The Real One')
})

test('while an erasure waits, no token, link, sign-in or password reset opens the account', async () => {
  const { life, person } = await signedIn()
  const app = await makeClient(database(), {})
  const tokens = await getTokens(minaret(), { app, user: life.user, cookie: cookieOf(person) })
  const link = await askForLink(person)
  await person.submit('/forgot-password', '/forgot-password', { email: life.user.email })
  const reset = await lastMailTo(database(), life.user.email)
  await person.submit('/account/data/erase', '/account/data/erase', {})
  const call = () =>
    fetch(`${minaret().baseUrl}/v1/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' }),
    })
  await within(10_000, 'the token is refused', async () => (await call()).status === 401)
  assert.equal((await person.get(link)).location, '/sign-in')
  assert.equal((await createPerson(minaret().baseUrl).get(reset.link)).status, 410)
  assert.equal((await createPerson(minaret().baseUrl).signIn(life.user.email, PASSWORD)).status, 422)
})

test('an administrator who disabled the account in the meantime is not overruled by the link, and nobody wakes an erased one', async () => {
  const { life, person } = await signedIn()
  const admin = await makeUser(database(), { isAdmin: true })
  const desk = createPerson(minaret().baseUrl)
  await desk.signIn(admin.email, PASSWORD)
  await person.submit('/account/data/erase', '/account/data/erase', {})
  const { link } = await lastMailTo(database(), life.user.email)
  await database().run(sql`update minaret.erasures set stays_disabled = true where user_id = ${life.user.id}`)
  await createPerson(minaret().baseUrl).submit(link, '/keep-account', {})
  assert.equal(await erasuresOf(life.user.id), 0)
  assert.equal((await createPerson(minaret().baseUrl).signIn(life.user.email, PASSWORD)).status, 422)

  const second = await signedIn()
  const { id } = second.life.user
  await second.person.submit('/account/data/erase', '/account/data/erase', {})
  await database().run(sql`update minaret.erasures set due_at = now() where user_id = ${id}`)
  await within(30_000, 'erased', async () => (await erasuresOf(id)) === 0)
  await assert.rejects(database().run(sql`update minaret.users set disabled_at = null where id = ${id}`), /erased/)
  await assert.rejects(
    database().run(sql`update minaret.users set email = 'taken@example.org' where id = ${id}`),
    /erased/,
  )
})

test('staff of the masjid see no name of the erased, in lists, answers, gifts or changes', async () => {
  const { life, person } = await signedIn()
  const colleague = await makeUser(database())
  await database().run(sql`
    insert into public.ua_members (masjid_id, user_id, given_name, role) values (${life.masjidId}, ${colleague.id}, 'Colleague', 'admin')`)
  await person.submit('/account/data/erase', '/account/data/erase', {})
  await database().run(sql`update minaret.erasures set due_at = now() where user_id = ${life.user.id}`)
  await within(30_000, 'erased', async () => (await erasuresOf(life.user.id)) === 0)
  const masjid = await database().first<{ slug: string }>(
    sql`select slug from public.up_masjids where id = ${life.masjidId}`,
  )
  const staff = createPerson(minaret().baseUrl)
  await staff.signIn(colleague.email, PASSWORD)
  for (const section of ['people', 'giving', 'events', 'changes', 'team']) {
    const page = await staff.get(`/staff/${masjid?.slug}/${section}`)
    assert.equal(page.status, 200, section)
    assert.ok(!page.text.includes(String(life.marks[0])), section)
  }
})
