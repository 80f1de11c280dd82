// A reviewer gives an app scopes for changing data, and says whose own app it is; later it is narrowed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startSession } from '../../src/accounts/sessions.ts'
import { findApp } from '../../src/apps/app.ts'
import { sql } from '../../src/db/sql.ts'
import { makePendingApp, makeUser } from '../support/apps.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useMinaret } from '../support/minaret.ts'
import { createPerson, type Person, type Shown } from '../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const makeReviewer = async (language = 'en'): Promise<Person> => {
  const { id } = await makeUser(database(), { hashed: false, isReviewer: true })
  const person = createPerson(minaret().baseUrl)
  const session = await startSession(database(), id, { address: undefined, userAgent: undefined })
  person.cookies.set('minaret_session', session)
  person.cookies.set('minaret_language', language)
  return person
}

const approve = (reviewer: Person, id: string, fields: Record<string, string>): Promise<Shown> =>
  reviewer.submit(`/review/apps/${id}`, `/review/apps/${id}/approve`, { action: 'approve', reach: 'all', ...fields })

const makeWriter = () => makePendingApp(database(), { scopes: ['events:read', 'events:write'] })

test('the page warns of write scopes, and wants to know whose own app it is before they are granted', async () => {
  const reviewer = await makeReviewer()
  const id = await makeWriter()
  const { text } = await reviewer.get(`/review/apps/${id}`)
  assert.match(text, /This app would change data.*<code dir="ltr">events:write/s)
  assert.match(text, /Scopes that change data:\s*<code dir="auto">events:write/)
  assert.doesNotMatch(text, /name="own_reach"[^>]*checked/)
  const undecided = await approve(reviewer, id, { scopes: 'events:write' })
  assert.equal(undecided.status, 422)
  assert.match(undecided.text, /say whose own app it is/)
  assert.equal((await approve(reviewer, id, { scopes: 'events:write', own_reach: 'none' })).status, 303)
  assert.deepEqual((await findApp(database(), id))?.scopes, ['events:write'])
})

test('without write scopes granted, nothing more is asked', async () => {
  const reviewer = await makeReviewer()
  const id = await makeWriter()
  assert.equal((await approve(reviewer, id, { scopes: 'events:read' })).status, 303)
})

test('contradictions are errors beside the field: all but not all, some but none, ticked but not chosen', async () => {
  const reviewer = await makeReviewer()
  const id = await makeWriter()
  const masjid = await insertMasjid(database())
  for (const [fields, words] of [
    [{ reach: 'some', masjids: masjid, own_reach: 'all' }, /also reaches all masjids/],
    [{ own_reach: 'some' }, /Tick the masjids whose own app it is/],
    [{ own_reach: 'none', own: masjid }, /You ticked masjids/],
    [{ reach: 'some', own_reach: 'none' }, /Choose at least one masjid/],
  ] as const) {
    const refused = await approve(reviewer, id, { scopes: 'events:write', ...fields })
    assert.equal(refused.status, 422)
    assert.match(refused.text, words)
  }
  assert.equal((await findApp(database(), id))?.state, 'pending')
})

test('every masjid’s own app: approved, shown, recorded, narrowed later with history', async () => {
  const reviewer = await makeReviewer()
  const id = await makeWriter()
  const page = `/review/apps/${id}`
  assert.equal((await approve(reviewer, id, { scopes: 'events:write', own_reach: 'all' })).status, 303)
  assert.equal((await findApp(database(), id))?.ownAllMasjids, true)
  const { text } = await reviewer.get(page)
  assert.match(text, /name="own_reach" value="all" checked/)
  assert.match(text, /all <span class="badge info">own/)
  const masjid = await insertMasjid(database(), { name: 'Masjid al-Quba' })
  const found = await reviewer.submit(page, `${page}/masjids`, { action: 'find', reach: 'all', find: 'al-Quba' })
  assert.match(found.text, /Masjid al-Quba, Raleigh, NC/)
  const narrower = { action: 'save', reach: 'some', own_reach: 'some', own: masjid }
  assert.equal((await reviewer.submit(page, `${page}/masjids`, narrower)).status, 303)
  assert.equal((await findApp(database(), id))?.ownAllMasjids, false)
  assert.match(
    (await reviewer.get(page)).text,
    /Reach: <bdi>0<\/bdi>, own: <bdi>1.*Reach: <bdi>all<\/bdi>, own: <bdi>all/s,
  )
  const entries = await database().query<{ action: string; detail: Record<string, unknown> }>(sql`
    select action, detail from minaret.audit_log where app_id = ${id} and detail ? 'own_masjids' order by id`)
  assert.deepEqual(
    entries.map(({ action, detail }) => [action, detail.own_masjids]),
    [
      ['app.approved', '*'],
      ['app.masjids_changed', [masjid]],
    ],
  )
})

test('in Arabic the warning and the choice are there too', async () => {
  const reviewer = await makeReviewer('ar')
  const { text } = await reviewer.get(`/review/apps/${await makeWriter()}`)
  for (const words of ['هذا التطبيق سيغيّر البيانات', 'لأي المساجد هو تطبيق خاص؟', 'لكل المساجد'])
    assert.ok(text.includes(words), words)
})

test('the queue shows at a glance what to look at, how much waits, and finds an app by its name', async () => {
  const reviewer = await makeReviewer()
  const name = `Harbour ${randomUUID()}`
  await makePendingApp(database(), { name, scopes: ['members:read', 'events:write'] })
  const { text } = await reviewer.get(`/review?words=${encodeURIComponent(name.toUpperCase())}`)
  const [row = ''] = /<tr role="row">.*?<\/tr>/s.exec(text) ?? []
  for (const words of [name, 'changes data', 'personal data', 'new owner']) assert.ok(row.includes(words), words)
  assert.equal(text.match(/<tr role="row">/g)?.length, 1)
  const [, waiting = '0'] = /Waiting <span class="count">(\d+)</.exec(text) ?? []
  assert.ok(Number(waiting) >= 1)
  for (const state of ['', '&state=approved', '&state=rejected']) {
    const missing = await reviewer.get(`/review?words=100%25_no_such_app${state}`)
    assert.match(missing.text, /No app matches/)
  }
})
