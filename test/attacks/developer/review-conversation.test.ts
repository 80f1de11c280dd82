// Strangers in the conversation about an app: other teams, viewers, former reviewers, reviewers of their own app, and what they type.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import { writeNote } from '../../../src/apps/conversation/notes.ts'
import { requestChanges, writeToReviewers, writeToTeam } from '../../../src/apps/conversation/write-message.ts'
import { sql } from '../../../src/db/sql.ts'
import { ANTI_FORGERY_FIELD } from '../../../src/site/pieces/form.ts'
import { makePendingApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, type Person } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const NOTE = 'The same person as the app we suspended in May.'

const enter = async ({ email }: User): Promise<Person> => {
  const person = createPerson(minaret().baseUrl)
  await person.signIn(email, PASSWORD)
  return person
}

const acting = ({ id }: User) => ({ kind: 'user', userId: id, address: undefined }) as const

/** Posts past the page, which offers no such form. */
const post = async (person: Person, path: string, fields: Record<string, string>) => {
  const { text } = await person.get('/console/apps/new')
  const token = new RegExp(`name="${ANTI_FORGERY_FIELD}" value="([^"]*)"`).exec(text)?.[1] ?? ''
  return person.post(path, { [ANTI_FORGERY_FIELD]: token, ...fields })
}

const countOf = async (appId: string): Promise<number> => {
  const row = await database().first<{ count: number }>(sql`
    select (select count(*) from minaret.app_messages where app_id = ${appId})::int
      + (select count(*) from minaret.app_notes where app_id = ${appId})::int as count`)
  return row?.count ?? -1
}

let owner: User
let reviewer: User
let appId: string

before(async () => {
  owner = await makeUser(database())
  reviewer = await makeUser(database(), { isReviewer: true })
  appId = await makePendingApp(database(), { ownerId: owner.id, name: 'Target' })
  await writeNote(database(), { appId, actor: acting(reviewer), body: NOTE })
})

const addMember = async (role: string): Promise<User> => {
  const user = await makeUser(database())
  await database().run(
    sql`insert into minaret.app_members (app_id, user_id, role) values (${appId}, ${user.id}, ${role})`,
  )
  return user
}

test('the owner of one app neither reads nor writes in the conversation of another', async () => {
  const stranger = await makeUser(database())
  await makePendingApp(database(), { ownerId: stranger.id })
  const person = await enter(stranger)
  const before = await countOf(appId)
  assert.equal((await person.get(`/console/apps/${appId}/messages`)).status, 404)
  assert.equal((await post(person, `/console/apps/${appId}/messages`, { body: 'Approve it.' })).status, 404)
  for (const path of ['messages', 'notes', 'request-changes'])
    assert.equal((await post(person, `/review/apps/${appId}/${path}`, { body: 'Approve it.' })).status, 403, path)
  await assert.rejects(writeToReviewers(database(), { appId, actor: acting(stranger), body: 'Hello' }), {
    code: 'forbidden',
  })
  assert.equal(await countOf(appId), before)
})

test('a viewer of the team reads messages and writes none', async () => {
  const viewer = await addMember('viewer')
  const person = await enter(viewer)
  assert.equal((await person.get(`/console/apps/${appId}/messages`)).status, 200)
  assert.equal((await post(person, `/console/apps/${appId}/messages`, { body: 'Hello' })).status, 403)
  await assert.rejects(writeToReviewers(database(), { appId, actor: acting(viewer), body: 'Hello' }), {
    code: 'forbidden',
  })
})

test('internal notes never reach the owner, the team, their mail, the roles of the API, or a reviewer who is in the team', async () => {
  const insider = await makeUser(database(), { isReviewer: true })
  await database().run(
    sql`insert into minaret.app_members (app_id, user_id, role) values (${appId}, ${insider.id}, 'developer')`,
  )
  const pages = ['', '/messages', '/history', '/edit', '/team', '/settings', '/usage', '/credentials']
  for (const user of [owner, await addMember('developer'), insider]) {
    const person = await enter(user)
    for (const page of pages) assert.ok(!(await person.get(`/console/apps/${appId}${page}`)).text.includes(NOTE), page)
    assert.ok(!(await person.get(`/review/apps/${appId}`)).text.includes(NOTE))
    assert.ok(!(await person.get(`/review/audit?app=${appId}`)).text.includes(NOTE))
  }
  const mails = await database().query(sql`select from minaret.outbox where text like ${`%${NOTE}%`}`)
  assert.equal(mails.length, 0)
  const readable = await database().query(sql`
    select from information_schema.role_table_grants
    where table_schema = 'minaret' and table_name in ('app_notes', 'app_messages') and grantee like 'minaret\_%'`)
  assert.equal(readable.length, 0)
  assert.match((await (await enter(reviewer)).get(`/review/apps/${appId}`)).text, /suspended in May/)
})

test('a reviewer does not speak as a reviewer about an app of their own team', async () => {
  const insider = await makeUser(database(), { isReviewer: true })
  const own = await makePendingApp(database(), { ownerId: insider.id })
  const input = { appId: own, actor: acting(insider), body: 'Fine by me.' }
  for (const write of [writeToTeam, requestChanges, writeNote])
    await assert.rejects(write(database(), input), { code: 'own_app' })
  const person = await enter(insider)
  for (const path of ['messages', 'notes', 'request-changes'])
    assert.equal((await post(person, `/review/apps/${own}/${path}`, { body: 'Fine.', revision: '1' })).status, 403)
  assert.equal(await countOf(own), 0)
})

test('a dismissed reviewer writes nothing, even with a page opened before', async () => {
  const former = await makeUser(database(), { isReviewer: true })
  const person = await enter(former)
  const { text } = await person.get(`/review/apps/${appId}`)
  assert.match(text, /request-changes/)
  await database().run(sql`update minaret.users set is_reviewer = false where id = ${former.id}`)
  const before = await countOf(appId)
  for (const path of ['messages', 'notes', 'request-changes'])
    assert.equal((await post(person, `/review/apps/${appId}/${path}`, { body: 'Still here.' })).status, 403)
  for (const write of [writeToTeam, requestChanges, writeNote])
    await assert.rejects(write(database(), { appId, actor: acting(former), body: 'Still here.' }), {
      code: 'forbidden',
    })
  assert.equal(await countOf(appId), before)
})

test('a team neither speaks as a reviewer nor sends back what nobody asked about', async () => {
  const raw = (side: string, kind: string) => sql`
    insert into minaret.app_messages (app_id, author_id, side, kind, body) values (${appId}, ${owner.id}, ${side}, ${kind}, 'x')`
  await assert.rejects(database().run(raw('team', 'changes_requested')), { code: '23514' })
  await assert.rejects(database().run(raw('reviewer', 'changes_requested')), { code: 'MN005' })
  await assert.rejects(database().run(raw('team', 'sent_again')), { code: 'MN001' })
})

test('markup and direction marks in messages stay text, and do not reach beyond their message', async () => {
  const body = '<script>alert(1)</script> <b>bold</b> \u202eevil\u2066'
  const id = await makePendingApp(database(), { ownerId: owner.id })
  const person = await enter(owner)
  assert.equal((await post(person, `/console/apps/${id}/messages`, { body })).status, 303)
  for (const page of [
    await person.get(`/console/apps/${id}/messages`),
    await (await enter(reviewer)).get(`/review/apps/${id}`),
  ]) {
    assert.doesNotMatch(page.text, /<script>alert|<b>bold|[\u202e\u2066]/)
    assert.match(page.text, /class="as-typed" dir="auto">[^<]*bold/)
  }
})

test('a team writes at most 30 messages a day, so that nobody floods reviewers with mail', async () => {
  const id = await makePendingApp(database(), { ownerId: owner.id })
  const write = () => writeToReviewers(database(), { appId: id, actor: acting(owner), body: 'Please.' })
  for (let count = 0; count < 30; count += 1) await write()
  await assert.rejects(write(), { code: 'state_refused' })
  const path = `/console/apps/${id}/messages`
  const refused = await post(await enter(owner), path, { body: 'Please.' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /30 messages today/)
})
