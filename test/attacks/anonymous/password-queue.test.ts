// A flood of sign-ins from many addresses: each costs a password hash, so the queue is limited.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf } from '../../support/person.ts'

/** A hundred hashes take as long as the machine needs. */
const minaret = useMinaret({ REQUEST_DEADLINE_MS: '300000' })

test('more than a hundred queued sign-ins get 503 with Retry-After; the queued ones are served, and then everyone again', async () => {
  const { email } = await makeUser(minaret().service.database)
  const someone = createPerson(minaret().baseUrl)
  const fields = { ...hiddenFieldsOf((await someone.get('/sign-in')).text, '/sign-in'), email, password: 'wrong' }
  const answers = await Promise.all(Array.from({ length: 180 }, () => someone.post('/sign-in', fields)))
  const refused = answers.filter(({ status }) => status === 503)
  const served = answers.filter(({ status }) => status === 422)
  assert.equal(refused.length + served.length, 180)
  assert.ok(refused.length > 0, 'some are refused')
  assert.ok(served.length >= 100, `${served.length} are served`)
  for (const { headers, text } of refused) {
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.match(text, /Too many people at once/)
  }
  assert.equal((await someone.post('/sign-in', { ...fields, password: PASSWORD })).status, 303)
})
