import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { PASSWORD } from '../support/apps.ts'
import { lastMailTo } from '../support/mail.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { authorizeInBrowser, authorizeParameters, makeClient, makePkce } from '../support/oauth.ts'
import { createPerson, decodeHtml, type Person } from '../support/person.ts'
import { runCommand, temporaryFolder } from '../support/process.ts'
import { type Life, makeLife } from './life.ts'
import { readZip } from './read-zip.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const cookieOf = (person: Person): string => [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

const signedIn = async (): Promise<{ life: Life; person: Person }> => {
  const life = await makeLife(database())
  const person = createPerson(minaret().baseUrl)
  await person.signIn(life.user.email, PASSWORD)
  return { life, person }
}

const linkOn = (page: string): string => decodeHtml(/href="(\/account\/data\/download[^"]*)"/.exec(page)?.[1] ?? '')

const download = async (person: Person): Promise<ReadonlyMap<string, string>> => {
  const { text } = await person.submit('/account/data', '/account/data/export', {})
  const response = await fetch(new URL(linkOn(text), minaret().baseUrl), { headers: { cookie: cookieOf(person) } })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/zip')
  assert.match(response.headers.get('content-disposition') ?? '', /attachment; filename="my-data.zip"/)
  return readZip(Buffer.from(await response.arrayBuffer()))
}

const rowsOf = (files: ReadonlyMap<string, string>, name: string): Record<string, unknown>[] =>
  JSON.parse(files.get(`${name}.json`) ?? 'null') as Record<string, unknown>[]

test('the download has what is kept about the person, as JSON and CSV, and nothing about others', async () => {
  const { life, person } = await signedIn()
  const files = await download(person)
  assert.match(files.get('README.txt') ?? '', new RegExp(`What ${minaret().baseUrl} keeps about ${life.user.email}`))
  assert.equal(rowsOf(files, 'users')[0]?.email, life.user.email)
  assert.equal(rowsOf(files, 'ua_members').length, 1)
  assert.equal(rowsOf(files, 'ua_members')[0]?.phone, '+15550100')
  assert.equal(rowsOf(files, 'ua_members')[0]?.masjid, 'Larkspur Lane Masjid')
  assert.equal(rowsOf(files, 'ua_households')[0]?.address, '5 Tansy Street')
  assert.deepEqual(
    rowsOf(files, 'ua_donations')
      .map(row => row.amount_minor)
      .sort(),
    [5000, 700].sort(),
  )
  // As a member, and as a guest by the confirmed address.
  assert.equal(rowsOf(files, 'up_event_rsvps').length, 2)
  assert.ok(rowsOf(files, 'up_event_rsvps').some(row => row.guest_name === `${life.marks[0]} as a guest`))
  const all = [...files.values()].join('\n')
  assert.ok(!all.includes(life.relative.name) && !all.includes(life.relative.email) && !all.includes(life.relative.id))
  assert.ok(!all.includes('Somebody Else'))
  // The address of an administrator who changed the account is not the person's.
  assert.ok(all.includes('203.0.113.7') && !all.includes('198.51.100.99'))
  assert.ok(!/\$argon2id|token_hash|password_hash/.test(all))
})

test('a value that a spreadsheet would run as a formula is text', async () => {
  const { person } = await signedIn()
  const files = await download(person)
  const gifts = files.get('ua_donations.csv') ?? ''
  assert.ok(gifts.includes(`"'=HYPERLINK(""https://evil.example""`), gifts)
  assert.ok((files.get('ua_members.csv') ?? '').includes("'+15550100"))
  assert.ok(!/(^|,)"?[=@+-][A-Z]/m.test(gifts.replaceAll(/-?\d+/g, '0')))
})

test('it says which apps read what, in the person’s name and at their masjids, and what the person was shown', async () => {
  const { life, person } = await signedIn()
  const app = await makeClient(database(), {})
  await authorizeInBrowser(minaret(), authorizeParameters(app, makePkce()), cookieOf(person))
  await database().run(sql`
    insert into minaret.read_log (app_id, user_id, table_name, row_count)
    select id, ${life.user.id}::uuid, 'ua_members', 1 from minaret.apps where client_id = ${app.clientId}
    union all select id, null, 'ua_donations', 40 from minaret.apps where client_id = ${app.clientId}`)
  const files = await download(person)
  const [own] = rowsOf(files, 'read_log')
  assert.equal(own?.table_name, 'ua_members')
  assert.equal(typeof own?.app, 'string')
  assert.ok(
    rowsOf(files, 'reads_at_your_masjids').some(
      row => row.table === 'ua_donations' && row.rows === 40 && row.app === own?.app,
    ),
  )
  const [consent] = rowsOf(files, 'consent_texts')
  assert.equal(consent?.language, 'en')
  assert.match(JSON.stringify(consent?.shown), /"scope":"masjid:read"/)
  assert.match(String(consent?.version), /^[0-9a-f]{16}$/)
  const page = await person.get('/account/apps')
  assert.match(page.text, /What you were shown/)
  assert.ok(page.text.includes(String(consent?.version)))
})

test('links that still work, rows about others in kept responses, and notes about others are left out', async () => {
  const { life, person } = await signedIn()
  const other = await makeLife(database())
  await person.submit('/forgot-password', '/forgot-password', { email: life.user.email })
  const { link } = await lastMailTo(database(), life.user.email)
  await database().run(sql`
    insert into public.idempotent_requests (app_id, user_id, key, request_hash, answer)
    values ('', ${life.user.id}, ${life.user.id}, 'x', ${`{"given_name":"${other.marks[0]}"}`})`)
  await database().run(sql`
    insert into minaret.audit_log (action, actor, actor_id, user_id, detail)
    values ('user.right_given', 'user', ${life.user.id}, ${other.user.id}, ${JSON.stringify({ about: other.marks[0] })})`)
  await database().transaction(async transaction => {
    await transaction.run(sql`select set_config('minaret.user_id', ${life.user.id}, true)`)
    await transaction.run(sql`update public.up_masjids set phone = '+15550111' where id = ${life.masjidId}`)
  })
  const files = await download(person)
  const all = [...files.values()].join('\n')
  assert.ok(!all.includes(new URLSearchParams(link.split('?')[1]).get('token') ?? 'no token'))
  assert.ok(!all.includes(String(other.marks[0])) && !all.includes(other.user.id))
  assert.ok(rowsOf(files, 'outbox').some(row => row.subject === 'Choose a new password'))
  assert.deepEqual(
    rowsOf(files, 'written_rows').map(row => [row.table_name, row.masjid]),
    [['up_masjids', 'Larkspur Lane Masjid']],
  )
})

test('more rows than one batch are all there, once each', async () => {
  const { life, person } = await signedIn()
  await database().run(sql`
    insert into minaret.audit_log (action, actor, actor_id, user_id, detail)
    select 'account.profile_changed', 'user', ${life.user.id}, ${life.user.id}, jsonb_build_object('number', n)
    from generate_series(1, 1234) n`)
  const numbers = rowsOf(await download(person), 'audit_log').flatMap(
    row => (row.detail as { number?: number }).number ?? [],
  )
  assert.equal(new Set(numbers).size, 1234)
  assert.equal(numbers.length, 1234)
})

test('in Arabic, the page and the explanation are Arabic', async () => {
  const { life, person } = await signedIn()
  await database().run(sql`update minaret.users set locale = 'ar' where id = ${life.user.id}`)
  assert.match((await person.get('/account/data')).text, /نزّل بياناتك/)
  assert.match((await download(person)).get('README.txt') ?? '', /ما يحفظه/)
})

test('`minaret user export` writes the same file for an operator, and overwrites none', async () => {
  const life = await makeLife(database())
  const folder = temporaryFolder()
  const words = ['user', 'export', '--email', life.user.email, '--to', `${folder.path}/data.zip`]
  const environment = { DATABASE_URL: minaret().databaseUrl, MINARET_SECRET: TEST_SECRET }
  try {
    assert.equal((await runCommand(words, environment)).status, 0)
    const files = await readZip(readFileSync(`${folder.path}/data.zip`))
    assert.equal(rowsOf(files, 'ua_members').length, 1)
    assert.equal((await runCommand(words, environment)).status, 1)
    const unknown = await runCommand(
      ['user', 'export', '--email', 'no@example.org', '--to', `${folder.path}/b.zip`],
      environment,
    )
    assert.match(unknown.stderr, /There is no account no@example\.org/)
  } finally {
    folder.remove()
  }
})
