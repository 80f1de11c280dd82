// A developer suspends the app first, so that the reviewer's suspension fails, and starts it again later.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findApp } from '../../../src/apps/app.ts'
import { listMoves } from '../../../src/apps/history.ts'
import { reinstateApp, suspendApp } from '../../../src/apps/stop.ts'
import type { Actor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { makeApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const acting = ({ id }: { readonly id: string }): Actor => ({ kind: 'user', userId: id, address: undefined })

const make = async () => {
  const owner = await makeUser(database())
  const reviewer = await makeUser(database(), { isReviewer: true })
  const { id: appId } = await makeApp(database(), { ownerId: owner.id })
  return { owner, reviewer, appId }
}

test('a reviewer takes the suspension over on the page, and the owner cannot start the app again', async () => {
  const { owner, reviewer, appId } = await make()
  const [developer, desk] = [createPerson(minaret().baseUrl), createPerson(minaret().baseUrl)]
  await developer.signIn(owner.email, PASSWORD)
  await developer.submit(`/console/apps/${appId}/suspend`, `/console/apps/${appId}/suspend`, {})
  await desk.signIn(reviewer.email, PASSWORD)
  assert.match((await desk.get(`/review/apps/${appId}`)).text, /Take the suspension over/)
  const path = `/review/apps/${appId}/suspend`
  assert.equal((await desk.submit(path, path, { reason: 'Sells addresses.' })).status, 303)
  const settings = await developer.get(`/console/apps/${appId}/settings`)
  assert.doesNotMatch(settings.text, /reinstate"/)
  await assert.rejects(reinstateApp(database(), { appId, actor: acting(owner) }), { code: 'own_app' })
  const app = await findApp(database(), appId)
  assert.deepEqual([app?.state, app?.movedBy, app?.reviewerWords], ['suspended', reviewer.id, 'Sells addresses.'])
  const moves = (await listMoves(database(), appId)).map(({ fromState, toState }) => `${fromState} ${toState}`)
  assert.deepEqual(moves.slice(-2), ['approved suspended', 'suspended suspended'])
  await reinstateApp(database(), { appId, actor: acting(reviewer) })
  assert.equal((await findApp(database(), appId))?.state, 'approved')
})

test('owners still stop and start their own app; a second reviewer does not take over from the first', async () => {
  const { owner, reviewer, appId } = await make()
  await suspendApp(database(), { appId, actor: acting(owner), reason: 'Moving.' })
  await reinstateApp(database(), { appId, actor: acting(owner) })
  await suspendApp(database(), { appId, actor: acting(reviewer), reason: 'Leaked.' })
  await assert.rejects(suspendApp(database(), { appId, actor: acting(owner), reason: 'Mine.' }), {
    code: 'state_refused',
  })
  const second = await makeUser(database(), { hashed: false, isReviewer: true })
  await assert.rejects(suspendApp(database(), { appId, actor: acting(second), reason: 'Too.' }), {
    code: 'state_refused',
  })
  const claim = sql`update minaret.apps set moved_by = owner_id where id = ${appId}`
  await assert.rejects(database().run(claim), { code: 'MN005' }, 'not even by writing the owner too')
})

test('owner and reviewer suspend concurrently, or start and take over concurrently: the reviewer wins', async () => {
  const { owner, reviewer } = await make()
  for (let round = 0; round < 10; round += 1) {
    const { id: appId } = await makeApp(database(), { ownerId: owner.id })
    const byReviewer = () => suspendApp(database(), { appId, actor: acting(reviewer), reason: 'Leaked.' })
    if (round % 2 === 1) await suspendApp(database(), { appId, actor: acting(owner), reason: 'Mine.' })
    const byOwner =
      round % 2 === 0
        ? suspendApp(database(), { appId, actor: acting(owner), reason: 'Mine.' })
        : reinstateApp(database(), { appId, actor: acting(owner) })
    const [, taken] = await Promise.allSettled([byOwner, byReviewer()])
    assert.equal(taken.status, 'fulfilled')
    const app = await findApp(database(), appId)
    assert.deepEqual([app?.state, app?.movedBy], ['suspended', reviewer.id])
    await assert.rejects(reinstateApp(database(), { appId, actor: acting(owner) }), { code: 'own_app' })
  }
})
