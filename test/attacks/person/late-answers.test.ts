// An account is taken back, and its owner answers weeks later: nothing of the thief resumes, nothing of the owner is gone. And what thieves did to apps.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestChange } from '../../../src/apps/changes.ts'
import { checkRegistration } from '../../../src/apps/check-registration.ts'
import { approveApp } from '../../../src/apps/decide.ts'
import { approveChange } from '../../../src/apps/decide-change.ts'
import { tidyUp } from '../../../src/apps/housekeeping.ts'
import { listKeys, revokeKey } from '../../../src/apps/keys.ts'
import { setLifetimes } from '../../../src/apps/lifetimes.ts'
import { registerApp } from '../../../src/apps/register.ts'
import { deleteApp } from '../../../src/apps/stop.ts'
import { commandActor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { createEndpoint } from '../../../src/webhooks/change-endpoint.ts'
import { sealingSecret } from '../../../src/webhooks/secrets.ts'
import { makeUser } from '../../support/apps.ts'
import { TEST_SECRET, useMinaret } from '../../support/minaret.ts'
import { createPerson } from '../../support/person.ts'
import {
  actorOf,
  addApiKey,
  changeAddress,
  comeBack,
  enterAsThief,
  makeOwner,
  moveBack,
  nameLast,
  PAGE,
  signInOf,
} from './use-theft.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const liveKeys = async (appId: string): Promise<readonly string[]> =>
  (await listKeys(database(), appId)).filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)

/** As if so many days went by. Sessions that began now go on. */
const letPass = async (userId: string, days: number): Promise<void> => {
  await moveBack(database(), userId, `${days} days`)
  await database().run(sql`
    update minaret.take_backs set at = at - make_interval(days => ${days}), answered_at = answered_at - make_interval(days => ${days})
    where user_id = ${userId}`)
  await database().run(sql`
    update minaret.sessions set expires_at = least(expires_at, created_at + interval '14 days') where user_id = ${userId}`)
}

/** Signed in as the owner today. */
const enterToday = async (email: string) => {
  const back = createPerson(minaret().baseUrl)
  await back.signIn(email, 'a lantern and two doves')
  return back
}

test('"none of these", three weeks after the link: what the thief added stays suspended, and what they removed comes back', async () => {
  const { owner, appId } = await makeOwner(database())
  const own = (await addApiKey(database(), owner.id, appId)).id
  await moveBack(database(), owner.id, '40 days')
  const thief = await enterAsThief(minaret(), owner)
  await addApiKey(database(), owner.id, appId)
  await revokeKey(database(), { appId, actor: actorOf(owner.id), keyId: own })
  // The thief waits before they change the address.
  await moveBack(database(), owner.id, '20 days')
  const link = await changeAddress(minaret(), thief, owner)
  await comeBack(minaret(), link, owner)
  await letPass(owner.id, 21)
  await tidyUp(database())
  const back = await enterToday(owner.email)
  assert.match((await back.get(PAGE)).text, /API key/)
  await nameLast(back, 'none')
  assert.deepEqual(await liveKeys(appId), [own])
})

test('months without an answer: removals are still known, and so are the sign-ins of the time before', async () => {
  const { owner, appId } = await makeOwner(database())
  const own = (await addApiKey(database(), owner.id, appId)).id
  await moveBack(database(), owner.id, '20 days')
  const first = createPerson(minaret().baseUrl)
  await first.signIn(owner.email, 'a password for tests')
  await moveBack(database(), owner.id, '20 days')
  const last = await signInOf(database(), owner.id, 0)
  const thief = await enterAsThief(minaret(), owner)
  await revokeKey(database(), { appId, actor: actorOf(owner.id), keyId: own })
  await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  await letPass(owner.id, 70)
  await tidyUp(database())
  const back = await enterToday(owner.email)
  assert.ok((await back.get(PAGE)).text.includes(last), 'the last sign-in of the owner can still be named')
  await nameLast(back, last)
  assert.deepEqual(await liveKeys(appId), [own])
})

test('an owner who signed in three weeks before the theft can name that sign-in', async () => {
  const { owner } = await makeOwner(database())
  const own = createPerson(minaret().baseUrl)
  await own.signIn(owner.email, 'a password for tests')
  await letPass(owner.id, 21)
  const last = await signInOf(database(), owner.id, 0)
  await tidyUp(database())
  const thief = await enterAsThief(minaret(), owner)
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  assert.ok((await back.get(PAGE)).text.includes(last))
  assert.equal((await nameLast(back, last)).location, `${PAGE}?done=answered`)
})

test('webhooks of an app that the thief deleted come back, though housekeeping has passed meanwhile', async () => {
  const { owner, appId } = await makeOwner(database())
  const { id } = await createEndpoint(database(), {
    appId,
    actor: actorOf(owner.id),
    environment: 'live',
    values: {
      url: 'https://receiver.example/hook',
      description: '',
      tables: ['up_masjids'],
      masjids: null,
      query: null,
    },
    sealing: sealingSecret([TEST_SECRET]),
  })
  await moveBack(database(), owner.id, '40 days')
  const thief = await enterAsThief(minaret(), owner)
  await deleteApp(database(), { appId, actor: actorOf(owner.id) })
  await tidyUp(database())
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  await nameLast(back, 'none')
  const rows = await database().query(sql`
    select endpoint.id, endpoint.state from minaret.webhook_endpoints endpoint join minaret.apps app on app.id = app_id
    where app_id = ${appId} and app.deleted_at is null`)
  assert.deepEqual(rows, [{ id, state: 'enabled' }])
})

const registration = (redirectUris: readonly string[] = ['https://evil.example/callback']) => {
  const checked = checkRegistration(
    {
      name: 'Prayer times of the thief',
      description: 'An app that a thief made.',
      kind: 'public',
      redirectUris,
      postLogoutRedirectUris: [],
      scopes: ['masjid:read'],
    },
    'development',
  )
  if (checked.kind === 'faulty') throw new Error('the registration is faulty')
  return checked.registration
}

test('an app that the thief registered, and that was approved, stops with the link, and resumes when the owner keeps it', async () => {
  const { owner } = await makeOwner(database())
  await moveBack(database(), owner.id, '40 days')
  const thief = await enterAsThief(minaret(), owner)
  const appId = await registerApp(database(), {
    ownerId: owner.id,
    registration: registration(),
    actor: actorOf(owner.id),
  })
  await approveApp(database(), { appId, actor: commandActor, scopes: ['masjid:read'] })
  const app = await database().first<{ client_id: string }>(sql`select client_id from minaret.apps where id = ${appId}`)
  // Somebody else's.
  const other = await makeUser(database(), { hashed: false })
  await database().run(
    sql`insert into minaret.app_members (app_id, user_id, role) values (${appId}, ${other.id}, 'developer')`,
  )
  const kept = (await addApiKey(database(), other.id, appId)).id
  const asked = new URLSearchParams({ client_id: app?.client_id ?? '', redirect_uri: 'https://evil.example/callback' })
  const authorize = async (): Promise<number> =>
    (await fetch(`${minaret().baseUrl}/oauth/authorize?${asked}`, { redirect: 'manual' })).status
  assert.equal(await authorize(), 303)

  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  assert.equal(await authorize(), 400, 'the app is unknown')
  assert.match((await back.get(PAGE)).text, /Prayer times of the thief/)
  await nameLast(back, 'none')
  assert.equal(await authorize(), 400)
  const act = await database().first<{ id: string }>(sql`
    select id from minaret.account_acts where table_name = 'minaret.apps' and act = 'added' and place = ${appId}`)
  assert.equal((await back.submit(PAGE, `${PAGE}/keep`, { ids: act?.id ?? '' })).location, `${PAGE}?done=kept`)
  assert.equal(await authorize(), 303)
  assert.deepEqual(await liveKeys(appId), [kept], 'what another person added was not ended')
})

test('lifetimes of tokens that the thief made longer are as they were', async () => {
  const { owner, appId } = await makeOwner(database())
  const actor = actorOf(owner.id)
  const short = { accessSeconds: 300, refreshIdleSeconds: 3600, refreshTotalSeconds: 86_400 }
  await setLifetimes(database(), { appId, actor, ...short })
  await moveBack(database(), owner.id, '40 days')
  const thief = await enterAsThief(minaret(), owner)
  await setLifetimes(database(), {
    appId,
    actor,
    accessSeconds: 3600,
    refreshIdleSeconds: 2_592_000,
    refreshTotalSeconds: 15_552_000,
  })
  await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  const row = await database().first(sql`
    select access_seconds, refresh_idle_seconds, refresh_total_seconds from minaret.apps where id = ${appId}`)
  assert.deepEqual(row, { access_seconds: 300, refresh_idle_seconds: 3600, refresh_total_seconds: 86_400 })
})

test('a redirect URI that the thief asked for, and a reviewer approved, leads nowhere after the link', async () => {
  const { owner } = await makeOwner(database())
  const actor = actorOf(owner.id)
  const own = 'https://own.example/callback'
  const appId = await registerApp(database(), { ownerId: owner.id, registration: registration([own]), actor })
  await approveApp(database(), { appId, actor: commandActor, scopes: ['masjid:read'] })
  await moveBack(database(), owner.id, '40 days')
  const thief = await enterAsThief(minaret(), owner)
  const changed = registration([own, 'https://evil.example/callback'])
  const changeId = await requestChange(database(), { appId, actor, registration: changed, reason: 'A second site.' })
  const reviewer = await makeUser(database(), { hashed: false, isReviewer: true })
  await approveChange(database(), { changeId, actor: actorOf(reviewer.id) })
  const redirectUris = async () =>
    (
      await database().first<{ uris: string[] }>(
        sql`select redirect_uris as uris from minaret.apps where id = ${appId}`,
      )
    )?.uris
  assert.equal((await redirectUris())?.length, 2)
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  assert.deepEqual(await redirectUris(), [own])
  await nameLast(back, 'none')
  assert.deepEqual(await redirectUris(), [own])
})
