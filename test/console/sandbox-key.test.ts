// Before an app is reviewed, its developer creates a test key and runs a first query in the sandbox.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSession } from '../../src/accounts/sessions.ts'
import { makePendingApp, makeUser } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { createPerson, decodeHtml, hiddenFieldsOf } from '../support/person.ts'

const minaret = useMinaret()

test('a test key opens the sandbox, and the console runs the query', async () => {
  const { database } = minaret().service
  const owner = await makeUser(database, { hashed: false })
  const id = await makePendingApp(database, { ownerId: owner.id })
  const person = createPerson(minaret().baseUrl)
  const visit = { address: undefined, userAgent: undefined }
  person.cookies.set('minaret_session', await startSession(database, owner.id, visit))
  const page = `/console/apps/${id}`
  const shown = await person.submit(`${page}/credentials`, `${page}/test-key`, {})
  const hidden = hiddenFieldsOf(shown.text, `${page}/start`)
  assert.match(String(hidden.key), /^mk_test_/)
  const answer = await person.post(`${page}/start`, hidden)
  assert.equal(answer.status, 200)
  assert.match(answer.text, /Answered with status/)
  assert.match(decodeHtml(answer.text), /"up_masjids"/)
})

test('a string that is not one of our keys is refused before it is sent anywhere', async () => {
  const { database } = minaret().service
  const owner = await makeUser(database, { hashed: false })
  const id = await makePendingApp(database, { ownerId: owner.id })
  const person = createPerson(minaret().baseUrl)
  const visit = { address: undefined, userAgent: undefined }
  person.cookies.set('minaret_session', await startSession(database, owner.id, visit))
  const page = `/console/apps/${id}/start`
  for (const key of ['', 'nonsense', 'mk_live_0000']) {
    const answer = await person.submit(page, page, { key })
    assert.equal(answer.status, 422, key)
    assert.doesNotMatch(answer.text, /value="nonsense"/, 'the pasted value is not echoed')
  }
})
