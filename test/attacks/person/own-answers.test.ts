// Somebody with an account, and the apps that act for people: to answer for others, to read what others answered, to take a stranger's answer.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { dataScopes, type Scope } from '../../../src/access/scopes.ts'
import type { User } from '../../../src/accounts/users.ts'
import { sql } from '../../../src/db/sql.ts'
import { goingTo, holdEvent, rowsOf } from '../../masjid/use-guests.ts'
import { makeStaff, visitAs } from '../../staff/use-staff.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { type Answer, type GraphqlClient, openClient } from '../../support/graphql.ts'
import { useMinaret } from '../../support/minaret.ts'
import { getTokens, makeClient, makePerson, signIn } from '../../support/oauth.ts'

const RSVP = `mutation ($occurrence: uuid!, $status: up_rsvp_status, $size: Int) {
  up_rsvp(args: {occurrence_id: $occurrence, status: $status, party_size: $size}) { id status } }`

describe('a person with an account', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const opened: GraphqlClient[] = []
  after(() => {
    for (const client of opened) client.close()
  })
  const open = (credential: string): GraphqlClient => {
    const client = openClient(minaret(), credential)
    opened.push(client)
    return client
  }
  const tokenOf = async (user: User, scopes: readonly Scope[] = dataScopes): Promise<GraphqlClient> => {
    const scope = scopes.join(' ')
    const app = await makeClient(database(), { scopes: scope })
    const cookie = await signIn(database(), user)
    return open((await getTokens(minaret(), { app, user, cookie }, { scope })).access_token)
  }
  const ask = async (client: GraphqlClient, query: string, variables: object = {}): Promise<Answer['body']> =>
    (await client.query({ query, variables: { ...variables } })).body
  const idOf = async (client: GraphqlClient, occurrence: string): Promise<string> =>
    (await ask(client, RSVP, { occurrence })).data.up_rsvp.id
  const insertGuest = (occurrence: string, email: string) =>
    database().run(sql`
      insert into public.up_event_rsvps (occurrence_id, guest_name, guest_email) values (${occurrence}, 'Somebody Else', ${email})`)

  test('reads nobody else’s answer, by whatever filter, total or relationship', async () => {
    const held = await holdEvent(minaret())
    const [one, other] = [await makePerson(database()), await makePerson(database())]
    const [mine, theirs] = [await tokenOf(one), await tokenOf(other)]
    const id = await idOf(theirs, held.occurrence)
    await insertGuest(held.occurrence, 'else@example.org')
    const asked = `query ($id: uuid!, $user: uuid!, $occurrence: uuid!) {
      up_own_rsvps { id } key: up_own_rsvps_by_pk(id: $id) { id } user: up_own_rsvps(where: {user_id: {_eq: $user}}) { id }
      total: up_own_rsvps_aggregate { aggregate { count } } all: up_event_rsvps { id } byKey: up_event_rsvps_by_pk(id: $id) { id }
      up_event_occurrences_by_pk(id: $occurrence) { own_rsvps { id } rsvps { id } own_rsvps_aggregate { aggregate { count } } }
      up_masjids { id }
    }`
    const { data, errors } = await ask(mine, asked, { id, user: other.id, occurrence: held.occurrence })
    assert.equal(errors, undefined)
    assert.deepEqual([data.up_own_rsvps, data.key, data.user, data.all, data.byKey], [[], null, [], [], null])
    assert.equal(data.total.aggregate.count, 0)
    const { own_rsvps: own, rsvps, own_rsvps_aggregate: totals } = data.up_event_occurrences_by_pk
    assert.deepEqual([own, rsvps, totals.aggregate.count], [[], [], 0])
  })

  test('answers for nobody else: no account, member or guest can be named', async () => {
    const held = await holdEvent(minaret())
    const [one, other] = [await makePerson(database()), await makeStaff(database(), { masjid: held.masjid })]
    const mine = await tokenOf(one)
    const member = await database().first<{ id: string }>(
      sql`select id from public.ua_members where user_id = ${other.id}`,
    )
    const insert = (object: string) =>
      ask(
        mine,
        `mutation { insert_up_event_rsvps_one(object: {occurrence_id: "${held.occurrence}", ${object}}) { id } }`,
      )
    for (const object of [
      `user_id: "${other.id}"`,
      `member_id: "${member?.id}"`,
      'guest_name: "x", guest_email: "x@example.org"',
      'status: going',
    ])
      assert.notEqual((await insert(object)).errors, undefined, object)
    const forged = `mutation { up_rsvp(args: {occurrence_id: "${held.occurrence}", user_id: "${other.id}"}) { id } }`
    assert.equal((await ask(mine, forged)).errors?.[0]?.extensions.code, 'validation-failed')
    const page = await visitAs(minaret(), one)
    await page.submit(held.path, held.path, {
      status: 'going',
      size: '1',
      user_id: other.id,
      name: 'x',
      email: other.email,
    })
    assert.deepEqual(
      (await rowsOf(minaret(), held)).map(row => [row.user_id, row.guest_name]),
      [[one.id, one.name]],
    )
  })

  test('changes and deletes nobody else’s answer, and gives their own to nobody', async () => {
    const held = await holdEvent(minaret())
    const [one, other] = [await makePerson(database()), await makePerson(database())]
    const [mine, theirs] = [await tokenOf(one), await tokenOf(other)]
    const id = await idOf(theirs, held.occurrence)
    const update =
      'mutation ($id: uuid!, $set: up_event_rsvps_set_input!) { update_up_event_rsvps_by_pk(pk_columns: {id: $id}, _set: $set) { id } }'
    assert.equal((await ask(mine, update, { id, set: { status: 'declined' } })).data.update_up_event_rsvps_by_pk, null)
    const remove = 'mutation ($id: uuid!) { delete_up_event_rsvps_by_pk(id: $id) { id } }'
    assert.equal((await ask(mine, remove, { id })).data.delete_up_event_rsvps_by_pk, null)
    const own = await idOf(mine, held.occurrence)
    await database().run(sql`update public.up_event_rsvps set guest_name = null where id = ${own}`)
    const member = await makeStaff(database(), { masjid: held.masjid })
    const row = await database().first<{ id: string }>(
      sql`select id from public.ua_members where user_id = ${member.id}`,
    )
    for (const set of [
      { user_id: other.id },
      { member_id: row?.id },
      { guest_email: other.email },
      { status: 'attended' },
    ])
      assert.notEqual((await ask(mine, update, { id: own, set })).errors, undefined, JSON.stringify(set))
    assert.deepEqual((await rowsOf(minaret(), held)).map(({ user_id }) => user_id).sort(), [one.id, other.id].sort())
  })

  test('moves an answer to nothing that is cancelled or over, and brings none back there', async () => {
    const [held, gone] = [await holdEvent(minaret()), await holdEvent(minaret())]
    const mine = await tokenOf(await makePerson(database()))
    const id = await idOf(mine, held.occurrence)
    await database().run(sql`update public.up_event_occurrences set status = 'cancelled' where id = ${gone.occurrence}`)
    const move = `mutation { update_up_event_rsvps_by_pk(pk_columns: {id: "${id}"}, _set: {occurrence_id: "${gone.occurrence}"}) { id } }`
    assert.match((await ask(mine, move)).errors?.[0]?.message ?? '', /cancelled/)
    await ask(mine, `mutation { delete_up_event_rsvps_by_pk(id: "${id}") { id } }`)
    await database().run(sql`update public.up_event_occurrences set status = 'cancelled' where id = ${held.occurrence}`)
    const back = `mutation { restore_up_event_rsvps_by_pk(id: "${id}") { id } }`
    assert.match((await ask(mine, back)).errors?.[0]?.message ?? '', /cancelled/)
  })

  test('does not take a guest’s answer by signing up with the address without confirming it', async () => {
    const held = await holdEvent(minaret())
    const thief = await makePerson(database())
    await insertGuest(held.occurrence, 'victim-of-sign-up@example.org')
    await database().run(sql`
      update minaret.users set email = 'victim-of-sign-up@example.org', email_verified_at = null where id = ${thief.id}`)
    const { data } = await ask(await tokenOf(thief), '{ up_own_rsvps { id } }')
    assert.deepEqual(data.up_own_rsvps, [])
    await ask(await tokenOf(thief), RSVP, { occurrence: held.occurrence })
    assert.deepEqual(
      (await rowsOf(minaret(), held)).map(row => row.guest_email),
      ['victim-of-sign-up@example.org', null],
    )
  })

  test('writes nothing once their account is disabled, and sees no guests once dismissed', async () => {
    const held = await holdEvent(minaret())
    await insertGuest(held.occurrence, 'seen@example.org')
    const staff = await makeStaff(database(), { masjid: held.masjid, capabilities: ['events'] })
    const client = await tokenOf(staff)
    const guests = '{ up_event_rsvps { guest_email } }'
    assert.deepEqual((await ask(client, guests)).data.up_event_rsvps, [{ guest_email: 'seen@example.org' }])
    await database().run(sql`update public.ua_members set status = 'inactive' where user_id = ${staff.id}`)
    assert.deepEqual((await ask(client, guests)).data.up_event_rsvps, [])
    const page = await visitAs(minaret(), staff)
    assert.notEqual((await page.get(`/staff/${held.masjid.slug}/events/dates/${held.occurrence}/answers`)).status, 200)
    await database().run(sql`update minaret.users set disabled_at = now() where id = ${staff.id}`)
    await assert.rejects(async () => {
      const { errors } = await ask(client, RSVP, { occurrence: held.occurrence })
      if (errors !== undefined) throw new Error('refused')
    })
    assert.equal(await goingTo(minaret(), held), 1)
  })

  test('an app that is not the masjid’s own sees neither guests nor people without a membership, in rows or totals', async () => {
    const held = await holdEvent(minaret())
    await insertGuest(held.occurrence, 'hidden@example.org')
    await idOf(await tokenOf(await makePerson(database())), held.occurrence)
    const keyFor = async (own: readonly string[]) => {
      const app = await makeApp(database(), { scopes: dataScopes, masjids: { only: '*', own } })
      return open((await makeKey(database(), { appId: app.id, scopes: dataScopes })).key)
    }
    const asked = `{ up_event_rsvps(where: {occurrence_id: {_eq: "${held.occurrence}"}}) { id guest_email user_id } }`
    assert.deepEqual((await ask(await keyFor([]), asked)).data.up_event_rsvps, [])
    assert.equal((await ask(await keyFor([held.masjid.id]), asked)).data.up_event_rsvps.length, 2)
  })
})
