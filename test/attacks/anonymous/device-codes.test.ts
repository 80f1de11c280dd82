// Attacks on the device flow: guessing codes, approving what somebody else asked for, replaying, stealing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinSql, rawSql, sql } from '../../../src/db/sql.ts'
import { createGuessLimit } from '../../../src/oauth/device/limit-guesses.ts'
import { newUserCode } from '../../../src/oauth/device/user-code.ts'
import { decideDevice, personWith, pollDevice, pollError, startDevice, typeCode } from '../../support/device.ts'
import { TEST_SECRET, useMinaret } from '../../support/minaret.ts'
import { makeClient, makePerson, readTokens, refresh, signIn, type TestApp, within } from '../../support/oauth.ts'

let tv: TestApp
let other: TestApp
const minaret = useMinaret({ RATE_LIMITS: 'on' }, async ({ service: { database } }) => {
  tv = await makeClient(database, { deviceFlow: 'on' })
  other = await makeClient(database, { deviceFlow: 'on' })
})

const newPerson = async () => {
  const { database } = minaret().service
  return personWith(minaret(), await signIn(database, await makePerson(database)))
}

const forgetCounts = () => minaret().service.database.run(sql`delete from minaret.counts`)

/** Two limits over one database count as two processes do: neither knows anything by itself. */
test('guessing codes: an account has 20 tries in ten minutes, in all processes together', async () => {
  await forgetCounts()
  const { database } = minaret().service
  const limits = [createGuessLimit(database, TEST_SECRET), createGuessLimit(database, TEST_SECRET)]
  const guesses = limits.flatMap(limit =>
    Array.from({ length: 20 }, () => limit.take({ userId: 'one', address: '192.0.2.1' })),
  )
  const outcomes = await Promise.allSettled(guesses)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 20)
  for (const outcome of outcomes.filter(({ status }) => status === 'rejected'))
    assert.equal((outcome as PromiseRejectedResult).reason.code, 'too_many_requests')
})

test('a blocked guesser does not even learn that a code is right; another person still connects the device', async () => {
  await forgetCounts()
  const guesser = await newPerson()
  for (let count = 0; count < 20; count += 1) await typeCode(guesser, newUserCode())
  const codes = await startDevice(minaret(), tv)
  const refused = await typeCode(guesser, codes.user_code)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.match((await decideDevice(await newPerson(), codes.user_code)).text, /is connected/)
})

test('guessing with many accounts: one network has 60 tries', async () => {
  await forgetCounts()
  const statuses: number[] = []
  for (let account = 0; account < 4; account += 1) {
    const guesser = await newPerson()
    for (let count = 0; count < 17; count += 1) statuses.push((await typeCode(guesser, newUserCode())).status)
  }
  assert.equal(statuses.filter(status => status === 422).length, 60)
})

test('guessing from everywhere: all together have 1000 wrong tries, and right codes do not count', async () => {
  await forgetCounts()
  const limit = createGuessLimit(minaret().service.database, TEST_SECRET)
  const guess = (index: number) => limit.take({ userId: String(index), address: `10.0.${index >> 8}.${index & 255}` })
  for (let hundred = 0; hundred < 10; hundred += 1)
    await Promise.all(Array.from({ length: 100 }, (_, index) => guess(hundred * 100 + index)))
  await assert.rejects(guess(1000), { code: 'too_many_requests' })
  const codes = await startDevice(minaret(), tv)
  assert.equal((await typeCode(await newPerson(), codes.user_code)).status, 429)
  for (let given = 0; given < 3; given += 1) await limit.giveBack()
  assert.equal((await typeCode(await newPerson(), codes.user_code)).status, 303)
})

test('a code of another browser: whoever did not type it can neither see nor decide the request', async () => {
  await forgetCounts()
  const codes = await startDevice(minaret(), tv)
  const [owner, thief] = [await newPerson(), await newPerson()]
  const asked = await typeCode(owner, codes.user_code)
  assert.equal((await thief.get(asked.location ?? '')).status, 400)
  const own = await startDevice(minaret(), tv)
  const theirs = await typeCode(thief, own.user_code)
  const id = new URL(asked.location ?? '', minaret().baseUrl).searchParams.get('request') ?? ''
  const stolen = await thief.submit(theirs.location ?? '', '/device/decide', { decision: 'allow', request: id })
  assert.equal(stolen.status, 400)
  assert.equal(await pollError(minaret(), tv, codes.device_code), 'authorization_pending')
})

test('allowing without the anti-forgery token, or from another site, is refused', async () => {
  await forgetCounts()
  const codes = await startDevice(minaret(), tv)
  const victim = await newPerson()
  const asked = await typeCode(victim, codes.user_code)
  const request = new URL(asked.location ?? '', minaret().baseUrl).searchParams.get('request') ?? ''
  assert.equal((await victim.post('/device/decide', { request, decision: 'allow' })).status, 403)
  assert.equal((await victim.post('/device', { user_code: codes.user_code })).status, 403)
  assert.equal(await pollError(minaret(), tv, codes.device_code), 'authorization_pending')
})

test('a device code of another app is unknown to this one, and stays usable for its own', async () => {
  await forgetCounts()
  const codes = await startDevice(minaret(), tv)
  await decideDevice(await newPerson(), codes.user_code)
  assert.equal(await pollError(minaret(), other, codes.device_code), 'invalid_grant')
  assert.equal((await pollDevice(minaret(), tv, codes.device_code)).status, 200)
})

test('a device code that is used again later ends the tokens that came of it', async () => {
  await forgetCounts()
  const { database } = minaret().service
  const codes = await startDevice(minaret(), tv)
  await decideDevice(await newPerson(), codes.user_code)
  const tokens = await readTokens(await pollDevice(minaret(), tv, codes.device_code))
  assert.equal(await pollError(minaret(), tv, codes.device_code), 'invalid_grant')
  assert.equal((await refresh(minaret(), tv, tokens.refresh_token)).status, 200, 'a repeat at once is no theft')
  await database.run(sql`
    update minaret.device_codes set used_at = used_at - interval '1 minute' where user_code = ${codes.user_code.replace('-', '')}`)
  assert.equal(await pollError(minaret(), tv, codes.device_code), 'invalid_grant')
  await within(2000, 'the access token ends', async () => {
    const response = await fetch(`${minaret().baseUrl}/api/oauth/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    return response.status === 401
  })
})

test('allowed, and the person disabled before the device asks: no tokens', async () => {
  await forgetCounts()
  const { database } = minaret().service
  const user = await makePerson(database)
  const codes = await startDevice(minaret(), tv)
  await decideDevice(personWith(minaret(), await signIn(database, user)), codes.user_code)
  await database.run(sql`update minaret.users set disabled_at = now() where id = ${user.id}`)
  assert.equal(await pollError(minaret(), tv, codes.device_code), 'invalid_grant')
})

const asOwner: Readonly<Record<string, string>> = {
  'approve without a grant': `update minaret.device_codes set state = 'approved', decided_at = now() where user_code = $1`,
  'use before it is approved': `update minaret.device_codes set state = 'used', used_at = now(), decided_at = now() where user_code = $1`,
  'ask for more': `update minaret.device_codes set scopes = scopes || '{donations:read}' where user_code = $1`,
  'live longer': `update minaret.device_codes set expires_at = expires_at + interval '1 hour' where user_code = $1`,
  'belong to another app': `update minaret.device_codes set app_id = (select id from minaret.apps where id <> app_id limit 1) where user_code = $1`,
}

for (const [what, statement] of Object.entries(asOwner))
  test(`the database refuses a code that would ${what}`, async () => {
    await forgetCounts()
    const { user_code } = await startDevice(minaret(), tv)
    const [before = '', after = ''] = statement.split('$1')
    const run = minaret().service.database.run(
      joinSql([rawSql(before), sql`${user_code.replace('-', '')}`, rawSql(after)], ''),
    )
    await assert.rejects(run)
  })

test('the database refuses a grant of another app, and a decision that is taken back', async () => {
  await forgetCounts()
  const { database } = minaret().service
  const first = await startDevice(minaret(), tv)
  await decideDevice(await newPerson(), first.user_code)
  const second = await startDevice(minaret(), other)
  const code = (codes: { user_code: string }) => codes.user_code.replace('-', '')
  await assert.rejects(
    database.run(sql`
      update minaret.device_codes set state = 'approved', decided_at = now(),
        grant_id = (select grant_id from minaret.device_codes where user_code = ${code(first)})
      where user_code = ${code(second)}`),
    /not the one that was asked for/,
  )
  await assert.rejects(
    database.run(
      sql`update minaret.device_codes set state = 'denied', grant_id = null where user_code = ${code(first)}`,
    ),
    /cannot move/,
  )
})
