// A flood of sign-ins from everywhere: each costs a password hash, so only so many may wait for one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf } from '../../support/person.ts'

const minaret = useMinaret()

test('beyond a hundred waiting sign-ins 503 with Retry-After; those that wait are served, and then everybody again', async () => {
  const { email } = await makeUser(minaret().service.database)
  const someone = createPerson(minaret().baseUrl)
  const fields = { ...hiddenFieldsOf((await someone.get('/sign-in')).text, '/sign-in'), email, password: 'wrong' }
  const answers = await Promise.all(Array.from({ length: 180 }, () => someone.post('/sign-in', fields)))
  const refused = answers.filter(({ status }) => status === 503)
  const served = answers.filter(({ status }) => status === 422)
  assert.equal(refused.length + served.length, 180)
  assert.ok(refused.length > 0, 'somebody is refused')
  assert.ok(served.length >= 100, `${served.length} are served`)
  for (const { headers, text } of refused) {
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.match(text, /Too many people at once/)
  }
  assert.equal((await someone.post('/sign-in', { ...fields, password: PASSWORD })).status, 303)
})
