// Attacks with screens: another masjid's, by somebody dismissed, and rights that a screen must never have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../../src/db/sql.ts'
import {
  connectScreen,
  type Keeper,
  makeKeeper,
  pairScreen,
  readState,
  SCREEN_SCOPE,
  screenApp,
} from '../../screens/pair-screen.ts'
import { askDevice, pollError, startDevice, typeCode } from '../../support/device.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makeClient, readTokens, refresh } from '../../support/oauth.ts'

let keeper: Keeper
let other: Keeper
const minaret = useMinaret({}, async running => {
  keeper = await makeKeeper(running)
  other = await makeKeeper(running)
})
const database = () => minaret().service.database

const withdraw = ({ masjid, user }: Keeper) =>
  database().run(sql`
    update public.ua_capabilities set withdrawn_at = now() where masjid_id = ${masjid.id} and user_id = ${user.id}`)

test('a screen cannot be connected to a masjid that somebody else looks after', async () => {
  const codes = await startDevice(minaret(), screenApp, SCREEN_SCOPE)
  const refused = await connectScreen(keeper.person, codes.user_code, { masjid: other.masjid.id, name: 'Theirs' })
  assert.equal(refused.status, 403)
  assert.equal(await pollError(minaret(), screenApp, codes.device_code), 'authorization_pending')
})

test('whoever is dismissed between typing the code and connecting connects nothing', async () => {
  const dismissed = await makeKeeper(minaret())
  const codes = await startDevice(minaret(), screenApp, SCREEN_SCOPE)
  const asked = await typeCode(dismissed.person, codes.user_code)
  const fields = { decision: 'allow', masjid: dismissed.masjid.id, name: 'Too late' }
  const { text } = await dismissed.person.get(asked.location ?? '')
  const proof = /name="anti_forgery" value="([^"]*)"/.exec(text)?.[1] ?? ''
  const request = new URL(asked.location ?? '', minaret().baseUrl).searchParams.get('request') ?? ''
  await withdraw(dismissed)
  const refused = await dismissed.person.post('/device/decide', {
    ...fields,
    anti_forgery: proof,
    request,
    screen: '1',
  })
  assert.equal(refused.status, 403)
  assert.equal(await pollError(minaret(), screenApp, codes.device_code), 'authorization_pending')
})

test('a screen outlives whoever connected it; the dismissed person can no longer change it', async () => {
  const leaving = await makeKeeper(minaret())
  const tokens = await pairScreen(minaret(), leaving)
  await withdraw(leaving)
  await database().run(sql`update public.ua_members set status = 'inactive' where user_id = ${leaving.user.id}`)
  assert.equal((await leaving.person.get(`/staff/${leaving.masjid.slug}/screens`)).status, 404)
  await database().run(sql`update minaret.users set disabled_at = now() where id = ${leaving.user.id}`)
  assert.equal((await readState(minaret(), tokens.access_token)).status, 200)
  assert.equal((await refresh(minaret(), screenApp, tokens.refresh_token)).status, 200)
})

test('another masjid’s screens are not found: not shown, changed or disconnected', async () => {
  const tokens = await pairScreen(minaret(), other, 'Out of reach')
  const row = await database().first<{ id: string }>(sql`select id from minaret.screens where name = 'Out of reach'`)
  const path = `/staff/${keeper.masjid.slug}/screens/${row?.id}`
  assert.equal((await keeper.person.get(path)).status, 404)
  assert.equal((await keeper.person.get(`/staff/${other.masjid.slug}/screens`)).status, 404)
  const own = await pairScreen(minaret(), keeper, 'Within reach')
  const mine = await database().first<{ id: string }>(sql`select id from minaret.screens where name = 'Within reach'`)
  const page = `/staff/${keeper.masjid.slug}/screens/${mine?.id}`
  const { text } = await keeper.person.get(page)
  const proof = /name="anti_forgery" value="([^"]*)"/.exec(text)?.[1] ?? ''
  for (const action of [path, `${path}/revoke`])
    assert.equal((await keeper.person.post(action, { anti_forgery: proof, name: 'Mine' })).status, 404, action)
  assert.equal((await readState(minaret(), tokens.access_token)).status, 200)
  assert.equal((await readState(minaret(), own.access_token)).status, 200)
})

test('a screen asks for nothing about people, and never gets it', async () => {
  for (const scope of ['openid', 'members:read', 'donations:read', 'events:write', `${SCREEN_SCOPE} members:read`])
    assert.equal((await askDevice(minaret(), screenApp, { scope })).status, 400, scope)
  const tokens = await pairScreen(minaret(), keeper, 'Modest')
  assert.equal((await refresh(minaret(), screenApp, tokens.refresh_token, 'members:read')).status, 400)
  const narrowed = await readTokens(await refresh(minaret(), screenApp, tokens.refresh_token, 'prayer-times:read'))
  assert.equal(narrowed.scope, 'prayer-times:read')
})

const screenApps = sql`select id from minaret.apps where client_id = 'minaret-screen'`

const refusedRows: Readonly<Record<string, () => Sql>> = {
  'a masjid’s grant that writes': () => sql`
    insert into minaret.grants (app_id, masjid_id, scopes, auth_time)
    select id, ${keeper.masjid.id}::uuid, '{events:write}', now() from (${screenApps}) as app`,
  'a grant of a person and a masjid': () => sql`
    insert into minaret.grants (app_id, user_id, masjid_id, scopes, auth_time)
    select id, ${keeper.user.id}::uuid, ${keeper.masjid.id}::uuid, '{masjid:read}', now() from (${screenApps}) as app`,
  'a person’s grant of the app of screens': () => sql`
    insert into minaret.grants (app_id, user_id, scopes, auth_time)
    select id, ${keeper.user.id}::uuid, '{masjid:read}', now() from (${screenApps}) as app`,
  'a masjid’s grant of another app': () => sql`
    insert into minaret.grants (app_id, masjid_id, scopes, auth_time)
    select id, ${keeper.masjid.id}::uuid, '{masjid:read}', now() from minaret.apps where grants_to = 'person' limit 1`,
  'a screen added by somebody who looks after none there': () => sql`
    with granted as (
      insert into minaret.grants (app_id, masjid_id, scopes, auth_time)
      select id, ${other.masjid.id}::uuid, '{masjid:read}', now() from (${screenApps}) as app returning id)
    insert into minaret.screens (grant_id, masjid_id, name, created_by)
    select id, ${other.masjid.id}::uuid, 'Smuggled', ${keeper.user.id}::uuid from granted`,
  'a screen that moves to another masjid': () => sql`update minaret.screens set masjid_id = ${other.masjid.id}::uuid
    where masjid_id = ${keeper.masjid.id}`,
  'settings that are none': () => sql`update minaret.screens set settings = '{"ground": "red;} body{"}'
    where masjid_id = ${keeper.masjid.id}`,
}

for (const [what, statement] of Object.entries(refusedRows))
  test(`the database refuses ${what}`, async () => {
    await makeClient(database())
    await pairScreen(minaret(), keeper)
    await assert.rejects(database().run(statement()))
  })
