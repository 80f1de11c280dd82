// Somebody without the rights who looks for apps that describe themselves, and what reviewers see of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeDescribed } from '../../../src/oauth/self-described/store-described.ts'
import { visitAs } from '../../staff/use-staff.ts'
import { makeUser } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const PATH = '/console/self-described'

test('apps that describe themselves are listed to reviewers, and to nobody else', async () => {
  const at = { host: 'notes.example.org', address: 'https://notes.example.org/client.json' }
  const app = { name: '<b>Notes</b>', redirectUris: ['https://notes.example.org/cb'], freshSeconds: 60 }
  await storeDescribed(database(), at, app)
  const person = await visitAs(minaret(), await makeUser(database(), { hashed: false }))
  assert.equal((await person.get(PATH)).status, 403)
  assert.doesNotMatch((await person.get('/console')).text, /self-described/)
  assert.equal((await createPerson(minaret().baseUrl).get(PATH)).location, '/sign-in')
  const reviewer = await visitAs(minaret(), await makeUser(database(), { hashed: false, isReviewer: true }))
  assert.match((await reviewer.get('/console')).text, /href="\/console\/self-described"/)
  const { text } = await reviewer.get(PATH)
  assert.match(text, /&#60;b&#62;Notes/)
  assert.match(text, /https:&#47;&#47;notes|https:\/\/notes\.example\.org\/client\.json/)
})
