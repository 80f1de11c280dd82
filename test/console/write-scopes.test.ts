// Scopes for changing data in the console: asked for with or without reading, and never slipped into a key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSession } from '../../src/accounts/sessions.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeUser } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { createPerson, type Person } from '../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const developer = async (language = 'en'): Promise<{ person: Person; ownerId: string }> => {
  const { id } = await makeUser(database(), { hashed: false })
  const person = createPerson(minaret().baseUrl)
  const session = await startSession(database(), id, { address: undefined, userAgent: undefined })
  person.cookies.set('minaret_session', session)
  person.cookies.set('minaret_language', language)
  return { person, ownerId: id }
}

const registered = async (ownerId: string): Promise<string[]> =>
  (
    await database().first<{ scopes: string[] }>(sql`
    select requested_scopes as scopes from minaret.apps where owner_id = ${ownerId}`)
  )?.scopes ?? []

const form = { name: 'Notice board', description: 'Announces events.', kind: 'confidential', scopes: 'events:write' }

test('whoever asks for a write scope is offered the read scope beside it, and may decline', async () => {
  const paired = await developer()
  const { text } = await paired.person.get('/console/apps/new')
  assert.match(text, /name="read_what_it_changes"[^>]*value="yes" checked/)
  assert.match(text, /Changing does not include reading/)
  assert.match(text, /Usually together with events:read/)
  await paired.person.submit('/console/apps/new', '/console/apps', { ...form, read_what_it_changes: 'yes' })
  assert.deepEqual(await registered(paired.ownerId), ['events:read', 'events:write'])
  const alone = await developer()
  await alone.person.submit('/console/apps/new', '/console/apps', form)
  assert.deepEqual(await registered(alone.ownerId), ['events:write'])
})

test('who has declined reading is not asked again when editing', async () => {
  const { person, ownerId } = await developer()
  const { id } = await makeApp(database(), { ownerId, scopes: ['events:write'] })
  assert.doesNotMatch((await person.get(`/console/apps/${id}/edit`)).text, /value="yes" checked/)
})

test('the key form shows write scopes plainly and ticks none of them, in both languages', async () => {
  for (const [language, words] of [
    ['en', 'changes data'],
    ['ar', 'يغيّر البيانات'],
  ] as const) {
    const { person, ownerId } = await developer(language)
    const { id } = await makeApp(database(), { ownerId, scopes: ['events:read', 'events:write'] })
    const page = `/console/apps/${id}/credentials`
    const { text } = await person.get(page)
    assert.match(text, /value="events:read" checked/)
    assert.match(text, new RegExp(`value="events:write" aria[^]*?events:write <span class="badge bad">${words}`))
    await person.submit(page, `/console/apps/${id}/keys`, { key_scopes: 'events:write' })
    assert.match((await person.get(page)).text, new RegExp(`events:write</span> <span class="badge bad">${words}`))
  }
})
