// Owners get mail about every decision, in their own language, and nobody can inject a line or a link into it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveApp, rejectApp } from '../../src/apps/decide.ts'
import { suspendApp } from '../../src/apps/stop.ts'
import { commandActor as actor } from '../../src/audit/record-audit.ts'
import { sql } from '../../src/db/sql.ts'
import { makePendingApp, makeUser } from '../support/apps.ts'
import { lastMailTo } from '../support/mail.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()
const baseUrl = 'https://id.example.org'

test('mail about approval and suspension is in the owner’s language, with a link to the app', async () => {
  for (const [language, approved, suspended] of [
    ['en', /is approved/, /is suspended/],
    ['ar', /قُبل/, /أُوقف/],
  ] as const) {
    const owner = await makeUser(database(), { hashed: false, language })
    const appId = await makePendingApp(database(), { ownerId: owner.id, name: 'Board' })
    const clientId = await approveApp(database(), { appId, actor, words: 'Welcome.', baseUrl })
    const mail = await lastMailTo(database(), owner.email)
    assert.match(mail.subject, approved)
    assert.ok(mail.text.includes(clientId))
    assert.ok(mail.text.includes('Welcome.'))
    assert.equal(mail.link, `/console/apps/${appId}`)
    await suspendApp(database(), { appId, actor, reason: 'Leaked.', baseUrl })
    assert.match((await lastMailTo(database(), owner.email)).subject, suspended)
  }
})

test('a name adds neither lines nor links', async () => {
  await assert.rejects(
    makeUser(database(), { hashed: false, name: 'Eve\n\nopen https://evil.example' }),
    /users_name_is_plain/,
  )
  const owner = await makeUser(database(), { hashed: false, name: 'Eve, open https://evil.example' })
  const appId = await makePendingApp(database(), { ownerId: owner.id, name: 'App https://evil.example' })
  await rejectApp(database(), { appId, actor, reason: 'No.', baseUrl })
  const { text, subject } = await lastMailTo(database(), owner.email)
  assert.doesNotMatch(text + subject, /evil/)
  assert.match(text, /^Peace be upon you\.$/m)
})

test('a refused decision sends no mail', async () => {
  const owner = await makeUser(database(), { hashed: false })
  const appId = await makePendingApp(database(), { ownerId: owner.id })
  await assert.rejects(suspendApp(database(), { appId, actor, reason: 'x', baseUrl }), { code: 'state_refused' })
  const row = await database().first(
    sql`select count(*)::int as count from minaret.outbox where recipient = ${owner.email}`,
  )
  assert.deepEqual(row, { count: 0 })
})
