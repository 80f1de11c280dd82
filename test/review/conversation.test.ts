// Changes requested and answered: the queue, messages in both directions with mail, templates, notes, what changed since.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { User } from '../../src/accounts/users.ts'
import { findApp } from '../../src/apps/app.ts'
import { pendingChange, requestChange } from '../../src/apps/changes.ts'
import { checkRegistration, type Registration } from '../../src/apps/check-registration.ts'
import { countForReview } from '../../src/apps/review-queue.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makePendingApp, makeUser, PASSWORD } from '../support/apps.ts'
import { lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'
import { createPerson, decodeHtml, type Person } from '../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const enter = async ({ email }: User): Promise<Person> => {
  const person = createPerson(minaret().baseUrl)
  await person.signIn(email, PASSWORD)
  return person
}

let owner: User
let reviewer: User
let team: Person
let desk: Person

before(async () => {
  owner = await makeUser(database(), { name: 'Yusuf' })
  reviewer = await makeUser(database(), { name: 'Maryam', isReviewer: true })
  team = await enter(owner)
  desk = await enter(reviewer)
})

const waitsInQueue = async (name: string): Promise<boolean> => (await desk.get('/review')).text.includes(name)
const ask = (id: string, body: string, fields: Record<string, string> = {}) =>
  desk.submit(`/review/apps/${id}`, `/review/apps/${id}/request-changes`, { body, action: 'request', ...fields })

const edited = (name: string, description: string): Registration => {
  const checked = checkRegistration(
    {
      name,
      description,
      kind: 'public',
      redirectUris: ['https://app.example.org/callback'],
      scopes: ['masjid:read'],
    },
    'production',
  )
  if (checked.kind === 'faulty') throw new Error('The registration is invalid.')
  return checked.registration
}

test('changes are requested: the app leaves the queue, the owner gets mail, edits it, and it is back with what changed', async () => {
  const id = await makePendingApp(database(), { ownerId: owner.id, name: 'Qibla finder' })
  assert.equal((await ask(id, 'Say who runs it.')).location, '/review?done=changes-requested&app=Qibla+finder')
  assert.equal(await waitsInQueue('Qibla finder'), false)
  assert.match((await desk.get('/review?state=asked')).text, /Qibla finder/)
  const mail = await lastMailTo(database(), owner.email)
  assert.match(mail.subject, /Please change your app Qibla finder/)
  assert.match(mail.text, /> Say who runs it\./)
  const page = await team.get(mail.link)
  assert.match(page.text, /Say who runs it\./)
  assert.match(page.text, /Changes requested/)
  const sent = await team.submit(`/console/apps/${id}/edit`, `/console/apps/${id}/edit`, {
    name: 'Qibla finder',
    description: 'Run by the youth group.',
    kind: 'public',
    redirect_uris: 'https://app.example.org/callback',
    scopes: 'masjid:read',
  })
  assert.equal(sent.location, `/console/apps/${id}?done=sent-again`, sent.text)
  assert.equal(await waitsInQueue('Qibla finder'), true)
  const { text } = await desk.get(`/review/apps/${id}`)
  assert.match(text, /What changed since the last decision/)
  assert.match(text, /<ins>Run by the youth group\.<\/ins>/)
  assert.match((await lastMailTo(database(), reviewer.email)).subject, /Qibla finder is back in the queue/)
})

test('the owner answers in the console, the reviewer gets mail, and an answer alone can return the app to the queue', async () => {
  const id = await makePendingApp(database(), { ownerId: owner.id, name: 'Janazah news' })
  await ask(id, 'Which masjid is this for?')
  const path = `/console/apps/${id}/messages`
  assert.equal((await team.submit(path, path, { body: 'We will tell you tomorrow.' })).location, `${path}?done=sent`)
  const mail = await lastMailTo(database(), reviewer.email)
  assert.match(mail.subject, /The team of Janazah news wrote to you/)
  assert.doesNotMatch(mail.text, /tomorrow/)
  assert.match((await desk.get(mail.link)).text, /We will tell you tomorrow\./)
  assert.match((await desk.get('/review?state=asked')).text, /answered/)
  assert.equal(await waitsInQueue('Janazah news'), false)
  const back = await team.submit(path, path, { body: 'For Masjid Noor.', action: 'send-back' })
  assert.equal(back.location, `${path}?done=back`)
  assert.equal(await waitsInQueue('Janazah news'), true)
  const again = await team.submit(path, path, { body: 'Once more.', action: 'send-back' })
  assert.equal(again.status, 422)
})

test('a decision ends the request, whoever was waiting', async () => {
  const id = await makePendingApp(database(), { ownerId: owner.id })
  await ask(id, 'Say more.')
  const page = `/review/apps/${id}`
  const approved = await desk.submit(page, `${page}/approve`, {
    action: 'approve',
    scopes: 'masjid:read',
    reach: 'all',
    own_reach: 'none',
  })
  assert.equal(approved.status, 303)
  const app = await findApp(database(), id)
  assert.deepEqual([app?.state, app?.changesRequestedAt], ['approved', undefined])
})

test('changes to a change request: it leaves the queue, and the next proposal shows what differs from it', async () => {
  const { id } = await makeApp(database(), { ownerId: owner.id, name: 'Halaqa list' })
  const actor = { kind: 'user', userId: owner.id, address: undefined } as const
  const propose = (description: string) =>
    requestChange(database(), {
      appId: id,
      actor,
      registration: edited('Halaqa list', description),
      reason: '',
      baseUrl: minaret().baseUrl,
    })
  const first = await propose('Shows circles.')
  const asked = await desk.submit(`/review/changes/${first}`, `/review/apps/${id}/request-changes`, {
    body: 'Which circles?',
    action: 'request',
  })
  assert.equal(asked.status, 303)
  assert.notEqual((await pendingChange(database(), id))?.changesRequestedAt, null)
  assert.equal(await waitsInQueue('Halaqa list'), false)
  assert.match((await team.get(`/console/apps/${id}`)).text, /A reviewer asks for changes/)
  const second = await propose('Shows circles for women.')
  assert.equal(await waitsInQueue('Halaqa list'), true)
  assert.match((await desk.get(`/review/changes/${second}`)).text, /<del>Shows circles\.<\/del>/)
  assert.match((await lastMailTo(database(), reviewer.email)).subject, /Halaqa list is back in the queue/)
})

test('an edit that the reviewer has not seen is not sent back for changes', async () => {
  const id = await makePendingApp(database(), { ownerId: owner.id })
  const refused = await ask(id, 'Say more.', { revision: '77' })
  assert.equal(refused.status, 409)
  assert.equal((await findApp(database(), id))?.changesRequestedAt, undefined)
})

test('without a message there is an error summary with focus, and nothing happens', async () => {
  const id = await makePendingApp(database(), { ownerId: owner.id })
  const counts = await countForReview(database())
  for (const [path, sentence] of [
    ['request-changes', 'Give the owner a reason.'],
    ['messages', 'Write a message.'],
    ['notes', 'Write a note.'],
  ] as const) {
    const page = `/review/apps/${id}`
    const { status, text } = await desk.submit(page, `${page}/${path}`, { body: ' ' })
    assert.equal(status, 422)
    assert.match(text, /<title>Error: /)
    assert.match(text, new RegExp(`role="alert" tabindex="-1" autofocus>.*?${sentence}`, 's'))
  }
  assert.deepEqual(await countForReview(database()), counts)
})

test('a template is put into the field in the language of the owner, below what was typed', async () => {
  const arab = await makeUser(database(), { hashed: false })
  await database().run(sql`update minaret.users set locale = 'ar' where id = ${arab.id}`)
  const id = await makePendingApp(database(), { ownerId: arab.id })
  const page = `/review/apps/${id}`
  const insert = { action: 'insert', template: 'homePage' }
  const changes = await desk.submit(page, `${page}/request-changes`, { ...insert, body: 'Salam.' })
  assert.equal(changes.status, 200)
  assert.match(decodeHtml(changes.text), /Salam\.\s+يرجى إضافة صفحة رئيسية/)
  const reject = await desk.submit(page, `${page}/reject`, { ...insert, reason: '' })
  assert.match(decodeHtml(reject.text), /<textarea[^>]*id="reason"[^>]*>\s*يرجى إضافة صفحة رئيسية/)
  assert.equal((await findApp(database(), id))?.state, 'pending')
})

test('the page of an app leads to the next one that waits, never to one of the reviewer’s own team', async () => {
  await makePendingApp(database(), { ownerId: reviewer.id, name: 'My own app' })
  const id = await makePendingApp(database(), { ownerId: owner.id, name: 'Before the last' })
  const ofTeam = await makePendingApp(database(), { ownerId: owner.id, name: 'App of my team' })
  await database().run(
    sql`insert into minaret.app_members (app_id, user_id, role) values (${ofTeam}, ${reviewer.id}, 'viewer')`,
  )
  const next = await makePendingApp(database(), { ownerId: owner.id, name: 'The last one' })
  const { text } = await desk.get(`/review/apps/${id}`)
  assert.match(text, /Next in the queue:[\s\S]{0,20}The last one/)
  assert.match(text, new RegExp(`href="/review/apps/${next}"`))
  assert.doesNotMatch(text, /Next in the queue:[\s\S]{0,20}(My own app|App of my team)/)
  const page = `/review/apps/${id}`
  const { location } = await desk.submit(page, `${page}/reject`, { reason: 'No.', action: 'reject' })
  assert.match((await desk.get(String(location))).text, /Next in the queue:/)
})

test('what a reviewer wrote keeps its own direction on Arabic pages', async () => {
  const id = await makePendingApp(database(), { ownerId: owner.id, name: 'Wrong way round' })
  const page = `/review/apps/${id}`
  await desk.submit(page, `${page}/reject`, { reason: 'Say whom it is for.', action: 'reject' })
  for (const path of ['', '/edit', '/history']) {
    const { text } = await team.get(`/console/apps/${id}${path}?ui_locales=ar`)
    assert.match(text, /<html lang="ar" dir="rtl"/, path)
    assert.match(text, /dir="auto">Say whom it is for\./, path)
  }
})
