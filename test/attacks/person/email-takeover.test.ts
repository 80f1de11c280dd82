// Someone briefly knew the password, or reads the new address's mail: neither gets to keep the account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { countMailTo, lastMailTo } from '../../support/mail.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf, type Person, type Shown } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const person = () => createPerson(minaret().baseUrl)
const NEW_PASSWORD = 'a lantern and two doves'

interface Theft {
  readonly id: string
  /** The owner's address. */
  readonly email: string
  readonly evil: string
  /** Signed in with the owner's password. */
  readonly thief: Person
}

const askFor = (thief: Person, email: string, password = PASSWORD): Promise<Shown> =>
  thief.submit('/account', '/account/email', { new_email: email, email_password: password })

/** A thief who knows the password has requested a change to their own address. */
const theft = async (): Promise<Theft> => {
  const { id, email } = await makeUser(database())
  const thief = person()
  await thief.signIn(email, PASSWORD)
  const evil = `evil-${email}`
  assert.equal((await askFor(thief, evil)).location, '/account?done=email_sent')
  return { id, email, evil, thief }
}

const linkTo = async (email: string): Promise<string> => (await lastMailTo(database(), email)).link

const confirmWith = async (thief: Person, evil: string): Promise<Shown> =>
  thief.submit(await linkTo(evil), '/confirm-email', {})

const stop = (link: string): Promise<Shown> => person().submit(link, '/stop-email-change', {})

const resetBy = async (email: string, password = NEW_PASSWORD): Promise<Shown> => {
  await person().submit('/forgot-password', '/forgot-password', { email })
  return person().submit(await linkTo(email), '/reset-password', { password })
}

const emailOf = async (id: string): Promise<string | undefined> =>
  (await database().first<{ email: string }>(sql`select email from minaret.users where id = ${id}`))?.email

const liveSessions = async (id: string): Promise<number> => {
  const row = await database().first<{ count: number }>(
    sql`select count(*)::int as count from minaret.sessions where user_id = ${id} and ended_at is null`,
  )
  return row?.count ?? 0
}

const liveLinks = async (id: string, purpose: string): Promise<number> => {
  const row = await database().first<{ count: number }>(sql`select count(*)::int as count from minaret.mail_tokens
    where user_id = ${id} and purpose = ${purpose} and used_at is null`)
  return row?.count ?? 0
}

test('a pending change does not survive a password reset', async () => {
  const { id, email, evil, thief } = await theft()
  const link = await linkTo(evil)
  assert.equal((await resetBy(email)).location, '/sign-in?done=password_changed')
  assert.equal((await person().get(link)).status, 410)
  assert.equal((await thief.get('/account')).location, '/sign-in')
  assert.equal(await emailOf(id), email)
})

test('a changed password voids every link of the account: to change the address and to choose a password', async () => {
  const { id, email, evil } = await theft()
  const change = await linkTo(evil)
  await person().submit('/forgot-password', '/forgot-password', { email })
  const reset = await linkTo(email)
  const owner = person()
  await owner.signIn(email, PASSWORD)
  const fields = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  assert.equal((await owner.submit('/account', '/account/password', fields)).location, '/account?done=password_changed')
  for (const link of [change, reset]) assert.equal((await person().get(link)).status, 410, link)
  assert.deepEqual([await liveLinks(id, 'change_email'), await liveLinks(id, 'reset')], [0, 0])
})

test('a confirmed address voids the links that were sent to the old one', async () => {
  const { id, email, evil, thief } = await theft()
  const change = await linkTo(evil)
  await person().submit('/forgot-password', '/forgot-password', { email })
  assert.equal((await thief.submit(change, '/confirm-email', {})).location, '/account?done=email_changed')
  assert.equal(await liveLinks(id, 'reset'), 0)
})

test('the old address is notified when a change is requested, and its link stops the change', async () => {
  const { id, email, evil, thief } = await theft()
  const mail = await lastMailTo(database(), email)
  assert.match(mail.subject, /asked to change your email address/)
  assert.ok(mail.text.includes(evil))
  const change = await linkTo(evil)

  const looked = await person().get(mail.link)
  assert.equal(looked.status, 200)
  assert.match(looked.text, /Stop the change/)
  assert.equal((await thief.get('/account')).status, 200, 'a mail scanner that opens the link changes nothing')

  const owner = person()
  const stopped = await owner.submit(mail.link, '/stop-email-change', {})
  assert.match(stopped.location ?? '', /^\/reset-password\?/)
  assert.equal((await person().get(change)).status, 410)
  assert.equal((await person().get(mail.link)).status, 410, 'it works once')
  assert.equal(await liveSessions(id), 0)
  assert.equal((await person().signIn(email, PASSWORD)).status, 422, 'the known password is useless')
  const reset = await owner.submit(stopped.location ?? '', '/reset-password', { password: NEW_PASSWORD })
  assert.equal(reset.location, '/sign-in?done=password_changed')
  assert.equal((await person().signIn(email, NEW_PASSWORD)).status, 303)
  assert.equal(await emailOf(id), email)
})

test('after confirmation, a changed password and a second change, the first link still restores the account', async () => {
  const { id, email, evil, thief } = await theft()
  const stopLink = await linkTo(email)
  await confirmWith(thief, evil)
  assert.match((await lastMailTo(database(), email)).subject, /was changed/)
  const passwords = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  await thief.submit('/account', '/account/password', passwords)
  await askFor(thief, `more-${evil}`, NEW_PASSWORD)
  const thiefsStopLink = await linkTo(evil)
  await confirmWith(thief, `more-${evil}`)
  await person().submit('/forgot-password', '/forgot-password', { email: `more-${evil}` })
  const thiefsReset = await linkTo(`more-${evil}`)
  assert.equal(await emailOf(id), `more-${evil}`)

  assert.match((await person().get(stopLink)).text, /Take it back/)
  const taken = await stop(stopLink)
  assert.match(taken.location ?? '', /^\/reset-password\?/)
  assert.equal(await emailOf(id), email)
  assert.equal(await liveSessions(id), 0)
  for (const link of [thiefsStopLink, thiefsReset]) assert.equal((await person().get(link)).status, 410, link)
  for (const address of [email, evil, `more-${evil}`])
    for (const password of [PASSWORD, NEW_PASSWORD])
      assert.equal((await person().signIn(address, password)).status, 422)
  await person().submit(taken.location ?? '', '/reset-password', { password: 'three boats on a river' })
  assert.equal((await person().signIn(email, 'three boats on a river')).status, 303)
})

test('the second mail, about the confirmed change, undoes it as well; a pending change of the thief ends with it', async () => {
  const { id, email, evil, thief } = await theft()
  await confirmWith(thief, evil)
  const stopLink = await linkTo(email)
  await askFor(thief, `more-${evil}`)
  const pending = await linkTo(`more-${evil}`)
  await stop(stopLink)
  assert.equal(await emailOf(id), email)
  assert.equal((await person().get(pending)).status, 410)
})

test('a new request leaves the earlier stop links valid', async () => {
  const { id, email, evil, thief } = await theft()
  const first = await linkTo(email)
  await askFor(thief, `more-${evil}`)
  assert.match((await stop(first)).location ?? '', /^\/reset-password\?/)
  assert.deepEqual([await liveLinks(id, 'change_email'), await liveLinks(id, 'stop_email_change')], [0, 0])
})

test('requesting an address reveals only to its owner whether it has an account', async () => {
  const taken = await makeUser(database(), { hashed: false })
  const seen: unknown[] = []
  for (const target of [taken.email, `free-${taken.email}`]) {
    const { email } = await makeUser(database())
    const asker = person()
    await asker.signIn(email, PASSWORD)
    await askFor(asker, `own-${email}`)
    const own = await linkTo(`own-${email}`)
    const answer = await askFor(asker, target)
    const activity = (await asker.get('/account/activity')).text.match(/Change of email address requested/g)?.length
    const told = (await lastMailTo(database(), email)).text.includes(target)
    seen.push([answer.location, activity, told, await countMailTo(database(), email), (await asker.get(own)).status])
  }
  assert.deepEqual(seen[0], seen[1])
  assert.deepEqual(seen[0], ['/account?done=email_sent', 2, true, 2, 410])
})

test('someone who reads the new address’s mail cannot confirm it without the password or a session', async () => {
  const { id, email, evil } = await theft()
  const link = await linkTo(evil)
  const stranger = person()
  const shown = await stranger.get(link)
  assert.ok(
    !shown.text.includes(`"${email}"`) && !shown.text.includes(`>${email}<`),
    'the current address is not revealed',
  )
  for (const password of ['', 'a guess at it'])
    assert.equal((await stranger.submit(link, '/confirm-email', { password })).status, 422)
  const other = await makeUser(database())
  await stranger.signIn(other.email, PASSWORD)
  assert.equal((await stranger.submit(link, '/confirm-email', {})).status, 422, 'another person’s session')
  assert.equal(await emailOf(id), email)
  assert.equal((await person().submit(link, '/confirm-email', { password: PASSWORD })).status, 303)
  assert.equal(await emailOf(id), evil)
})

test('an address that can be restored is reserved: nobody else can sign up with it or change to it, in the database too', async () => {
  const { id, email, evil, thief } = await theft()
  const stopLink = await linkTo(email)
  await confirmWith(thief, evil)
  const fields = { name: 'Eve', email, password: NEW_PASSWORD }
  assert.equal((await person().submit('/sign-up', '/sign-up', fields)).status, 200)
  assert.equal((await lastMailTo(database(), email)).subject, 'This email address is not available yet')
  const other = await makeUser(database())
  const mover = person()
  await mover.signIn(other.email, PASSWORD)
  assert.equal((await askFor(mover, email)).location, '/account?done=email_sent')
  assert.equal((await lastMailTo(database(), email)).subject, 'This email address is not available yet')
  await assert.rejects(makeUser(database(), { email, hashed: false }), { code: 'email_taken' })
  await assert.rejects(database().run(sql`update minaret.users set email = ${email} where id = ${other.id}`), {
    code: 'MN004',
  })
  await stop(stopLink)
  assert.equal(await emailOf(id), email)
})

test('two concurrent confirmations: one changes the address, the other finds the link used', async () => {
  const { email, evil, thief } = await theft()
  const link = await linkTo(evil)
  const fields = hiddenFieldsOf((await thief.get(link)).text, '/confirm-email')
  const answers = await Promise.all([0, 1, 2].map(() => thief.post('/confirm-email', fields)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 410, 410])
  assert.equal(await countMailTo(database(), email), 2, 'requested, and changed once')
})

test('stopping and confirming concurrently: whichever comes first, the owner keeps the account', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { id, email, evil, thief } = await theft()
    const [change, stopLink] = [await linkTo(evil), await linkTo(email)]
    const owner = person()
    const confirming = hiddenFieldsOf((await thief.get(change)).text, '/confirm-email')
    const stopping = hiddenFieldsOf((await owner.get(stopLink)).text, '/stop-email-change')
    const [confirmed, stopped] = await Promise.all([
      thief.post('/confirm-email', confirming),
      owner.post('/stop-email-change', stopping),
    ])
    // 403: their session ended after it had been looked up, and the token of the form with it.
    assert.ok([303, 403, 410].includes(confirmed.status), String(confirmed.status))
    assert.equal(stopped.status, 303)
    assert.deepEqual([await emailOf(id), await liveSessions(id), await liveLinks(id, 'change_email')], [email, 0, 0])
  }
})

test('a request with the old password during its reset leaves no link behind', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id, email, thief } = await theft()
    await person().submit('/forgot-password', '/forgot-password', { email })
    const link = await linkTo(email)
    const owner = person()
    const resetting = { ...hiddenFieldsOf((await owner.get(link)).text, '/reset-password'), password: NEW_PASSWORD }
    const page = (await thief.get('/account')).text
    const asking = {
      ...hiddenFieldsOf(page, '/account/email'),
      new_email: `late-${email}`,
      email_password: PASSWORD,
    }
    await Promise.all([owner.post('/reset-password', resetting), thief.post('/account/email', asking)])
    assert.equal(await liveLinks(id, 'change_email'), 0)
  }
})

test('a sign-in with the old password during its reset leaves no session behind', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id, email } = await makeUser(database())
    await person().submit('/forgot-password', '/forgot-password', { email })
    const owner = person()
    const page = (await owner.get(await linkTo(email))).text
    const resetting = { ...hiddenFieldsOf(page, '/reset-password'), password: NEW_PASSWORD }
    const thieves = await Promise.all(
      [0, 1, 2].map(async () => {
        const thief = person()
        const fields = hiddenFieldsOf((await thief.get('/sign-in')).text, '/sign-in')
        return () => thief.post('/sign-in', { ...fields, email, password: PASSWORD })
      }),
    )
    await Promise.all([owner.post('/reset-password', resetting), ...thieves.map(signIn => signIn())])
    assert.equal(await liveSessions(id), 0)
  }
})
