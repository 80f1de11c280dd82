// A client behind a proxy writes X-Forwarded-For itself, or has a whole IPv6 network to try from: limits still count it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { REQUESTS_PER_MINUTE } from '../../../src/sandbox/request-limit.ts'
import { makeUser } from '../../support/apps.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf } from '../../support/person.ts'

let minaret: TestMinaret
before(async () => {
  minaret = await startTestMinaret({ RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
})
after(() => minaret.stop())

/** How many of `count` sign-ins with a wrong password are checked; the header is as the proxy passes it on. */
const tries = async (count: number, forwarded: (attempt: number) => string): Promise<number> => {
  const { email } = await makeUser(minaret.service.database, { hashed: false })
  const someone = createPerson(minaret.baseUrl)
  const fields = { ...hiddenFieldsOf((await someone.get('/sign-in')).text, '/sign-in'), email, password: 'wrong' }
  let seen = 0
  for (let attempt = 0; attempt < count; attempt += 1) {
    const answer = await someone.post('/sign-in', fields, { 'x-forwarded-for': forwarded(attempt) })
    if (answer.status === 422) seen += 1
    else assert.equal(answer.status, 429)
  }
  return seen
}

test('a made-up address at the left of X-Forwarded-For gives no more attempts', async () => {
  assert.equal(await tries(40, attempt => `203.0.113.${attempt}, 198.51.100.1`), 10)
})

test('the addresses of one /64 share their attempts', async () => {
  assert.equal(await tries(15, attempt => `2001:db8:1:2:${attempt.toString(16)}::${attempt}`), 10)
})

test('an IPv4 address and its IPv6 spellings share their attempts', async () => {
  const ways = ['198.51.100.2', '::ffff:198.51.100.2', '[::FFFF:c633:6402]:443', '198.51.100.2:80']
  assert.equal(await tries(15, attempt => ways[attempt % ways.length] ?? ''), 10)
})

test('clients behind one proxy are counted separately', async () => {
  assert.equal(await tries(15, attempt => `198.51.100.${100 + attempt}`), 15)
})

test('the sandbox counts in the same way, for cached responses too', async () => {
  const ask = async (forwarded: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwarded }
    const body = '{"query":"{ __typename }"}'
    const response = await fetch(`${minaret.sandboxUrl}/v1/graphql`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  }
  for (let start = 0; start < REQUESTS_PER_MINUTE; start += 50) {
    const some = Array.from({ length: 50 }, (_, index) =>
      ask(`203.0.113.9, 2001:db8:5:5::${(start + index).toString(16)}`),
    )
    await Promise.all(some)
  }
  assert.equal(await ask('2001:db8:5:5:ffff::1'), 429)
  assert.equal(await ask('2001:db8:5:6::1'), 200)
})

test('X-Forwarded-Host and -Proto change nothing: no link, issuer or redirect follows them', async () => {
  const headers = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http', 'x-forwarded-for': '198.51.100.9' }
  const paths = ['/', '/sign-in', '/.well-known/openid-configuration', '/account']
  for (const path of paths) {
    const response = await fetch(`${minaret.baseUrl}${path}`, { headers, redirect: 'manual' })
    assert.doesNotMatch(`${await response.text()} ${[...response.headers].join(' ')}`, /evil\.test/, path)
  }
  const { email } = await makeUser(minaret.service.database, { hashed: false })
  const someone = createPerson(minaret.baseUrl, headers)
  await someone.submit('/forgot-password', '/forgot-password', { email })
  const mail = await minaret.service.database.first<{ text: string }>(
    sql`select text from minaret.outbox where recipient = ${email}`,
  )
  assert.ok(mail?.text.includes(`${minaret.baseUrl}/reset-password`))
})
