// A flood of sign-ins: each costs a password hash, so queues are limited, and addresses take turns.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf } from '../../support/person.ts'

/** A hundred hashes take as long as the machine needs. */
const minaret = useMinaret({ REQUEST_DEADLINE_MS: '300000', TRUST_PROXY: 'on' })

/** Of a password's turn. */
const LONGEST_WAIT_MS = 45_000

test('more than a hundred queued sign-ins of one address get 429 with Retry-After; the queued ones are served, another address meanwhile, and then everyone again', async () => {
  const { email } = await makeUser(minaret().service.database)
  const someone = createPerson(minaret().baseUrl)
  const fields = { ...hiddenFieldsOf((await someone.get('/sign-in')).text, '/sign-in'), email, password: 'wrong' }
  const signIn = async () => {
    const sent = performance.now()
    const { status, headers, text } = await someone.post('/sign-in', fields)
    return { status, headers, text, waited: performance.now() - sent }
  }
  const flood = Promise.all(Array.from({ length: 180 }, signIn))
  let isOver = false
  void flood.then(() => (isOver = true))
  const elsewhere = createPerson(minaret().baseUrl, { 'x-forwarded-for': '192.0.2.9' })
  assert.equal((await elsewhere.signIn(email, PASSWORD)).status, 303)
  assert.equal(isOver, false, 'the other address was served in between')
  const answers = await flood
  const refused = answers.filter(({ status }) => status === 429)
  const served = answers.filter(({ status }) => status === 422)
  assert.equal(refused.length + served.length, 180)
  assert.ok(refused.length > 0, 'some are refused')
  // On a slow machine, some wait in the queue for as long as anybody may, and are refused then.
  const atOnce = refused.filter(({ waited }) => waited < LONGEST_WAIT_MS)
  assert.ok(atOnce.length <= 80, `${served.length} are served, ${atOnce.length} are refused at once`)
  for (const { headers, text } of refused) {
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.match(text, /Too many people at once/)
  }
  assert.equal((await someone.post('/sign-in', { ...fields, password: PASSWORD })).status, 303)
})
