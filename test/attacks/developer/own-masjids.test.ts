// A developer wants an app that writes at every masjid, without a reviewer who said so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSession } from '../../../src/accounts/sessions.ts'
import { findApp } from '../../../src/apps/app.ts'
import { requestChange } from '../../../src/apps/changes.ts'
import { checkRegistration } from '../../../src/apps/check-registration.ts'
import { approveChange } from '../../../src/apps/decide-change.ts'
import { changeMasjids } from '../../../src/apps/masjids.ts'
import { type Actor, commandActor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { makeApp, makeKey, makePendingApp, makeUser, REDIRECT_URI } from '../../support/apps.ts'
import { insertMasjid } from '../../support/masjids.ts'
import { useMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'
import { createPerson, type Person } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const acting = (userId: string): Actor => ({ kind: 'user', userId, address: undefined })
const everything = { only: '*', own: '*' } as const
const nothingOwn = { only: '*', own: [] } as const

const ownsAll = async (id: string): Promise<boolean | undefined> => (await findApp(database(), id))?.ownAllMasjids

const signedIn = async (userId: string): Promise<Person> => {
  const person = createPerson(minaret().baseUrl)
  const session = await startSession(database(), userId, { address: undefined, userAgent: undefined })
  person.cookies.set('minaret_session', session)
  return person
}

test('fields of the review desk do nothing in the developer’s own forms', async () => {
  const { id: ownerId } = await makeUser(database(), { hashed: false })
  const person = await signedIn(ownerId)
  const smuggled = { own_reach: 'all', own_all_masjids: 'true', masjids_by: ownerId, reach: 'all' }
  const form = { name: 'Sly app', description: 'Nothing.', kind: 'confidential', scopes: 'events:write', ...smuggled }
  await person.submit('/console/apps/new', '/console/apps', form)
  const app = await database().first<{ id: string }>(
    sql`select id from minaret.apps where owner_id = ${ownerId} and development_of is null`,
  )
  const id = String(app?.id)
  await person.submit(`/console/apps/${id}/edit`, `/console/apps/${id}/edit`, form)
  assert.equal(await ownsAll(id), false)
  const { text } = await person.get('/console')
  const [, token = ''] = /name="anti_forgery"[^>]*value="([^"]+)"/.exec(text) ?? []
  const posted = await person.post(`/review/apps/${id}/masjids`, { anti_forgery: token, ...smuggled, action: 'save' })
  assert.ok([403, 404].includes(posted.status), String(posted.status))
  assert.equal(await ownsAll(id), false)
})

test('the database refuses it to the owner, to people without the right, and before the approval', async () => {
  const owner = await makeUser(database(), { hashed: false, isReviewer: true })
  const nobody = await makeUser(database(), { hashed: false })
  const { id: appId } = await makeApp(database(), { ownerId: owner.id })
  for (const [userId, code] of [
    [owner.id, 'own_app'],
    [nobody.id, 'forbidden'],
  ] as const)
    for (const choice of [everything, nothingOwn])
      await assert.rejects(changeMasjids(database(), { appId, actor: acting(userId), choice }), { code, status: 403 })
  const bySql = sql`update minaret.apps set own_all_masjids = true, masjids_by = ${owner.id} where id = ${appId}`
  await assert.rejects(database().run(bySql), { code: 'MN005' })
  const pending = await makePendingApp(database())
  const early = sql`update minaret.apps set own_all_masjids = true where id = ${pending}`
  await assert.rejects(database().run(early), { code: '23514', constraint: 'apps_own_all_masjids' })
  await assert.rejects(changeMasjids(database(), { appId: pending, actor: commandActor, choice: everything }), {
    code: 'state_refused',
  })
  const narrow = sql`update minaret.apps set own_all_masjids = true, all_masjids = false where id = ${appId}`
  await assert.rejects(database().run(narrow), { code: '23514', constraint: 'apps_own_all_masjids' })
  assert.deepEqual([await ownsAll(appId), await ownsAll(pending)], [false, false])
})

test('a change request widens nothing silently: neither masjids nor new write scopes come with the approval', async () => {
  const owner = await makeUser(database(), { hashed: false })
  const reviewer = await makeUser(database(), { hashed: false, isReviewer: true })
  const masjids = { only: '*', own: [await insertMasjid(database())] } as const
  const { id: appId } = await makeApp(database(), { ownerId: owner.id, scopes: ['events:read'], masjids })
  const checked = checkRegistration(
    {
      name: 'Another name',
      description: 'Now with more.',
      kind: 'public',
      redirectUris: [REDIRECT_URI],
      scopes: ['masjid:read', 'events:read', 'events:write'],
    },
    'development',
  )
  assert.equal(checked.kind, 'checked')
  const { registration } = checked as Extract<typeof checked, { kind: 'checked' }>
  const smuggled = { ...registration, ownAllMasjids: true, own_all_masjids: true }
  const ask = { appId, actor: acting(owner.id), registration: smuggled, reason: 'More.' }
  const changeId = await requestChange(database(), ask)
  const desk = await signedIn(reviewer.id)
  const { text } = await desk.get(`/review/changes/${changeId}`)
  assert.match(text, /This app would change data.*events:write.*By itself it would write at <bdi>Larkspur Lane Masjid/s)
  assert.match(text, /value="masjid:read" checked/)
  assert.doesNotMatch(text, /value="events:write" checked/)
  await approveChange(database(), { changeId, actor: acting(reviewer.id) })
  const app = await findApp(database(), appId)
  assert.deepEqual(app?.scopes, ['masjid:read', 'events:read'])
  assert.equal(app?.ownAllMasjids, false)
  const rows = await database().query(sql`
    select masjid_id from minaret.app_masjids where app_id = ${appId} and is_own`)
  assert.deepEqual(rows, [{ masjid_id: masjids.own[0] }])
})

test('an app that loses its masjids loses them within a second, while it is reading', async () => {
  const masjidId = await insertMasjid(database())
  await database().run(sql`
    insert into public.ua_members (masjid_id, given_name, family_name) values (${masjidId}, 'Unshared', 'Person')`)
  const { id: appId } = await makeApp(database(), { scopes: ['members:read'], masjids: everything })
  const { key } = await makeKey(database(), { appId, scopes: ['members:read'] })
  const seen = async (): Promise<number> => {
    const response = await fetch(`${minaret().baseUrl}/v1/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ ua_members { id } }' }),
    })
    return ((await response.json()) as { data: { ua_members: unknown[] } }).data.ua_members.length
  }
  assert.equal(await seen(), 1)
  await changeMasjids(database(), { appId, actor: commandActor, choice: nothingOwn })
  await within(1000, 'nobody is seen', async () => (await seen()) === 0)
  await changeMasjids(database(), { appId, actor: commandActor, choice: { only: '*', own: [masjidId] } })
  await within(1000, 'its own people are seen again', async () => (await seen()) === 1)
})
