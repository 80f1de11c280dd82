// A reviewer or administrator tries to decide about their own app.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setDisabled, setRight } from '../../../src/accounts/administer.ts'
import type { User } from '../../../src/accounts/users.ts'
import { findApp } from '../../../src/apps/app.ts'
import { requestChange } from '../../../src/apps/changes.ts'
import { checkRegistration } from '../../../src/apps/check-registration.ts'
import { approveApp, rejectApp } from '../../../src/apps/decide.ts'
import { approveChange, rejectChange } from '../../../src/apps/decide-change.ts'
import { reinstateApp, suspendApp } from '../../../src/apps/stop.ts'
import { type Actor, commandActor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { makeApp, makePendingApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const acting = ({ id }: Pick<User, 'id'>): Actor => ({ kind: 'user', userId: id, address: undefined })
const stateOf = async (id: string) => (await findApp(database(), id))?.state

const makeReviewer = (hashed = false) => makeUser(database(), { hashed, isReviewer: true })

const changeOf = async (appId: string, owner: User): Promise<string> => {
  const checked = checkRegistration(
    {
      name: 'Another name',
      description: 'An app made by a test.',
      kind: 'public',
      redirectUris: ['https://app.example.org/callback'],
      scopes: ['masjid:read'],
    },
    'development',
  )
  assert.equal(checked.kind, 'checked')
  const { registration } = checked as Extract<typeof checked, { kind: 'checked' }>
  return requestChange(database(), { appId, actor: acting(owner), registration, reason: 'New name.' })
}

test('approving, rejecting, deciding about a change: refused by the database for one’s own app, reviewer or administrator', async () => {
  for (const rights of [{ isReviewer: true }, { isAdmin: true }]) {
    const owner = await makeUser(database(), { hashed: false, ...rights })
    const actor = acting(owner)
    const pending = await makePendingApp(database(), { ownerId: owner.id })
    await assert.rejects(approveApp(database(), { appId: pending, actor }), { code: 'own_app', status: 403 })
    await assert.rejects(rejectApp(database(), { appId: pending, actor, reason: 'No.' }), { code: 'own_app' })
    const { id: appId } = await makeApp(database(), { ownerId: owner.id })
    const changeId = await changeOf(appId, owner)
    await assert.rejects(approveChange(database(), { changeId, actor }), { code: 'own_app' })
    await assert.rejects(rejectChange(database(), { changeId, actor, reason: 'No.' }), { code: 'own_app' })
    await suspendApp(database(), { appId, actor: commandActor, reason: 'Leaked.' })
    await assert.rejects(reinstateApp(database(), { appId, actor }), { code: 'own_app' })
    assert.deepEqual([await stateOf(pending), await stateOf(appId)], ['pending', 'suspended'])
  }
})

test('plain SQL that names the owner as the reviewer is refused as well', async () => {
  const owner = await makeReviewer()
  const appId = await makePendingApp(database(), { ownerId: owner.id })
  const update = sql`update minaret.apps set state = 'approved', client_id = 'app_by_hand', scopes = requested_scopes,
    moved_by = ${owner.id} where id = ${appId}`
  await assert.rejects(database().run(update), { code: 'MN005' })
})

test('someone without the right cannot decide, whatever page they come from', async () => {
  const nobody = await makeUser(database(), { hashed: false })
  const appId = await makePendingApp(database())
  await assert.rejects(approveApp(database(), { appId, actor: acting(nobody) }), { code: 'forbidden', status: 403 })
})

test('the page explains this, has no form, and refuses a form that is sent anyway', async () => {
  const owner = await makeReviewer(true)
  const appId = await makePendingApp(database(), { ownerId: owner.id })
  const other = await makePendingApp(database())
  const reviewer = createPerson(minaret().baseUrl)
  await reviewer.signIn(owner.email, PASSWORD)
  const { text } = await reviewer.get(`/review/apps/${appId}`)
  assert.match(text, /Another reviewer must decide about it/)
  assert.throws(() => hiddenFieldsOf(text, `/review/apps/${appId}/approve`), /no form/)
  const foreign = await reviewer.get(`/review/apps/${other}`)
  const hidden = hiddenFieldsOf(foreign.text, `/review/apps/${other}/approve`)
  const fields = { ...hidden, scopes: 'masjid:read', reach: 'all' }
  const refused = await reviewer.post(`/review/apps/${appId}/approve`, fields)
  assert.equal(refused.status, 403)
  assert.match(refused.text, /Another reviewer must decide about it/)
  assert.equal(await stateOf(appId), 'pending')
})

test('a reviewer is disabled or loses the right while deciding: the decision comes first, or not at all', async () => {
  const admin = await makeUser(database(), { hashed: false, isAdmin: true })
  for (let round = 0; round < 10; round += 1) {
    const reviewer = await makeReviewer()
    const appId = await makePendingApp(database())
    const about = { userId: reviewer.id, actor: acting(admin) }
    const stopping =
      round % 2 === 0
        ? setDisabled(database(), { ...about, disabled: true })
        : setRight(database(), { ...about, right: 'reviewer', given: false })
    const [decided] = await Promise.allSettled([approveApp(database(), { appId, actor: acting(reviewer) }), stopping])
    assert.equal(await stateOf(appId), decided.status === 'fulfilled' ? 'approved' : 'pending')
    const later = await makePendingApp(database())
    await assert.rejects(approveApp(database(), { appId: later, actor: acting(reviewer) }), { code: 'forbidden' })
  }
})
