import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { insertRow, useDatabase, type Values } from './use-database.ts'
import { account } from './writing.ts'

const uuid = (number: number) => `30000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const masjids = { a: uuid(1), b: uuid(2) }
const users = {
  admin: uuid(11),
  board: uuid(12),
  member: uuid(13),
  former: uuid(14),
  disabled: uuid(15),
  service: uuid(16),
}
const nowhere = { latitude: 0, longitude: 0, timezone: 'UTC', country: 'US', city: 'x', address: 'x' }

const model = useDatabase(async owner => {
  for (const [name, id] of Object.entries(users)) {
    await account(owner, { id, disabled: name === 'disabled', admin: name === 'service' })
  }
  for (const [name, id] of Object.entries(masjids))
    await insertRow(owner, 'up_masjids', { ...nowhere, id, slug: name, name })
  const member = (user: string, values: Values = {}) =>
    insertRow(owner, 'ua_members', { masjid_id: masjids.a, given_name: 'x', user_id: user, ...values })
  await member(users.admin, { role: 'admin' })
  await member(users.board, { role: 'board' })
  await member(users.member)
  await member(users.former, { role: 'admin', status: 'inactive' })
  await member(users.disabled, { role: 'admin' })
})

/** What a caller gets when it runs with the settings that the service would send. */
const as = async (settings: Record<string, string>, expression: ReturnType<typeof sql>): Promise<unknown> =>
  (await model().asking<{ value: unknown }>(settings, sql`select ${expression} as value`))[0]?.value

const may = (settings: Record<string, string>, capability: string): Promise<unknown> =>
  as(settings, sql`${masjids.a} = any (writing_masjids(${capability}))`)

const grant = (user: string, capability: string) =>
  sql`(public.ua_grant_capability(${masjids.a}, ${user}, ${capability}::ua_capability)).id`
const withdraw = (user: string, capability: string) =>
  sql`(public.ua_withdraw_capability(${masjids.a}, ${user}, ${capability}::ua_capability)).id`

const everything = ['times', 'events', 'announcements', 'people', 'giving', 'screens', 'capabilities']
const cases: readonly (readonly [who: string, settings: Record<string, string>, capabilities: readonly string[]])[] = [
  ['nobody', {}, []],
  ['an admin', { user_id: users.admin }, everything],
  ['a board member', { user_id: users.board }, everything.filter(one => one !== 'capabilities')],
  ['a plain member', { user_id: users.member }, []],
  ['a former admin', { user_id: users.former }, []],
  ['an admin whose account is disabled', { user_id: users.disabled }, []],
  ['a user without an account', { user_id: uuid(99) }, []],
  ['the masjid’s own app', { masjids: `{${masjids.a}}`, own_masjids: `{${masjids.a}}` }, everything],
  ['an own app that was not given the masjid', { masjids: `{${masjids.b}}`, own_masjids: `{${masjids.a}}` }, []],
  ['an app given all masjids, none its own', { masjids: '*' }, []],
  ['another masjid’s own app', { masjids: '*', own_masjids: `{${masjids.b}}` }, []],
]

for (const [who, settings, capabilities] of cases) {
  test(`what ${who} may write`, async () => {
    const held = []
    for (const capability of everything) if (await may(settings, capability)) held.push(capability)
    assert.deepEqual(held, capabilities)
    assert.equal(await as(settings, sql`writing_all()`), null)
  })
}

test('everything is written by administrators of the service, and by apps given all masjids as their own', async () => {
  const lowest = '00000000-0000-0000-0000-000000000000'
  assert.equal(await as({ user_id: users.service }, sql`writing_all()`), lowest)
  assert.equal(await as({ masjids: '*', own_masjids: '*' }, sql`writing_all()`), lowest)
  assert.equal(await as({ user_id: users.admin, masjids: '*', own_masjids: '*' }, sql`writing_all()`), null)
  await assert.rejects(as({ user_id: users.admin }, sql`refuse_unless_writing_all()`), { code: 'MN003' })
  await as({ masjids: '*', own_masjids: '*' }, sql`refuse_unless_writing_all()`)
})

test('no administrator of the service writes in the sandbox', async () => {
  assert.equal(await as({ user_id: users.service }, sql`sandbox.is_service_admin()`), false)
})

test('a granted capability counts at once, and a withdrawn one no longer; both stay in the history', async () => {
  const { owner } = model()
  await as({ user_id: users.admin }, grant(users.member, 'times'))
  assert.equal(await may({ user_id: users.member }, 'times'), true)
  assert.equal(await may({ user_id: users.member }, 'events'), false)
  await as({ user_id: users.admin }, grant(users.member, 'times'))
  await as({ user_id: users.admin }, withdraw(users.member, 'times'))
  assert.equal(await may({ user_id: users.member }, 'times'), false)
  assert.deepEqual(
    await owner.query(sql`
      select granted_by, withdrawn_by from ua_capabilities where user_id = ${users.member} and capability = 'times'`),
    [{ granted_by: users.admin, withdrawn_by: users.admin }],
  )
})

test('whoever does not manage capabilities grants none, not even to themselves', async () => {
  for (const user of [users.board, users.member, users.former, users.disabled]) {
    await assert.rejects(as({ user_id: user }, grant(user, 'giving')), { code: 'MN003' })
    await assert.rejects(as({ user_id: user }, withdraw(users.admin, 'capabilities')), { code: 'MN003' })
  }
  await assert.rejects(as({ masjids: '*' }, grant(users.member, 'giving')), { code: 'MN003' })
})

test('only an active member of the masjid can hold one', async () => {
  for (const user of [users.former, users.disabled, users.service]) {
    await assert.rejects(as({ user_id: users.admin }, grant(user, 'times')), {
      constraint: 'ua_capabilities_member_check',
    })
  }
})

test('what comes with a role is not withdrawn by itself', async () => {
  await assert.rejects(as({ user_id: users.admin }, withdraw(users.board, 'people')), {
    constraint: 'ua_capabilities_role_check',
  })
})

test('nobody takes "capabilities" from the last who holds it, not even two from each other at once', async () => {
  const { owner } = model()
  const two = [uuid(21), uuid(22)]
  const masjid = masjids.b
  for (const id of two) {
    await account(owner, { id })
    await insertRow(owner, 'ua_members', { masjid_id: masjid, given_name: 'x', user_id: id })
    await as({ user_id: users.service }, sql`(ua_grant_capability(${masjid}, ${id}, 'capabilities')).id`)
  }
  for (let round = 0; round < 5; round += 1) {
    const outcomes = await Promise.allSettled(
      two.map((id, index) =>
        as({ user_id: id }, sql`(ua_withdraw_capability(${masjid}, ${two[1 - index]}, 'capabilities')).id`),
      ),
    )
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const holders = await owner.query<{ user_id: string }>(sql`
      select user_id from ua_capabilities where masjid_id = ${masjid} and withdrawn_at is null`)
    assert.equal(holders.length, 1)
    const last = holders[0]?.user_id ?? ''
    for (const settings of [{ user_id: last }, { user_id: users.service }]) {
      await assert.rejects(as(settings, sql`(ua_withdraw_capability(${masjid}, ${last}, 'capabilities')).id`), {
        constraint: 'ua_capabilities_last_holder_check',
      })
    }
    for (const id of two) await as({ user_id: last }, sql`(ua_grant_capability(${masjid}, ${id}, 'capabilities')).id`)
  }
})

test('functions with the owner’s rights look for temporary tables last', async () => {
  assert.deepEqual(
    await model().owner.query(sql`
      select oid::regprocedure::text as name from pg_proc
      where pronamespace in ('public'::regnamespace, 'sandbox'::regnamespace) and prosecdef and prosqlbody is null
        and not coalesce(array_to_string(proconfig, ' ') ~ 'search_path=[^=]*, extensions, pg_temp', false)`),
    [],
  )
})

test('people see their own capabilities; those who manage them, and the masjid’s own app, see all there', async () => {
  await as({ user_id: users.admin }, grant(users.member, 'screens'))
  const seen = async (settings: Record<string, string>) =>
    (
      await model().read<{ user_id: string }>(
        settings,
        sql`
      select distinct user_id from public.ua_capabilities where masjid_id = ${masjids.a}`,
      )
    ).map(row => row.user_id)
  assert.deepEqual(await seen({ user_id: users.member }), [users.member])
  assert.deepEqual(await seen({ user_id: users.admin }), [users.member])
  assert.deepEqual(await seen({ masjids: '*', own_masjids: `{${masjids.a}}` }), [users.member])
  assert.deepEqual(await seen({ user_id: users.former }), [])
  assert.deepEqual(await seen({ masjids: '*' }), [])
})
