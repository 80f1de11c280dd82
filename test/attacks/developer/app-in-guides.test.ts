// A developer wants the guides, which fill in the reader's own app, to name somebody else's, or to carry markup from an app's address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitAs } from '../../staff/use-staff.ts'
import { makeApp, makeUser } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'

const minaret = useMinaret()

const GUIDE = '/docs/authorization-code'

test('a guide fills in an app of the reader’s own team, never another one, and never a secret', async () => {
  const { database } = minaret().service
  const [reader, stranger] = [await makeUser(database), await makeUser(database)]
  const redirectUris = ['https://own.example.org/back?a=1&copy=2']
  const own = await makeApp(database, { ownerId: reader.id, kind: 'confidential', redirectUris })
  const second = await makeApp(database, { ownerId: reader.id, name: '<b>Second</b>' })
  const foreign = await makeApp(database, { ownerId: stranger.id })
  const person = await visitAs(minaret(), reader)
  for (const path of [GUIDE, `${GUIDE}?app=${own.id}`, `${GUIDE}?app=${foreign.id}`, `${GUIDE}?app=%27%3B--`]) {
    const { status, text } = await person.get(path)
    assert.equal(status, 200, path)
    assert.doesNotMatch(text, /YOUR_CLIENT_ID|<b>Second/, path)
    for (const hidden of [foreign.clientId, own.clientSecret])
      assert.ok(!text.includes(String(hidden)), `${path} shows ${hidden}`)
  }
  const { text } = await person.get(`${GUIDE}?app=${own.id}`)
  assert.ok(text.includes(own.clientId))
  assert.match(text, /own\.example\.org/)
  assert.doesNotMatch(text, /own\.example\.org[^<\s]*&copy/)
  assert.ok((await person.get(`${GUIDE}?app=${second.id}`)).text.includes(second.clientId))
  const anonymous = await fetch(`${minaret().baseUrl}${GUIDE}?app=${own.id}`)
  assert.match(await anonymous.text(), /YOUR_CLIENT_ID/)
})
