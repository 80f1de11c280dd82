// What the console says to do next, for each app; what became of its credentials; and usage beside the period before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rejectApp } from '../../src/apps/decide.ts'
import { createUsage } from '../../src/apps/usage.ts'
import { commandActor as actor } from '../../src/audit/record-audit.ts'
import { createLogger } from '../../src/base/log.ts'
import { sql } from '../../src/db/sql.ts'
import { visitAs } from '../staff/use-staff.ts'
import { makeApp, makeKey, makePendingApp } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'
import { decodeHtml } from '../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const DAY_MS = 86_400_000

const countRequests = async (appId: string, at: number, outcomes: { answered: number; refused: number }) => {
  const clock = { now: () => new Date(at) }
  const usage = createUsage({ database: database(), clock, log: createLogger('silent') })
  for (const [outcome, count] of Object.entries(outcomes))
    for (let number = 0; number < count; number += 1)
      usage.record({
        appId,
        outcome: outcome as 'answered' | 'refused',
        milliseconds: 3,
        rows: 1,
        query: '{ up_masjids { nothing } }',
        ...(outcome === 'refused' ? { code: 'validation-failed', reason: 'validation-failed: x' } : {}),
      })
  await usage.close()
}

test('the console says for each app what to do next', async () => {
  const owner = await makePerson(database())
  const pending = await makePendingApp(database(), { ownerId: owner.id })
  const rejected = await makePendingApp(database(), { ownerId: owner.id })
  await rejectApp(database(), { appId: rejected, actor, reason: 'Say more.' })
  const { id: bare } = await makeApp(database(), { ownerId: owner.id, kind: 'confidential' })
  await database().run(sql`update minaret.app_secrets set revoked_at = now() where app_id = ${bare}`)
  const { id: unused } = await makeApp(database(), { ownerId: owner.id, kind: 'confidential' })
  await database().run(sql`
    update minaret.app_secrets set created_at = now() - interval '3 days' where app_id = ${unused}`)
  const { id: worse } = await makeApp(database(), { ownerId: owner.id })
  await countRequests(worse, Date.now() - 1.5 * DAY_MS, { answered: 20, refused: 0 })
  await countRequests(worse, Date.now(), { answered: 10, refused: 12 })
  const person = await visitAs(minaret(), owner)
  const list = decodeHtml((await person.get('/console')).text)
  const lineOf = (id: string): string => list.split('<li>').find(line => line.includes(`/console/apps/${id}"`)) ?? ''
  assert.match(lineOf(pending), /Next:.*Try it out with the development client/s)
  assert.match(lineOf(rejected), /Next:.*Fix what the reviewer pointed out/s)
  assert.match(lineOf(bare), /Next:.*Make a secret or a key/s)
  assert.match(lineOf(worse), new RegExp(`Next:.*/console/apps/${worse}/usage">Errors are rising`, 's'))
  const overview = decodeHtml((await person.get(`/console/apps/${unused}`)).text)
  assert.match(overview, /A secret was never used/)
  assert.match(overview, /aria-current="step">Get the first answer/)
})

test('usage is compared with the period before, and errors are listed by code with the query and the fix', async () => {
  const owner = await makePerson(database())
  const { id } = await makeApp(database(), { ownerId: owner.id })
  await countRequests(id, Date.now() - DAY_MS - 3_600_000, { answered: 4, refused: 0 })
  await countRequests(id, Date.now(), { answered: 3, refused: 3 })
  const person = await visitAs(minaret(), owner)
  const text = decodeHtml((await person.get(`/console/apps/${id}/usage?span=day`)).text)
  assert.match(text, /6 in all; Errors: 3; \+50% compared with the period before/)
  const [errors = ''] = /aria-label="Errors by code"[\s\S]*?<\/table>/.exec(text) ?? []
  assert.match(errors, /href="\/docs\/error-codes#validation-failed"/)
  assert.match(errors, /class="number"[^>]*>3</)
  assert.match(errors, /up_masjids { nothing }/)
  assert.match((await person.get('/docs/error-codes')).text, /<tr id="validation-failed">/)
})

test('the history of an app tells which secrets and keys were made and revoked, and by whom', async () => {
  const owner = await makePerson(database(), 'Khadija')
  const { id } = await makeApp(database(), { ownerId: owner.id, kind: 'confidential', scopes: ['masjid:read'] })
  await makeKey(database(), { appId: id })
  const person = await visitAs(minaret(), owner)
  const page = `/console/apps/${id}`
  const { text: credentials } = await person.get(`${page}/credentials`)
  const [, revoke = ''] = /href="([^"]*\/keys\/[^"]*\/revoke)"/.exec(decodeHtml(credentials)) ?? []
  assert.equal((await person.submit(revoke, revoke, {})).status, 303)
  const history = decodeHtml((await person.get(`${page}/history`)).text)
  assert.match(history, /Key made<\/strong> <bdi>test<\/bdi> <span class="soft">by an operator/)
  assert.match(history, /Key revoked<\/strong> <bdi>test<\/bdi> <span class="soft">by <bdi>Khadija/)
  assert.match(history, /Secret made/)
  assert.doesNotMatch(history, /mk_live_\w{20}|ms_\w{20}/)
})
