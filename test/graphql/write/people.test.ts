// People write through an app that acts for them: what their capabilities allow, until the moment they are taken away.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { dataScopes } from '../../../src/access/scopes.ts'
import { sql } from '../../../src/db/sql.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { holdOccurrence } from '../../support/events.ts'
import { type AnswerError, type Data, type GraphqlClient, openClient } from '../../support/graphql.ts'
import { type TestMinaret, useMinaret } from '../../support/minaret.ts'
import { getTokens, makeClient, makePerson, signIn } from '../../support/oauth.ts'
import { fixtureTemplate, masjidId } from '../fixture.ts'

const HERE = masjidId(1)
const ELSEWHERE = masjidId(2)

interface Someone {
  readonly userId: string
  readonly memberId: string
  readonly client: GraphqlClient
}

describe('people who write', () => {
  const opened: GraphqlClient[] = []
  after(() => {
    for (const client of opened) client.close()
  })
  const minaret = useMinaret({}, undefined, { template: fixtureTemplate })
  const database = () => minaret().service.database

  const open = (running: TestMinaret, credential: string): GraphqlClient => {
    const client = openClient(running, credential)
    opened.push(client)
    return client
  }

  /** A member of the masjid, signed in through an app with every scope. */
  const someone = async (role = 'member', masjid = HERE): Promise<Someone> => {
    const user = await makePerson(database())
    const member = await database().first<{ id: string }>(sql`
      insert into public.ua_members (masjid_id, user_id, given_name, role, status)
      values (${masjid}, ${user.id}, 'Somebody', ${role}::public.ua_member_role, 'active') returning id`)
    const app = await makeClient(database(), { scopes: dataScopes.join(' ') })
    const cookie = await signIn(database(), user)
    const { access_token } = await getTokens(minaret(), { app, user, cookie }, { scope: dataScopes.join(' ') })
    return { userId: user.id, memberId: member?.id ?? '', client: open(minaret(), access_token) }
  }

  const data = async ({ client }: Someone, query: string, variables: object = {}): Promise<Data> => {
    const { body, text } = await client.query({ query, variables: { ...variables } })
    assert.equal(body.errors, undefined, text)
    return body.data
  }
  const refusal = async ({ client }: Someone, query: string, variables: object = {}): Promise<AnswerError> => {
    const { body, text } = await client.query({ query, variables: { ...variables } })
    assert.equal(body.errors?.length, 1, text)
    return body.errors?.[0] as AnswerError
  }

  const newEvent = `mutation ($masjid: uuid!) { insert_up_events_one(
    object: {masjid_id: $masjid, title: "Lecture", starts_local: "2030-01-01T18:00:00", timezone: "UTC"}) { id version } }`
  const grant = (capability: string): string => `mutation ($masjid: uuid!, $user: uuid!) {
    ua_grant_capability(args: {masjid_id: $masjid, user_id: $user, capability: ${capability}}) { id capability } }`
  const withdraw = (capability: string): string => `mutation ($masjid: uuid!, $user: uuid!) {
    ua_withdraw_capability(args: {masjid_id: $masjid, user_id: $user, capability: ${capability}}) { id withdrawn_at } }`

  test('a member writes once somebody granted the capability, at that masjid, and not after it was withdrawn', async () => {
    const [admin, member] = [await someone('admin'), await someone()]
    const here = { masjid: HERE, user: member.userId }
    assert.equal((await refusal(member, newEvent, { masjid: HERE })).extensions.code, 'not-permitted')
    assert.equal((await refusal(member, grant('events'), here)).extensions.code, 'not-permitted')
    await data(admin, grant('events'), here)
    const { insert_up_events_one: event } = await data(member, newEvent, { masjid: HERE })
    assert.equal(event.version, 1)
    assert.equal((await refusal(member, newEvent, { masjid: ELSEWHERE })).extensions.code, 'not-permitted')
    assert.equal((await refusal(member, grant('times'), here)).extensions.code, 'not-permitted')
    const withdrawn = await data(admin, withdraw('events'), here)
    assert.notEqual(withdrawn.ua_withdraw_capability.withdrawn_at, null)
    assert.equal((await refusal(member, newEvent, { masjid: HERE })).extensions.code, 'not-permitted')
    const change =
      'mutation ($id: uuid!) { update_up_events_by_pk(pk_columns: {id: $id}, _set: {title: "Mine"}) { id } }'
    assert.equal((await data(member, change, { id: event.id })).update_up_events_by_pk, null)
  })

  test('a row that names no masjid is refused with advice to name one', async () => {
    const board = await someone('board')
    const { message, extensions } = await refusal(
      board,
      'mutation { insert_up_events_one(object: {title: "x"}) { id } }',
    )
    assert.equal(extensions.code, 'not-permitted')
    assert.match(message, /Send its masjid_id\./)
  })

  test('a row that somebody else holds locked is answered in time, and can be tried again', async () => {
    const board = await someone('board')
    const { insert_up_events_one: event } = await data(board, newEvent, { masjid: HERE })
    await database().transaction(async transaction => {
      await transaction.run(sql`select from public.up_events where id = ${event.id} for update`)
      const { status, headers, body } = await board.client.query({
        query: 'mutation ($id: uuid!) { update_up_events_by_pk(pk_columns: {id: $id}, _set: {title: "x"}) { id } }',
        variables: { id: event.id },
      })
      assert.deepEqual([status, body.errors?.[0]?.extensions.code], [503, 'database-unavailable'])
      assert.equal(headers['retry-after'], '1')
    })
  })

  test('a dismissed board member and a disabled account write nothing from that moment on', async () => {
    const [dismissed, disabled] = [await someone('board'), await someone('board')]
    await data(dismissed, newEvent, { masjid: HERE })
    await data(disabled, newEvent, { masjid: HERE })
    await database().run(sql`update public.ua_members set status = 'inactive' where id = ${dismissed.memberId}`)
    assert.equal((await refusal(dismissed, newEvent, { masjid: HERE })).extensions.code, 'not-permitted')
    await database().run(sql`update minaret.users set disabled_at = now() where id = ${disabled.userId}`)
    const { status, body } = await disabled.client.query({ query: newEvent, variables: { masjid: HERE } })
    assert.ok(status === 401 || body.errors?.[0]?.extensions.code === 'not-permitted', JSON.stringify(body))
  })

  test('a member answers, changes and withdraws for themselves, and for nobody else', async () => {
    const [member, other] = [await someone(), await someone()]
    const occurrence = await holdOccurrence(database(), HERE)
    const answer = `mutation ($occurrence: uuid!, $member: uuid!) { insert_up_event_rsvps_one(
      object: {occurrence_id: $occurrence, member_id: $member, party_size: 2}) { id status party_size } }`
    const { insert_up_event_rsvps_one: rsvp } = await data(member, answer, {
      occurrence,
      member: member.memberId,
    })
    assert.equal(rsvp.party_size, 2)
    const forOther = await refusal(member, answer, { occurrence, member: other.memberId })
    assert.equal(forOther.extensions.code, 'not-permitted')
    const change =
      'mutation ($id: uuid!) { update_up_event_rsvps_by_pk(pk_columns: {id: $id}, _set: {status: declined}) { status } }'
    assert.equal((await data(other, change, { id: rsvp.id })).update_up_event_rsvps_by_pk, null)
    assert.equal((await data(member, change, { id: rsvp.id })).update_up_event_rsvps_by_pk.status, 'declined')
    const leave = 'mutation ($id: uuid!) { delete_up_event_rsvps_by_pk(id: $id) { id } }'
    assert.equal((await data(other, leave, { id: rsvp.id })).delete_up_event_rsvps_by_pk, null)
    assert.equal((await data(member, leave, { id: rsvp.id })).delete_up_event_rsvps_by_pk.id, rsvp.id)
  })

  test('the treasurer records a gift and reverses it; nobody changes or deletes one', async () => {
    const [admin, treasurer] = [await someone('admin'), await someone()]
    await data(admin, grant('giving'), { masjid: HERE, user: treasurer.userId })
    const give = `mutation ($masjid: uuid!) { insert_ua_donations_one(object: {masjid_id: $masjid, amount_minor: 5000,
      currency: "USD", fund: general, method: cash, is_anonymous: true, status: succeeded, received_at: "2026-01-01T12:00:00Z"}) { id amount_minor } }`
    const { insert_ua_donations_one: gift } = await data(treasurer, give, { masjid: HERE })
    const reverse = `mutation ($masjid: uuid!, $gift: uuid!) { insert_ua_donations_one(object: {masjid_id: $masjid, amount_minor: -5000,
      currency: "USD", fund: general, method: cash, is_anonymous: true, status: succeeded, reverses_donation_id: $gift, received_at: "2026-01-02T12:00:00Z"}) { id amount_minor } }`
    const reversed = await data(treasurer, reverse, { masjid: HERE, gift: gift.id })
    assert.equal(reversed.insert_ua_donations_one.amount_minor, -5000)
    const again = await refusal(treasurer, reverse, { masjid: HERE, gift: gift.id })
    assert.equal(again.extensions.code, 'constraint-violation')
    const unknown = await refusal(treasurer, `mutation { delete_ua_donations_by_pk(id: "${gift.id}") { id } }`)
    assert.equal(unknown.extensions.code, 'validation-failed')
  })

  test('the history of an event, with who changed it, is for those who see the masjid in full, and for nobody else', async () => {
    const board = await someone('board')
    const { insert_up_events_one: event } = await data(board, newEvent, { masjid: HERE })
    const change =
      'mutation ($id: uuid!) { update_up_events_by_pk(pk_columns: {id: $id}, _set: {title: "Moved"}) { id } }'
    await data(board, change, { id: event.id })
    const ask = 'query ($id: uuid!) { up_events_by_pk(id: $id) { history } }'
    const [changed, created] = (await data(board, ask, { id: event.id })).up_events_by_pk.history
    assert.deepEqual([changed.kind, created.kind], ['update', 'insert'])
    assert.deepEqual([changed.old.title, changed.new.title], ['Lecture', 'Moved'])
    assert.deepEqual([changed.user_id, changed.capability], [board.userId, 'events'])
    const app = await makeApp(database(), { scopes: dataScopes, masjids: { only: '*', own: [] } })
    const { key } = await makeKey(database(), { appId: app.id, scopes: dataScopes })
    const stranger = { ...board, client: open(minaret(), key) }
    assert.deepEqual((await data(stranger, ask, { id: event.id })).up_events_by_pk.history, [])
  })
})
