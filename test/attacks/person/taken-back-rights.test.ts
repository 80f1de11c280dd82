// What a stolen account did at masjids and in the service: roles, memberships, screens, rights, consents.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setRight } from '../../../src/accounts/administer.ts'
import type { User } from '../../../src/accounts/users.ts'
import { recordAudit } from '../../../src/audit/record-audit.ts'
import { actAs } from '../../../src/capabilities/act-as.ts'
import type { Queryable } from '../../../src/db/database.ts'
import { sql } from '../../../src/db/sql.ts'
import { type Masjid, makeMasjid, makeStaff } from '../../staff/use-staff.ts'
import { givePassword, makeApp, makeUser } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { actorOf, changeAddress, comeBack, enterAsThief, erase, followLink, nameLast } from './use-theft.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const makeAdmin = async (masjid: Masjid): Promise<User> => {
  const user = await makeStaff(database(), { masjid, role: 'admin' })
  await givePassword(database(), user.id)
  return user
}

/** In the name of a person, as the staff pages and the API write. */
const as = (userId: string, work: (transaction: Queryable) => Promise<unknown>): Promise<unknown> =>
  database().transaction(async transaction => {
    await actAs(transaction, userId)
    return work(transaction)
  })

interface Member {
  readonly id: string
  readonly role: string
  readonly status: string
  readonly account: string
}

const memberOf = async (masjid: Masjid, user: User): Promise<Member | undefined> =>
  database().first<Member>(sql`select id, role, status, user_id as account from public.ua_members
    where masjid_id = ${masjid.id} and user_id = ${user.id} and deleted_at is null`)

const setRole = (by: User, member: Member | undefined, role: string) =>
  as(by.id, transaction =>
    transaction.query(sql`select public.ua_set_role(${member?.id}, ${role}::public.ua_member_role)`),
  )

const heldBy = async (masjid: Masjid, user: User): Promise<readonly string[]> => {
  const rows = await database().query<{ capability: string }>(sql`select capability::text from public.ua_capabilities
    where masjid_id = ${masjid.id} and user_id = ${user.id} and withdrawn_at is null order by 1`)
  return rows.map(({ capability }) => capability)
}

test('roles that the thief gave are taken back at once, those they took come back with the answer, and others’ stay', async () => {
  const masjid = await makeMasjid(database())
  const owner = await makeAdmin(masjid)
  const other = await makeAdmin(masjid)
  const [crony, imam, colleague] = await Promise.all(
    ['people', 'events', 'times'].map(capability =>
      makeStaff(database(), { masjid, capabilities: [capability as 'people'] }),
    ),
  )
  assert.ok(crony && imam && colleague)
  const thief = await enterAsThief(minaret(), owner)
  await setRole(owner, await memberOf(masjid, crony), 'admin')
  await as(owner.id, transaction =>
    transaction.query(sql`select public.ua_withdraw_capability(${masjid.id}, ${imam.id}, 'events')`),
  )
  await setRole(other, await memberOf(masjid, colleague), 'board')
  const link = await changeAddress(minaret(), thief, owner)

  const { back } = await comeBack(minaret(), link, owner)
  assert.equal((await memberOf(masjid, crony))?.role, 'member')
  assert.equal((await memberOf(masjid, colleague))?.role, 'board', 'the act of another person')
  assert.deepEqual(await heldBy(masjid, imam), [], 'the link brings nothing back that was removed')
  await nameLast(back, 'none')
  assert.deepEqual(await heldBy(masjid, imam), ['events'])
  assert.equal((await memberOf(masjid, crony))?.role, 'member')
  assert.deepEqual(await heldBy(masjid, crony), ['people'], 'from before')
})

test('whoever got the capability "capabilities" from the thief keeps nothing of what they did with it', async () => {
  const masjid = await makeMasjid(database())
  const owner = await makeAdmin(masjid)
  const crony = await makeStaff(database(), { masjid })
  const next = await makeStaff(database(), { masjid })
  const thief = await enterAsThief(minaret(), owner)
  await as(owner.id, transaction =>
    transaction.query(sql`select public.ua_grant_capability(${masjid.id}, ${crony.id}, 'capabilities')`),
  )
  await as(crony.id, transaction =>
    transaction.query(sql`select public.ua_grant_capability(${masjid.id}, ${next.id}, 'people')`),
  )
  await followLink(minaret(), await changeAddress(minaret(), thief, owner))
  assert.deepEqual([await heldBy(masjid, crony), await heldBy(masjid, next)], [[], []])
})

test('nor if they are erased before the owner comes back', async () => {
  const masjid = await makeMasjid(database())
  const owner = await makeAdmin(masjid)
  const [crony, next] = [await makeStaff(database(), { masjid }), await makeStaff(database(), { masjid })]
  const thief = await enterAsThief(minaret(), owner)
  await setRole(owner, await memberOf(masjid, crony), 'admin')
  await setRole(crony, await memberOf(masjid, next), 'admin')
  await setRole(crony, await memberOf(masjid, owner), 'member')
  await erase(database(), crony.id)
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  assert.notEqual((await memberOf(masjid, next))?.role, 'admin')
  await nameLast(back, 'none')
  assert.equal((await memberOf(masjid, owner))?.role, 'admin')
  assert.notEqual((await memberOf(masjid, next))?.role, 'admin')
})

test('an administrator whom the thief appointed, and who dismissed the owner, is none any more, and the owner is one again', async () => {
  const masjid = await makeMasjid(database())
  const owner = await makeAdmin(masjid)
  const crony = await makeStaff(database(), { masjid })
  const thief = await enterAsThief(minaret(), owner)
  await setRole(owner, await memberOf(masjid, crony), 'admin')
  await setRole(crony, await memberOf(masjid, owner), 'member')
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  assert.notEqual((await memberOf(masjid, crony))?.role, 'admin')
  await nameLast(back, 'none')
  assert.equal((await memberOf(masjid, owner))?.role, 'admin')
  assert.notEqual((await memberOf(masjid, crony))?.role, 'admin')
})

test('an answer can be corrected: things of the thief that it resumed are suspended again', async () => {
  const masjid = await makeMasjid(database())
  const owner = await makeAdmin(masjid)
  const crony = await makeStaff(database(), { masjid })
  const thief = await enterAsThief(minaret(), owner)
  await setRole(owner, await memberOf(masjid, crony), 'admin')
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  await nameLast(back, 'all')
  assert.equal((await memberOf(masjid, crony))?.role, 'admin')
  await nameLast(back, 'none')
  assert.equal((await memberOf(masjid, crony))?.role, 'member')
})

test('a screen that the thief let in stops, and shows again when the owner keeps it', async () => {
  const masjid = await makeMasjid(database())
  const owner = await makeAdmin(masjid)
  const thief = await enterAsThief(minaret(), owner)
  const grantId = await database().transaction(async transaction => {
    const row = await transaction.first<{ id: string }>(sql`
      insert into minaret.grants (app_id, masjid_id, scopes, auth_time)
      select id, ${masjid.id}, '{masjid:read}', now() from minaret.apps where client_id = 'minaret-screen' returning id`)
    await transaction.run(sql`insert into minaret.screens (grant_id, masjid_id, name, created_by)
      values (${row?.id}, ${masjid.id}, 'Hall', ${owner.id})`)
    await recordAudit(transaction, { action: 'screen.paired', actor: actorOf(owner.id) })
    return row?.id ?? ''
  })
  const state = () =>
    database().first(sql`select revoked_at is not null as ended, exists (select from minaret.revocations
      where kind = 'grant' and subject = ${grantId}) as told from minaret.grants where id = ${grantId}`)
  const { back } = await comeBack(minaret(), await changeAddress(minaret(), thief, owner), owner)
  assert.deepEqual(await state(), { ended: true, told: true })
  await nameLast(back, 'all')
  assert.deepEqual(await state(), { ended: false, told: false })
})

test('rights that a stolen administrator’s account gave are suspended', async () => {
  const owner = await makeUser(database())
  const crony = await makeUser(database(), { hashed: false })
  const thief = await enterAsThief(minaret(), owner)
  await setRight(database(), { userId: crony.id, actor: actorOf(owner.id), right: 'admin', given: true })
  await followLink(minaret(), await changeAddress(minaret(), thief, owner))
  const row = await database().first(sql`select is_admin from minaret.users where id = ${crony.id}`)
  assert.deepEqual(row, { is_admin: false })
})

test('the link gives nobody more than they have: not whoever was demoted, not whoever knows a key that was replaced', async () => {
  const masjid = await makeMasjid(database())
  const owner = await makeAdmin(masjid)
  const dismissed = await makeStaff(database(), { masjid, role: 'board' })
  const former = await makeUser(database(), { hashed: false })
  await database().run(sql`update minaret.users set is_admin = true where id = ${former.id}`)
  const app = await makeApp(database(), { ownerId: owner.id, kind: 'confidential' })
  await database().run(
    sql`insert into minaret.app_members (app_id, user_id, role) values (${app.id}, ${former.id}, 'owner')`,
  )
  const keysNamed = (kid: string) => ({ keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid }] })
  const set = async (work: (transaction: Queryable) => Promise<unknown>): Promise<void> =>
    database().transaction(async transaction => {
      await work(transaction)
      await recordAudit(transaction, { action: 'app.changed', actor: actorOf(owner.id), appId: app.id })
    })
  await database().run(
    sql`update minaret.apps set jwks = ${JSON.stringify(keysNamed('leaked'))}, backchannel_logout_uri = 'https://old.example/' where id = ${app.id}`,
  )
  const own = await enterAsThief(minaret(), owner)

  await setRole(owner, await memberOf(masjid, dismissed), 'member')
  await setRight(database(), { userId: former.id, actor: actorOf(owner.id), right: 'admin', given: false })
  await set(transaction =>
    transaction.run(sql`update minaret.app_members set role = 'viewer' where user_id = ${former.id}`),
  )
  const now = keysNamed('new')
  await set(transaction =>
    transaction.run(sql`update minaret.apps set jwks = ${JSON.stringify(now)}, dpop_bound = true,
      backchannel_logout_uri = 'https://new.example/' where id = ${app.id}`),
  )
  const state = async () => ({
    masjid: (await memberOf(masjid, dismissed))?.role,
    ...(await database().first(sql`select is_admin as admin, role, jwks #>> '{keys,0,kid}' as key, dpop_bound as bound,
        backchannel_logout_uri as uri, jwks_uri = 'https://suspended.invalid/' as unusable
      from minaret.users account join minaret.app_members member on member.user_id = account.id
        join minaret.apps app on app.id = member.app_id where account.id = ${former.id}`)),
  })
  const link = await changeAddress(minaret(), own, owner)
  const { back } = await comeBack(minaret(), link, owner)
  const lowest = { masjid: 'member', admin: false, role: 'viewer', key: null, bound: true, uri: null, unusable: true }
  assert.deepEqual(await state(), lowest)
  await nameLast(back, 'none')
  assert.deepEqual(await state(), {
    masjid: 'board',
    admin: true,
    role: 'owner',
    key: 'leaked',
    bound: false,
    uri: 'https://old.example/',
    unusable: null,
  })
  await nameLast(back, 'all')
  assert.deepEqual(await state(), { ...lowest, key: 'new', uri: 'https://new.example/', unusable: null })
})

test('a consent of the thief is suspended, one that they widened is as it was, and every token ends', async () => {
  const owner = await makeUser(database())
  const [old, widened, fresh] = await Promise.all([1, 2, 3].map(() => makeApp(database())))
  assert.ok(old && widened && fresh)
  for (const app of [old, widened])
    await database().run(
      sql`insert into minaret.consents (user_id, app_id, scopes) values (${owner.id}, ${app.id}, '{masjid:read}')`,
    )
  await database().run(
    sql`update minaret.account_acts set at = now() - interval '40 days' where actor_id = ${owner.id}`,
  )
  const thief = await enterAsThief(minaret(), owner)
  await database().run(
    sql`insert into minaret.consents (user_id, app_id, scopes) values (${owner.id}, ${fresh.id}, '{masjid:read}')`,
  )
  await database().run(sql`update minaret.consents set scopes = '{masjid:read,members:read}', given_at = now()
    where user_id = ${owner.id} and app_id = ${widened.id}`)
  await database().run(sql`insert into minaret.grants (app_id, user_id, scopes, auth_time)
    select app_id, user_id, scopes, now() from minaret.consents where user_id = ${owner.id}`)
  await followLink(minaret(), await changeAddress(minaret(), thief, owner))
  const consents = await database().query(sql`select app_id as id, scopes from minaret.consents
    where user_id = ${owner.id} and withdrawn_at is null`)
  const expected = [old, widened].map(({ id }) => ({ id, scopes: ['masjid:read'] }))
  const byId = (left: { id?: unknown }, right: { id?: unknown }) => (String(left.id) < String(right.id) ? -1 : 1)
  assert.deepEqual(consents.sort(byId), expected.sort(byId))
  const grants = await database().query(
    sql`select from minaret.grants where user_id = ${owner.id} and revoked_at is null`,
  )
  assert.equal(grants.length, 0)
})

test('whatever waits for the thief ends with the link: codes, devices, requests, downloads, changes, remembered browsers', async () => {
  const owner = await makeUser(database())
  const app = await makeApp(database())
  const thief = await enterAsThief(minaret(), owner)
  const hash = sql`sha256(gen_random_uuid()::text::bytea)`
  const session = sql`(select id from minaret.sessions where user_id = ${owner.id} and ended_at is null limit 1)`
  const grant = sql`(select id from minaret.grants where user_id = ${owner.id} limit 1)`
  const soon = sql`now() + interval '5 minutes'`
  for (const statement of [
    sql`insert into minaret.grants (app_id, user_id, scopes, auth_time) values (${app.id}, ${owner.id}, '{masjid:read}', now())`,
    sql`insert into minaret.refresh_tokens (token_hash, grant_id, app_id, scopes, idle_expires_at, expires_at)
      values (${hash}, ${grant}, ${app.id}, '{masjid:read}', ${soon}, ${soon})`,
    sql`insert into minaret.authorization_codes (code_hash, grant_id, app_id, user_id, redirect_uri, code_challenge, scopes, auth_time, expires_at)
      values (${hash}, ${grant}, ${app.id}, ${owner.id}, 'https://app.example.org', 'x', '{masjid:read}', now(), ${soon})`,
    sql`insert into minaret.authorization_requests (reference_hash, app_id, parameters, session_id, expires_at)
      values (${hash}, ${app.id}, '{}', ${session}, ${soon})`,
    sql`insert into minaret.device_codes (device_code_hash, user_code, app_id, scopes, session_id, expires_at)
      values (${hash}, 'BCDFGHJK', ${app.id}, '{masjid:read}', ${session}, ${soon})`,
    sql`insert into minaret.device_codes (device_code_hash, user_code, app_id, scopes, session_id, expires_at, state, decided_at, grant_id)
      values (${hash}, 'BCDFGHJL', ${app.id}, '{masjid:read}', ${session}, ${soon}, 'approved', now(), ${grant})`,
    sql`insert into minaret.sign_in_challenges (token_hash, user_id, expires_at) values (${hash}, ${owner.id}, ${soon})`,
    sql`insert into minaret.devices (token_hash, user_id, remembered_until) values (${hash}, ${owner.id}, ${soon})`,
    sql`insert into minaret.data_exports (token_hash, user_id, session_id) values (${hash}, ${owner.id}, ${session})`,
    sql`insert into minaret.change_handles (handle_hash, user_id, app_id, tool, content_hash, basis, expires_at)
      values (${hash}, ${owner.id}, ${app.id}, 'change', ${hash}, '{}', ${soon})`,
  ])
    await database().run(statement)
  await followLink(minaret(), await changeAddress(minaret(), thief, owner))
  const left = await database().query(sql`
    select 'grants' as what from minaret.grants where user_id = ${owner.id} and revoked_at is null
    union all select 'refresh' from minaret.refresh_tokens where grant_id = ${grant} and revoked_at is null
    union all select 'codes' from minaret.authorization_codes where user_id = ${owner.id} and used_at is null
    union all select 'requests' from minaret.authorization_requests where app_id = ${app.id}
    union all select 'devices' from minaret.device_codes where app_id = ${app.id} and state = 'pending'
    union all select 'challenges' from minaret.sign_in_challenges where user_id = ${owner.id}
    union all select 'browsers' from minaret.devices where user_id = ${owner.id} and remembered_until is not null
    union all select 'exports' from minaret.data_exports where user_id = ${owner.id}
    union all select 'handles' from minaret.change_handles where user_id = ${owner.id}`)
  assert.deepEqual(left, [])
})
