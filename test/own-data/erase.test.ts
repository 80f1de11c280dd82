import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeUser, PASSWORD } from '../support/apps.ts'
import { lastMailTo } from '../support/mail.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { getTokens, makeClient, refresh, within } from '../support/oauth.ts'
import { createPerson, type Person } from '../support/person.ts'
import { runCommand, temporaryFolder } from '../support/process.ts'
import { openReceiver } from '../webhooks/receiver.ts'
import { makeEndpoint } from '../webhooks/use-webhooks.ts'
import { findEverywhere, type Life, makeLife } from './life.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const environment = () => ({ DATABASE_URL: minaret().databaseUrl, MINARET_SECRET: TEST_SECRET })
const command = (...words: string[]) => runCommand(words, environment())

const signedIn = async (life: Life): Promise<Person> => {
  const person = createPerson(minaret().baseUrl)
  await person.signIn(life.user.email, PASSWORD)
  return person
}

const cookieOf = (person: Person): string => [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

const accountOf = (id: string) =>
  database().first<{ email: string; name: string; erased: boolean; disabled: boolean }>(sql`
    select email, name, erased_at is not null as erased, disabled_at is not null as disabled from minaret.users where id = ${id}`)

const makeDue = (userId: string) =>
  database().run(sql`update minaret.erasures set due_at = now() where user_id = ${userId}`)

const untilErased = (userId: string) =>
  within(30_000, 'the account is erased', async () => (await accountOf(userId))?.erased === true)

test('from the page to nothing left: no name, no address, totals as before', async () => {
  const life = await makeLife(database())
  const { user, masjidId, campaignId, householdId } = life
  const person = await signedIn(life)
  const raised = () =>
    database().first(sql`select raised_minor, (select count(*) from public.ua_donations where campaign_id = ${campaignId}) as gifts
      from public.campaign_ledgers where campaign_id = ${campaignId}`)
  const before = await raised()

  const page = (await person.get('/account/data/erase')).text
  assert.match(page, /Your memberships/)
  assert.match(page, /the accounts of the masjid have to stay right/)
  const asked = await person.submit('/account/data/erase', '/account/data/erase', {})
  assert.equal(asked.status, 200)
  assert.match(asked.text, /Your account will be erased/)
  assert.equal((await person.get('/account')).location, '/sign-in')
  assert.equal((await createPerson(minaret().baseUrl).signIn(user.email, PASSWORD)).status, 422)
  assert.equal((await accountOf(user.id))?.erased, false)

  await makeDue(user.id)
  await untilErased(user.id)
  for (const mark of [...life.marks, '203.0.113.7']) assert.deepEqual(await findEverywhere(database(), mark), [], mark)
  assert.deepEqual(await raised(), before)
  const gifts = await database().query(sql`
    select member_id, donor_name, donor_email, recurring_donation_id from public.ua_donations where masjid_id = ${masjidId}`)
  assert.deepEqual(new Set(gifts.flatMap(gift => Object.values(gift))), new Set([null]))
  // The household stays for the one who still lives there.
  assert.equal(
    (await database().query(sql`select from public.ua_members where household_id = ${householdId}`)).length,
    1,
  )
  assert.deepEqual(await accountOf(user.id), {
    email: `erased-${user.id}@erased.invalid`,
    name: 'Erased',
    erased: true,
    disabled: true,
  })
  const [seen] = await database().query<{ going_count: number }>(sql`
    select going_count from public.up_event_occurrences where id = ${life.occurrenceId}`)
  assert.equal(seen?.going_count, 0)
  // The address of the administrator who once changed the account is theirs.
  assert.equal(
    (
      await database().query(
        sql`select from minaret.audit_log where address = '198.51.100.99' and user_id = ${user.id}`,
      )
    ).length,
    1,
  )
})

test('a household goes with the last who lived in it', async () => {
  const life = await makeLife(database())
  await database().run(sql`delete from public.ua_members where id = ${life.relative.id}`)
  assert.equal((await command('user', 'erase', '--email', life.user.email, '--now')).status, 0)
  assert.deepEqual(await database().query(sql`select id from public.ua_households where id = ${life.householdId}`), [])
})

test('the link in the mail keeps the account, once and only before it is too late', async () => {
  const life = await makeLife(database())
  const person = await signedIn(life)
  await person.submit('/account/data/erase', '/account/data/erase', {})
  const mail = await lastMailTo(database(), life.user.email)
  assert.equal(mail.subject, 'Your account will be erased')
  const stranger = createPerson(minaret().baseUrl)
  // Opening it, as mail scanners do, changes nothing.
  assert.equal((await stranger.get(mail.link)).status, 200)
  assert.equal((await accountOf(life.user.id))?.disabled, true)
  assert.match((await stranger.submit(mail.link, '/keep-account', {})).text, /Your account is kept/)
  assert.equal((await createPerson(minaret().baseUrl).signIn(life.user.email, PASSWORD)).status, 303)
  assert.equal((await stranger.get(mail.link)).status, 410)

  const again = await signedIn(life)
  await again.submit('/account/data/erase', '/account/data/erase', {})
  const { link } = await lastMailTo(database(), life.user.email)
  await makeDue(life.user.id)
  await untilErased(life.user.id)
  assert.equal((await stranger.get(link)).status, 410)
})

test('whoever owns apps or alone manages a masjid settles that first', async () => {
  const life = await makeLife(database())
  const app = await makeApp(database(), { ownerId: life.user.id, name: 'My Own App' })
  const colleague = await makeUser(database(), { hashed: false })
  await database().run(sql`update public.ua_members set role = 'admin' where id = ${life.memberId}`)
  await database().run(sql`
    insert into public.ua_members (masjid_id, user_id, given_name) values (${life.masjidId}, ${colleague.id}, 'Colleague')`)
  const person = await signedIn(life)
  const page = (await person.get('/account/data/erase')).text
  assert.match(page, /My Own App/)
  assert.match(page, /Larkspur Lane Masjid/)
  assert.doesNotMatch(page, /Erase my account/)
  const refused = await command('user', 'erase', '--email', life.user.email, '--now')
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /Delete the apps/)
  assert.equal((await accountOf(life.user.id))?.disabled, false)

  const disabled = await makeUser(database(), { hashed: false })
  await database().run(sql`update minaret.users set disabled_at = now() where id = ${disabled.id}`)
  assert.match((await command('app', 'transfer', '--id', app.id, '--to', disabled.email)).stderr, /in force/)
  const handedOver = await command('app', 'transfer', '--id', app.id, '--to', colleague.email)
  assert.equal(handedOver.status, 0, handedOver.stderr)
  assert.equal((await lastMailTo(database(), colleague.email)).subject, 'The app My Own App is yours now')
  assert.equal((await person.get(`/console/apps/${app.id}`)).status, 404)
  assert.equal((await command('app', 'transfer', '--id', app.id, '--to', colleague.email)).status, 1)
  await database().run(sql`update public.ua_members set role = 'admin' where user_id = ${colleague.id}`)
  assert.match((await person.get('/account/data/erase')).text, /Erase my account/)
})

test('apps that knew the person are told by webhook, and their tokens are worth nothing', async () => {
  const life = await makeLife(database())
  const person = await signedIn(life)
  const receiver = await openReceiver()
  try {
    const app = await makeClient(database(), {})
    const tokens = await getTokens(minaret(), { app, user: life.user, cookie: cookieOf(person) })
    const row = await database().first<{ id: string }>(
      sql`select id from minaret.apps where client_id = ${app.clientId}`,
    )
    await makeEndpoint(database(), { url: `${receiver.url}/known`, appId: String(row?.id), tables: ['up_masjids'] })
    await makeEndpoint(database(), { url: `${receiver.url}/stranger` })
    await person.submit('/account/data/erase', '/account/data/erase', {})
    const userinfo = () =>
      fetch(`${minaret().baseUrl}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    await within(10_000, 'the token is refused', async () => (await userinfo()).status === 401)
    assert.equal((await refresh(minaret(), app, String(tokens.refresh_token))).status, 400)
    await makeDue(life.user.id)
    const told = () => receiver.at('/known').find(({ event }) => event.type === 'person.erased')
    await within(30_000, 'the app is told', () => told() !== undefined)
    assert.deepEqual(told()?.event.data, { sub: life.user.id })
    const toStranger = receiver.at('/stranger').map(({ event }) => event.type)
    assert.ok(!toStranger.includes('person.erased'), String(toStranger))
    await untilErased(life.user.id)
  } finally {
    await receiver.close()
  }
})

test('an erased address registers anew, and gets nothing of the old', async () => {
  const life = await makeLife(database())
  await command('user', 'erase', '--email', life.user.email, '--now')
  const anew = await makeUser(database(), { email: life.user.email, name: 'Somebody New' })
  assert.notEqual(anew.id, life.user.id)
  const person = createPerson(minaret().baseUrl)
  assert.equal((await person.signIn(life.user.email, PASSWORD)).status, 303)
  assert.match((await person.get('/account/apps')).text, /No app has access/)
  const rows = await database().query(
    sql`select from public.ua_members where user_id = ${anew.id} or email = ${anew.email}`,
  )
  assert.equal(rows.length, 0)
})

test('after a restore, those who were erased since are erased again', async () => {
  const life = await makeLife(database())
  const backup = await database().first<{ document: string }>(
    sql`select row_to_json(users)::text as document from minaret.users where id = ${life.user.id}`,
  )
  await command('user', 'erase', '--email', life.user.email, '--now')
  const { stdout } = await command('user', 'erase', '--list')
  // As a restored backup would have it.
  await database().transaction(async transaction => {
    await transaction.run(sql`alter table minaret.users disable trigger user`)
    await transaction.run(sql`
      update minaret.users set email = old.email, name = old.name, erased_at = null, disabled_at = null,
        email_verified_at = old.email_verified_at, password_hash = old.password_hash
      from json_populate_record(null::minaret.users, ${backup?.document}::json) old where users.id = old.id`)
    await transaction.run(sql`alter table minaret.users enable trigger user`)
  })
  const folder = temporaryFolder()
  try {
    writeFileSync(`${folder.path}/erased.txt`, stdout)
    const again = await command('user', 'erase', '--again', `${folder.path}/erased.txt`, '--json')
    assert.equal(JSON.parse(again.stdout).erased, 1)
    assert.equal((await accountOf(life.user.id))?.erased, true)
    assert.equal(
      JSON.parse((await command('user', 'erase', '--again', `${folder.path}/erased.txt`, '--json')).stdout).erased,
      0,
    )
    writeFileSync(`${folder.path}/other.txt`, 'somebody@example.org\n')
    assert.equal((await command('user', 'erase', '--again', `${folder.path}/other.txt`)).status, 2)
  } finally {
    folder.remove()
  }
})
