// Taking an account back, from every side: by somebody who only reads the old mailbox, twice, at once, against a thief who goes on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { setLogoutUri } from '../../../src/apps/backchannel-logout.ts'
import { tidyUp } from '../../../src/apps/housekeeping.ts'
import { listKeys, revokeKey } from '../../../src/apps/keys.ts'
import { createSecret, listSecrets } from '../../../src/apps/secrets.ts'
import { deleteApp } from '../../../src/apps/stop.ts'
import { leaveTeam, listMembers, removeMember } from '../../../src/apps/team/members.ts'
import { recordAudit } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { createEndpoint, deleteEndpoint, rotateSecret } from '../../../src/webhooks/change-endpoint.ts'
import { sealingSecret } from '../../../src/webhooks/secrets.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { enterCode, keyOn, letCodesPass, setUpAuthenticator } from '../../support/authenticator.ts'
import { lastMailTo } from '../../support/mail.ts'
import { TEST_SECRET, useMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf } from '../../support/person.ts'
import { addPasskey, createAuthenticator, signInWithPasskey } from '../../support/software-authenticator.ts'
import {
  actorOf,
  addApiKey,
  changeAddress,
  comeBack,
  enterAsThief,
  erase,
  followLink,
  makeOwner,
  moveBack,
  NEW_PASSWORD,
  nameLast,
  PAGE,
  signInOf,
} from './use-theft.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const person = () => createPerson(minaret().baseUrl)

const keyOf = async (userId: string, appId: string): Promise<string> => (await addApiKey(database(), userId, appId)).id

const liveKeys = async (appId: string): Promise<readonly string[]> =>
  (await listKeys(database(), appId)).filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)

const endpointOf = (userId: string, appId: string) =>
  createEndpoint(database(), {
    appId,
    actor: actorOf(userId),
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

const addMember = async (by: string, appId: string, role: string) => {
  const user = await makeUser(database(), { hashed: false })
  await database().transaction(async transaction => {
    await transaction.run(sql`insert into minaret.app_members (app_id, user_id, role, added_by)
      values (${appId}, ${user.id}, ${role}, ${by})`)
    await recordAudit(transaction, { action: 'app.member_joined', actor: actorOf(user.id), appId })
  })
  return user
}

/** Everything that the rules suspend, of one account and its app. */
const snapshot = async (userId: string, appId: string): Promise<unknown> => {
  const parts = await Promise.all(
    [
      sql`select to_jsonb(t) as row from minaret.linked_identities t where user_id = ${userId}`,
      sql`select to_jsonb(t) as row from minaret.passkeys t where user_id = ${userId}`,
      sql`select to_jsonb(t) - 'last_step' as row from minaret.totp_factors t where user_id = ${userId}`,
      sql`select to_jsonb(t) as row from minaret.recovery_codes t where user_id = ${userId}`,
      sql`select to_jsonb(t) as row from minaret.consents t where user_id = ${userId}`,
      sql`select to_jsonb(t) - 'updated_at' as row from minaret.apps t where id = ${appId} or development_of = ${appId}`,
      sql`select to_jsonb(t) as row from minaret.app_secrets t where app_id = ${appId}`,
      sql`select to_jsonb(t) as row from minaret.api_keys t where app_id = ${appId}`,
      sql`select to_jsonb(t) as row from minaret.app_members t where app_id = ${appId}`,
      sql`select to_jsonb(t) as row from minaret.app_invitations t where app_id = ${appId}`,
      sql`select to_jsonb(t) as row from minaret.app_changes t where app_id = ${appId}`,
      sql`select to_jsonb(t) as row from minaret.saved_queries t where app_id = ${appId}`,
      sql`select to_jsonb(t) as row from minaret.webhook_endpoints t where app_id = ${appId}`,
      sql`select to_jsonb(s) as row from minaret.webhook_secrets s join minaret.webhook_endpoints t on t.id = s.endpoint_id where app_id = ${appId}`,
    ].map(statement => database().query<{ row: unknown }>(sql`select row from (${statement}) rows order by row::text`)),
  )
  return parts.map(rows => rows.map(({ row }) => row))
}

/** One of everything. */
const addEverything = async (userId: string, appId: string): Promise<void> => {
  const actor = actorOf(userId)
  await database().run(sql`insert into minaret.linked_identities (user_id, provider, issuer, subject)
    values (${userId}, 'example', 'https://other.example', gen_random_uuid()::text)`)
  await database().run(sql`insert into minaret.passkeys (user_id, credential_id, public_key, backed_up, name, transports)
    values (${userId}, gen_random_uuid()::text, '\\x01ff', true, 'Phone', '{internal,hybrid}')`)
  await database().run(
    sql`insert into minaret.recovery_codes (user_id, code_hash) values (${userId}, sha256('one')), (${userId}, sha256('two'))`,
  )
  await database().run(
    sql`insert into minaret.consents (user_id, app_id, scopes) values (${userId}, ${appId}, '{masjid:read}')`,
  )
  await setLogoutUri(database(), { appId, uri: 'https://own.example/out', loopback: false, actor })
  await createSecret(database(), { appId, actor })
  await keyOf(userId, appId)
  await addMember(userId, appId, 'developer')
  await database().run(sql`insert into minaret.app_invitations (app_id, email, role, token_hash, invited_by)
    values (${appId}, 'somebody@example.org', 'viewer', sha256(gen_random_uuid()::text::bytea), ${userId})`)
  await database().run(sql`insert into minaret.app_changes (app_id, proposed, requested_by)
    values (${appId}, '{"redirectUris":["https://own.example/new"]}', ${userId})`)
  await database().run(sql`insert into minaret.saved_queries (app_id, name, query, saved_by)
    values (${appId}, 'first', '{ up_masjids { id } }', ${userId})`)
  const { id: endpointId } = await endpointOf(userId, appId)
  await rotateSecret(database(), { appId, actor, endpointId, sealing: sealingSecret([TEST_SECRET]) })
}

const suspended = async (userId: string): Promise<number> =>
  (await database().query(sql`select from minaret.account_acts where actor_id = ${userId} and undone_at is not null`))
    .length

test('somebody who reads the old mailbox annoys, and destroys nothing: the owner says it was them, and all is as it was', async () => {
  const { owner, appId } = await makeOwner(database())
  const own = person()
  await own.signIn(owner.email, PASSWORD)
  // Older than the 30 days: by it the owner comes back without the old mailbox.
  const phone = createAuthenticator(minaret().baseUrl)
  assert.equal((await addPasskey(own, phone)).status, 200)
  await moveBack(database(), owner.id, '40 days')
  await addEverything(owner.id, appId)
  const before = await snapshot(owner.id, appId)
  const link = await changeAddress(minaret(), own, owner)

  assert.equal((await followLink(minaret(), link)).status, 303)
  assert.notDeepEqual(await snapshot(owner.id, appId), before)
  assert.deepEqual(await liveKeys(appId), [])
  await tidyUp(database())

  const back = person()
  assert.equal((await signInWithPasskey(back, phone)).status, 303)
  assert.equal((await nameLast(back, 'all')).location, `${PAGE}?done=answered`)
  const after = JSON.stringify(await snapshot(owner.id, appId))
  const strip = (text: string) => text.replaceAll(/"(last_used_at|counter)":("[^"]*"|\d+|null)/g, '')
  assert.equal(strip(after), strip(JSON.stringify(before)))
  assert.equal(await suspended(owner.id), 0)
})

test('a link works once, and two links at once suspend everything once', async () => {
  const { owner, appId } = await makeOwner(database())
  const thief = await enterAsThief(minaret(), owner)
  await keyOf(owner.id, appId)
  await thief.submit('/account', '/account/email', { new_email: `a-${owner.email}`, email_password: PASSWORD })
  const first = (await lastMailTo(database(), owner.email)).link
  await thief.submit('/account', '/account/email', { new_email: `b-${owner.email}`, email_password: PASSWORD })
  const second = (await lastMailTo(database(), owner.email)).link
  const [one, other] = [person(), person()]
  const forms = [
    hiddenFieldsOf((await one.get(first)).text, '/stop-email-change'),
    hiddenFieldsOf((await other.get(second)).text, '/stop-email-change'),
  ] as const
  const answers = await Promise.all([
    one.post('/stop-email-change', forms[0]),
    one.post('/stop-email-change', forms[0]),
    other.post('/stop-email-change', forms[1]),
  ])
  const statuses = answers.map(({ status }) => status).sort()
  assert.ok(
    statuses.every(status => status === 303 || status === 410),
    String(statuses),
  )
  assert.ok(statuses.includes(303))
  assert.deepEqual(await liveKeys(appId), [])
  assert.equal(await suspended(owner.id), 1)
  assert.equal((await followLink(minaret(), second).catch(() => ({ status: 410 }))).status, 410)
})

test('a thief who goes on while the link is followed has nothing in force afterwards', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { owner, appId } = await makeOwner(database())
    const thief = await enterAsThief(minaret(), owner)
    const link = await changeAddress(minaret(), thief, owner)
    const accomplice = await addMember(owner.id, appId, 'owner')
    let isOver = false
    const going = [owner.id, accomplice.id, accomplice.id].map(async userId => {
      const outcomes: string[] = []
      const add = () =>
        keyOf(userId, appId).then(
          () => outcomes.push('added'),
          (error: { code?: string }) => outcomes.push(String(error.code)),
        )
      while (!isOver) await add()
      // Requests that began long before are refused too.
      outcomes.length = 0
      await add()
      return outcomes
    })
    const [answer] = await Promise.all([followLink(minaret(), link), tidyUp(database())])
    isOver = true
    const outcomes = (await Promise.all(going)).flat()
    assert.equal(answer.status, 303)
    assert.deepEqual(
      [...new Set(outcomes)].filter(outcome => outcome !== 'added'),
      ['account_taken_back'],
    )
    assert.deepEqual(await liveKeys(appId), [])
  }
})

test('an accomplice who was made an owner cannot keep the app: not by removing the owner, not by what they added since', async () => {
  const { owner, appId } = await makeOwner(database())
  const colleague = await addMember(owner.id, appId, 'developer')
  const ownKey = await keyOf(owner.id, appId)
  const colleagues = await keyOf(colleague.id, appId)
  await moveBack(database(), owner.id, '40 days')
  const thief = await enterAsThief(minaret(), owner)
  const accomplice = await addMember(owner.id, appId, 'owner')
  const third = await addMember(accomplice.id, appId, 'owner')
  await keyOf(third.id, appId)
  await revokeKey(database(), { appId, actor: actorOf(third.id), keyId: ownKey })
  await removeMember(database(), { appId, userId: owner.id, actor: actorOf(accomplice.id) })
  const link = await changeAddress(minaret(), thief, owner)

  await followLink(minaret(), link)
  const team = async () => (await listMembers(database(), appId)).map(({ userId, role }) => `${userId} ${role}`).sort()
  assert.deepEqual(await team(), [`${owner.id} owner`, `${colleague.id} developer`].sort())
  assert.deepEqual(await liveKeys(appId), [colleagues], 'what another person did stays')
  const row = await database().first<{ owner_id: string }>(sql`select owner_id from minaret.apps where id = ${appId}`)
  assert.equal(row?.owner_id, owner.id)
})

test('an accomplice who has let others in, and is erased, takes the proof of it nowhere', async () => {
  const { owner, appId } = await makeOwner(database())
  const ownKey = await keyOf(owner.id, appId)
  await moveBack(database(), owner.id, '40 days')
  const thief = await enterAsThief(minaret(), owner)
  const first = await addMember(owner.id, appId, 'owner')
  const second = await addMember(first.id, appId, 'owner')
  await addMember(second.id, appId, 'owner')
  await revokeKey(database(), { appId, actor: actorOf(second.id), keyId: ownKey })
  await removeMember(database(), { appId, userId: owner.id, actor: actorOf(first.id) })
  for (const { id } of [first, second]) await erase(database(), id)
  const link = await changeAddress(minaret(), thief, owner)

  const { back } = await comeBack(minaret(), link, owner)
  assert.deepEqual(
    (await listMembers(database(), appId)).map(({ userId, role }) => [userId, role]),
    [[owner.id, 'owner']],
  )
  await nameLast(back, 'none')
  assert.deepEqual(await liveKeys(appId), [ownKey])
})

test('an owner who left the team by the hand of the thief is back on it', async () => {
  const { owner, appId } = await makeOwner(database())
  await moveBack(database(), owner.id, '40 days')
  const thief = await enterAsThief(minaret(), owner)
  const accomplice = await addMember(owner.id, appId, 'owner')
  await leaveTeam(database(), { appId, actor: actorOf(owner.id) })
  await followLink(minaret(), await changeAddress(minaret(), thief, owner))
  const team = (await listMembers(database(), appId)).map(({ userId }) => userId)
  assert.deepEqual(team, [owner.id])
  assert.notEqual(accomplice.id, owner.id)
})

test('an app that the thief deleted comes back with its keys, secrets and webhook', async () => {
  const { owner, appId } = await makeOwner(database())
  const kept = await keyOf(owner.id, appId)
  const endpoint = await endpointOf(owner.id, appId)
  await moveBack(database(), owner.id, '40 days')
  const secrets = await listSecrets(database(), appId)
  const thief = await enterAsThief(minaret(), owner)
  const actor = actorOf(owner.id)
  await deleteEndpoint(database(), { appId, actor, endpointId: endpoint.id })
  await deleteApp(database(), { appId, actor })
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  assert.deepEqual(await liveKeys(appId), [], 'the link brings nothing back that was removed')
  await nameLast(back, 'none')
  assert.deepEqual(await liveKeys(appId), [kept])
  assert.deepEqual(await listSecrets(database(), appId), secrets)
  const rows =
    await database().query(sql`select endpoint.id, app.state, app.deleted_at from minaret.webhook_endpoints endpoint
    join minaret.apps app on app.id = endpoint.app_id where app_id = ${appId}`)
  assert.deepEqual(rows, [{ id: endpoint.id, state: 'approved', deleted_at: null }])
  const development = await database().query(
    sql`select from minaret.apps where development_of = ${appId} and deleted_at is null`,
  )
  assert.equal(development.length, 1)
})

test('a thief who asks for the account to be erased does not outrun the link', async () => {
  const { id, email } = await makeUser(database())
  const owner = { id, email }
  const thief = await enterAsThief(minaret(), { ...(await makeUser(database(), { hashed: false })), ...owner })
  const link = await changeAddress(minaret(), thief, { ...(await makeUser(database(), { hashed: false })), ...owner })
  assert.equal((await thief.submit('/account/data/erase', '/account/data/erase', {})).status, 200)
  const { entered } = await comeBack(minaret(), link, { ...(await makeUser(database(), { hashed: false })), ...owner })
  assert.equal(entered.location, PAGE)
  assert.equal((await database().query(sql`select from minaret.erasures where user_id = ${id}`)).length, 0)
})

test('the thief’s authenticator app does not keep the owner out, and the owner’s own codes work again', async () => {
  const { owner } = await makeOwner(database())
  const first = person()
  await first.signIn(owner.email, PASSWORD)
  const own = await setUpAuthenticator(first)
  await moveBack(database(), owner.id, '40 days')
  // The thief has a session in which a code was typed.
  const thief = first
  await letCodesPass(database(), owner.id)
  await thief.submit('/account/security', '/account/security/app/begin', {})
  const evil = new TOTP({ secret: Secret.fromBase32(keyOn(await thief.get('/account/security/app'))) })
  const replaced = await thief.submit('/account/security/app', '/account/security/app', { code: evil.generate() })
  assert.equal(replaced.status, 303)
  await thief.submit('/account/security', '/account/security/codes', {})
  const link = await changeAddress(minaret(), thief, owner)
  const back = person()
  const stopped = await back.submit(link, '/stop-email-change', {})
  await back.submit(stopped.location ?? '', '/reset-password', { password: NEW_PASSWORD })
  assert.equal(
    (await back.signIn(owner.email, NEW_PASSWORD)).location,
    '/sign-in/second-factor',
    'the owner’s own factor asks',
  )
  await letCodesPass(database(), owner.id)
  assert.equal((await enterCode(back, { code: own.code() })).location, PAGE)
  await nameLast(back, 'none')
  const other = person()
  await other.signIn(owner.email, NEW_PASSWORD)
  const code = own.recoveryCodes[0] ?? ''
  assert.equal((await enterCode(other, { kind: 'recovery', recovery_code: code })).location, '/account')
})

test('a reset by mail and signing out everywhere remove nothing, and offer the list; what it suspends comes after the sign-in that is named', async () => {
  const { owner, appId } = await makeOwner(database())
  await addEverything(owner.id, appId)
  await database().run(sql`delete from minaret.passkeys where user_id = ${owner.id}`)
  const before = await snapshot(owner.id, appId)
  const own = person()
  await own.signIn(owner.email, PASSWORD)
  const remember = () =>
    database().run(sql`insert into minaret.devices (token_hash, user_id, remembered_until)
      values (sha256(gen_random_uuid()::text::bytea), ${owner.id}, now() + interval '1 day')`)
  const remembered = async () =>
    (await database().query(sql`select from minaret.devices where user_id = ${owner.id} and remembered_until > now()`))
      .length
  await remember()
  const out = await own.submit('/account/sessions', '/account/sessions/end-all', {})
  assert.match((await own.get(out.location ?? '')).text, /href="\/account\/taken-back"/)
  assert.equal(await remembered(), 0)
  await remember()
  await person().submit('/forgot-password', '/forgot-password', { email: owner.email })
  const { link } = await lastMailTo(database(), owner.email)
  const reset = await own.submit(link, '/reset-password', { password: NEW_PASSWORD })
  assert.match((await own.get(reset.location ?? '')).text, /href="\/account\/taken-back"/)
  assert.equal(await remembered(), 0)
  assert.deepEqual(await snapshot(owner.id, appId), before)
  const back = person()
  await back.signIn(owner.email, NEW_PASSWORD)
  const last = await signInOf(database(), owner.id, 1)
  const late = await keyOf(owner.id, appId)
  assert.match((await back.get(PAGE)).text, /API key/)
  await nameLast(back, last)
  assert.equal((await liveKeys(appId)).includes(late), false)
  assert.equal((await liveKeys(appId)).length, 1)
})

test('nothing is deleted before the owner has answered; thirty days after that, what was not kept is gone', async () => {
  const { owner, appId } = await makeOwner(database())
  await moveBack(database(), owner.id, '40 days')
  const thief = await enterAsThief(minaret(), owner)
  const endpoint = await endpointOf(owner.id, appId)
  await keyOf(owner.id, appId)
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  const later = () =>
    database().run(sql`update minaret.take_backs set at = at - interval '31 days', answered_at = answered_at - interval '31 days'
      where user_id = ${owner.id}`)
  await later()
  await tidyUp(database())
  assert.ok((await suspended(owner.id)) > 0)
  await nameLast(back, 'none')
  await tidyUp(database())
  assert.ok((await suspended(owner.id)) > 0)
  await later()
  await tidyUp(database())
  assert.equal(await suspended(owner.id), 0)
  assert.deepEqual(await liveKeys(appId), [])
  assert.equal((await database().query(sql`select from minaret.webhook_endpoints where id = ${endpoint.id}`)).length, 0)
})

test('what a thief said on the page is undone with the rest: the owner’s things that it suspended resume', async () => {
  const { owner, appId } = await makeOwner(database())
  const key = await keyOf(owner.id, appId)
  await moveBack(database(), owner.id, '10 days')
  await database().run(sql`insert into minaret.sessions (token_hash, user_id, expires_at, created_at)
    values (sha256(gen_random_uuid()::text::bytea), ${owner.id}, now() + interval '1 day', now() - interval '9 days')`)
  const last = await signInOf(database(), owner.id, 0)
  const thief = await enterAsThief(minaret(), owner)
  const link = await changeAddress(minaret(), thief, owner)
  assert.equal((await nameLast(thief, 'none')).location, `${PAGE}?done=answered`)
  assert.deepEqual(await liveKeys(appId), [])
  const { back } = await comeBack(minaret(), link, owner)
  const waiting = await database().query(
    sql`select from minaret.take_backs where user_id = ${owner.id} and answered_at is not null`,
  )
  assert.equal(waiting.length, 0, 'nothing is deleted by what the thief said')
  await nameLast(back, last)
  assert.deepEqual(await liveKeys(appId), [key])
})

test('what a thief kept on the page binds nobody: the owner’s key that they removed that way comes back', async () => {
  const { owner, appId } = await makeOwner(database())
  const key = await keyOf(owner.id, appId)
  await moveBack(database(), owner.id, '40 days')
  const thief = await enterAsThief(minaret(), owner)
  await revokeKey(database(), { appId, actor: actorOf(owner.id), keyId: key })
  await nameLast(thief, 'none')
  assert.deepEqual(await liveKeys(appId), [key])
  assert.match((await lastMailTo(database(), owner.email)).subject, /suspended or resumed/)
  const [act] = await database().query<{ id: string }>(sql`select id from minaret.account_acts
    where actor_id = ${owner.id} and act = 'removed'`)
  assert.equal((await thief.submit(PAGE, `${PAGE}/keep`, { ids: act?.id ?? '' })).location, `${PAGE}?done=kept`)
  assert.deepEqual(await liveKeys(appId), [])
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  await nameLast(back, 'none')
  assert.deepEqual(await liveKeys(appId), [key])
})

test('one’s own things only: another person neither keeps nor names anything', async () => {
  const { owner, appId } = await makeOwner(database())
  const thief = await enterAsThief(minaret(), owner)
  await keyOf(owner.id, appId)
  await followLink(minaret(), await changeAddress(minaret(), thief, owner))
  const [row] = await database().query<{ id: string }>(sql`select id from minaret.account_acts
    where actor_id = ${owner.id} and undone_at is not null and table_name = 'minaret.api_keys'`)
  const stranger = await makeUser(database())
  const other = person()
  await other.signIn(stranger.email, PASSWORD)
  await other.submit(PAGE, `${PAGE}/keep`, { ids: `${row?.id},1,x,-1,99999999999999999999` }).catch(() => undefined)
  const token = /name="anti_forgery" value="([^"]*)"/.exec((await other.get('/account')).text)?.[1] ?? ''
  await other.post(`${PAGE}/keep`, { anti_forgery: token, ids: `${row?.id}` })
  assert.deepEqual(await liveKeys(appId), [])
  const session = await signInOf(database(), owner.id, 0)
  const named = await other.post(`${PAGE}/last`, { anti_forgery: token, last: session })
  assert.equal(named.location, `${PAGE}?done=answer_missing`)
  for (const path of [`${PAGE}/last`, `${PAGE}/keep`]) {
    assert.equal((await other.post(path, { last: 'none', ids: '1' })).status, 403, 'only by our own form')
    assert.equal((await person().post(path, { last: 'none' })).location, '/sign-in')
  }
})

test('saved queries that the thief rewrote and deleted are as the owner left them', async () => {
  const { owner, appId } = await makeOwner(database())
  const own = person()
  await own.signIn(owner.email, PASSWORD)
  const base = `/console/apps/${appId}/queries`
  const send = async (path: string, form: Record<string, string>): Promise<void> => {
    const token = hiddenFieldsOf((await own.get('/account')).text, '/sign-out').anti_forgery ?? ''
    assert.equal((await own.post(path, { ...form, anti_forgery: token })).status, 200)
  }
  const save = (name: string, query: string) => send(base, { name, query, variables: '' })
  const list = () =>
    database().query<{ id: string; name: string; query: string }>(sql`
      select id, name, query from minaret.saved_queries where app_id = ${appId} order by name`)
  await save('first', '{ up_masjids { id } }')
  await save('second', '{ up_events { id } }')
  const before = await list()
  await moveBack(database(), owner.id, '40 days')
  await save('first', '{ ua_members { email } }')
  await send(`${base}/${before[1]?.id}/delete`, {})
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), own, owner), owner)
  assert.deepEqual(await list(), before.slice(0, 1))
  await nameLast(back, 'none')
  assert.deepEqual(await list(), before)
})
