// Administrators at work: the overview, last sign-ins, masjids and their verification, and the audit log as a file.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startSession } from '../../src/accounts/sessions.ts'
import type { User } from '../../src/accounts/users.ts'
import { verifyMasjid } from '../../src/capabilities/verify-masjid.ts'
import { sql } from '../../src/db/sql.ts'
import { ANTI_FORGERY_FIELD } from '../../src/site/pieces/form.ts'
import { makePendingApp, makeUser, PASSWORD } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { createPerson, type Person } from '../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const signedIn = async (user: User): Promise<Person> => {
  const person = createPerson(minaret().baseUrl)
  const token = await startSession(database(), user.id, { address: undefined, userAgent: undefined })
  person.cookies.set('minaret_session', token)
  return person
}

let administrator: User
let admin: Person

before(async () => {
  administrator = await makeUser(database(), { isAdmin: true, hashed: false })
  admin = await signedIn(administrator)
})

/** Posts past the page, which offers no such form. */
const post = async (person: Person, path: string, fields: Record<string, string>) => {
  const { text } = await person.get('/console/apps/new')
  const token = new RegExp(`name="${ANTI_FORGERY_FIELD}" value="([^"]*)"`).exec(text)?.[1] ?? ''
  return person.post(path, { [ANTI_FORGERY_FIELD]: token, ...fields })
}

const insertMasjid = async (slug: string): Promise<string> => {
  const row = await database().first<{ id: string }>(sql`
    insert into public.up_masjids (slug, name, address, city, state, country, latitude, longitude, timezone)
    values (${slug}, ${`Masjid ${slug}`}, 'Street 1', 'Dearborn', 'MI', 'US', 42.3, -83.2, 'America/Detroit') returning id`)
  return String(row?.id)
}

const verificationOf = async (id: string): Promise<string | undefined> =>
  (await database().first<{ verification: string }>(sql`select verification from public.up_masjids where id = ${id}`))
    ?.verification

test('the overview counts apps, people, requests, mail and what waits, and names the versions', async () => {
  await makePendingApp(database())
  const { status, text } = await admin.get('/admin/overview')
  assert.equal(status, 200)
  const pending = /<dt>Pending<\/dt><dd>.*?(\d+)/s.exec(text)?.[1]
  const row = await database().first<{ count: number }>(
    sql`select count(*)::int from minaret.apps where state = 'pending' and development_of is null and deleted_at is null`,
  )
  assert.equal(Number(pending), row?.count)
  for (const label of ['Accounts', 'Errors', 'Mails waiting', 'Webhook deliveries given up'])
    assert.match(text, new RegExp(`<dt>${label}</dt><dd>`), label)
  assert.ok(text.includes(process.version))
})

test('the overview lists how often each job ran, failed and when it last succeeded', async () => {
  await within(60_000, 'a run of a job', async () => {
    const { text } = await admin.get('/admin/overview')
    return /(?:Erasure of accounts|Signing keys)<\/td><td class="number"[^>]*>[1-9][\s\S]{0,200}<time /.test(text)
  })
  const reviewer = await signedIn(await makeUser(database(), { isReviewer: true, hashed: false }))
  assert.equal((await reviewer.get('/admin/overview')).status, 403)
})

test('the audit log is filtered by app, by who did it, by the kind of actor and by period', async () => {
  const owner = await makeUser(database(), { hashed: false, name: 'Filter Owner' })
  const name = `Filtered ${owner.id}`
  const appId = await makePendingApp(database(), { ownerId: owner.id, name })
  const other = await makePendingApp(database(), { ownerId: owner.id, name: 'Another app' })
  for (const id of [appId, other])
    await database().run(
      sql`insert into minaret.audit_log (action, actor, actor_id, app_id) values ('key.limited', 'user', ${owner.id}, ${id})`,
    )
  const found = async (query: Record<string, string>): Promise<number> => {
    const { text } = await admin.get(`/admin/audit?${new URLSearchParams({ action: 'key.limited', ...query })}`)
    return text.match(/class="audit-event"/g)?.length ?? 0
  }
  assert.equal(await found({ app: name.toUpperCase() }), 1)
  assert.equal(await found({ app: appId }), 1)
  assert.equal(await found({ by: owner.email }), 2)
  assert.equal(await found({ by: administrator.email }), 0)
  assert.equal(await found({ by: owner.email, actor: 'user' }), 2)
  assert.equal(await found({ by: owner.email, actor: 'command' }), 0)
  assert.equal(await found({ by: owner.email, to: '2020-01-01' }), 0)
  assert.equal(await found({ by: owner.email, from: '2020-01-01' }), 2)
  assert.equal(await found({ by: owner.email, actor: 'nonsense' }), 2, 'an unknown kind is no filter')
})

test('fields of filters may be left empty, and say nothing about it', async () => {
  for (const path of ['/admin', '/admin/audit', '/admin/changes', '/admin/masjids']) {
    const { status, text } = await admin.get(path)
    assert.equal(status, 200, path)
    const [form = ''] = /<form method="get"[\s\S]*?<\/form>/.exec(text) ?? []
    assert.match(form, /<input/, path)
    assert.doesNotMatch(form, / required|\(optional\)/, path)
  }
})

test('the list of people says when each last signed in', async () => {
  const user = await makeUser(database(), { name: 'Signs In Today' })
  await createPerson(minaret().baseUrl).signIn(user.email, PASSWORD)
  const today = new RegExp(`data-label="Last sign-in"><time datetime="${new Date().toISOString().slice(0, 7)}`)
  await within(60_000, 'the sign-in is in the audit log', async () =>
    today.test((await admin.get('/admin?q=Signs+In+Today')).text),
  )
})

test('a masjid is verified and the verification taken back, both in the audit log', async () => {
  const id = await insertMasjid('to-verify')
  const path = `/admin/masjids/${id}/verification`
  assert.equal((await admin.submit('/admin/masjids?q=to-verify', path, {})).location, '/admin/masjids?done=yes')
  assert.equal(await verificationOf(id), 'verified')
  assert.match(
    (await admin.get('/admin/masjids?q=to-verify&state=verified')).text,
    /href="\/m\/to-verify"><bdi>Masjid to-verify/,
  )
  await admin.submit('/admin/masjids?q=to-verify', path, {})
  assert.equal(await verificationOf(id), 'unverified')
  const rows = await database().query<{ verification: string }>(sql`
    select detail ->> 'verification' as verification from minaret.audit_log
    where action = 'masjid.verification_changed' and detail ->> 'masjid_id' = ${id} order by id`)
  assert.deepEqual(rows, [{ verification: 'verified' }, { verification: 'unverified' }])
})

test('nobody but an administrator verifies a masjid, whatever they send', async () => {
  const id = await insertMasjid('not-verified')
  const reviewer = await makeUser(database(), { isReviewer: true, hashed: false })
  const person = await signedIn(reviewer)
  assert.equal((await person.get('/admin/masjids')).status, 403)
  const sent = await post(person, `/admin/masjids/${id}/verification`, { verification: 'verified' })
  assert.equal(sent.status, 403)
  const actor = { kind: 'user', userId: reviewer.id, address: undefined } as const
  await assert.rejects(verifyMasjid(database(), { masjidId: id, verification: 'verified', actor }), {
    code: 'forbidden',
  })
  assert.equal(await verificationOf(id), 'unverified')
})

test('the audit log is downloaded by its filters as CSV, one line for each event, and the download is recorded', async () => {
  const owner = await makeUser(database(), { hashed: false, name: '=HYPERLINK("x")' })
  const appId = await makePendingApp(database(), { ownerId: owner.id, name: '=cmd' })
  const file = await admin.submit(`/admin/audit?app=${appId}`, '/admin/audit/export', {})
  assert.equal(file.status, 200)
  assert.match(String(file.headers.get('content-disposition')), /attachment; filename="audit-[\d-]+\.csv"/)
  const [head, ...lines] = file.text.trimEnd().split('\r\n')
  assert.match(String(head), /^at,action,actor,actor_name,/)
  assert.equal(lines.length, 1)
  assert.match(String(lines[0]), /,app\.registered,/)
  assert.match(String(lines[0]), /,'=cmd,/)
  const rows = await database().query<{ app: string }>(sql`
    select detail ->> 'app' as app from minaret.audit_log
    where action = 'audit.exported' and actor_id = ${administrator.id}`)
  assert.deepEqual(rows, [{ app: appId }])
})

test('nobody but an administrator downloads the audit log', async () => {
  const stranger = createPerson(minaret().baseUrl)
  const anonymous = await stranger.post('/admin/audit/export', {})
  assert.notEqual(anonymous.status, 200)
  assert.doesNotMatch(anonymous.text, /actor_name/)
  const reviewer = await signedIn(await makeUser(database(), { isReviewer: true, hashed: false }))
  assert.equal((await post(reviewer, '/admin/audit/export', {})).status, 403)
  assert.equal((await admin.get('/admin/audit/export')).status, 404)
})
