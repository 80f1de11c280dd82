// up_rsvp: people answer events as themselves, with events:write alone; one person has one answer, however they are known.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import { rawSql, sql } from '../../../src/db/sql.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { holdOccurrence } from '../../support/events.ts'
import { type AnswerError, type Data, type GraphqlClient, openClient } from '../../support/graphql.ts'
import { useMinaret } from '../../support/minaret.ts'
import { getTokens, makeClient, makePerson, signIn } from '../../support/oauth.ts'
import { fixtureTemplate, masjidId } from '../fixture.ts'

const HERE = masjidId(1)
const ELSEWHERE = masjidId(2)

const RSVP = `mutation ($occurrence: uuid!, $status: up_rsvp_status = going, $size: Int) {
  up_rsvp(args: {occurrence_id: $occurrence, status: $status, party_size: $size}) { id user_id status party_size } }`
const OWN =
  'query ($occurrence: uuid!) { up_own_rsvps(where: {occurrence_id: {_eq: $occurrence}}) { id status party_size } }'

interface Someone {
  readonly user: User
  readonly client: GraphqlClient
}

interface Row {
  readonly member_id: string | null
  readonly user_id: string | null
  readonly guest_name: string | null
  readonly guest_email: string | null
  readonly status: string
  readonly party_size: number
}

describe('people who answer as themselves', () => {
  const minaret = useMinaret({}, undefined, { template: fixtureTemplate })
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
  const someone = async (scope = 'events:write', user?: User): Promise<Someone> => {
    const person = user ?? (await makePerson(database()))
    const app = await makeClient(database(), { scopes: scope })
    const cookie = await signIn(database(), person)
    const { access_token } = await getTokens(minaret(), { app, user: person, cookie }, { scope })
    return { user: person, client: open(access_token) }
  }
  const enrol = async (userId: string | null, masjid = HERE): Promise<string> => {
    const row = await database().first<{ id: string }>(sql`
      insert into public.ua_members (masjid_id, user_id, given_name) values (${masjid}, ${userId}, 'Somebody') returning id`)
    return row?.id ?? ''
  }
  const occurrenceAt = (masjid = HERE, capacity: number | null = null) => holdOccurrence(database(), masjid, capacity)
  const rowsOf = (occurrence: string): Promise<Row[]> =>
    database().query<Row>(sql`
      select member_id, user_id, guest_name, guest_email, status, party_size from public.up_event_rsvps
      where occurrence_id = ${occurrence} order by responded_at`)
  const guest = (occurrence: string, email: string, size = 1) =>
    database().run(sql`
      insert into public.up_event_rsvps (occurrence_id, guest_name, guest_email, party_size)
      values (${occurrence}, 'Guest', ${email}, ${size})`)
  const going = async (occurrence: string): Promise<number | undefined> =>
    (
      await database().first<{ going_count: number }>(
        sql`select going_count from public.up_event_occurrences where id = ${occurrence}`,
      )
    )?.going_count

  const data = async ({ client }: Someone, query: string, variables: object): Promise<Data> => {
    const { body, text } = await client.query({ query, variables: { ...variables } })
    assert.equal(body.errors, undefined, text)
    return body.data
  }
  const refusal = async ({ client }: Someone, query: string, variables: object): Promise<AnswerError> => {
    const { body, text } = await client.query({ query, variables: { ...variables } })
    assert.equal(body.errors?.length, 1, text)
    return body.errors?.[0] as AnswerError
  }

  test('events:write alone answers, shows the answer, reads it back and takes it back', async () => {
    const [person, occurrence] = [await someone(), await occurrenceAt()]
    const { up_rsvp: answered } = await data(person, RSVP, { occurrence, size: 3 })
    assert.deepEqual([answered.user_id, answered.status, answered.party_size], [person.user.id, 'going', 3])
    const changed = await data(person, RSVP, { occurrence, status: 'maybe' })
    assert.deepEqual(changed.up_rsvp, { ...answered, status: 'maybe' })
    assert.deepEqual((await data(person, OWN, { occurrence })).up_own_rsvps, [
      { id: answered.id, status: 'maybe', party_size: 3 },
    ])
    await data(person, RSVP, { occurrence, status: 'declined' })
    assert.equal(await going(occurrence), 0)
    assert.equal((await rowsOf(occurrence)).length, 1)
  })

  test('what the answer belongs to, and the table of all answers, need their own scopes', async () => {
    const [person, occurrence] = [await someone(), await occurrenceAt()]
    const nested = RSVP.replace('{ id user_id', '{ occurrence { starts_at } id user_id')
    assert.deepEqual((await refusal(person, nested, { occurrence })).extensions.scopes, ['events:read'])
    assert.deepEqual(await rowsOf(occurrence), [])
    const all = await refusal(person, 'query { up_event_rsvps { id } }', {})
    assert.deepEqual(all.extensions.scopes, ['events:read', 'members:read'])
    const reader = await someone('events:read members:read')
    assert.equal((await refusal(reader, OWN, { occurrence })).extensions.code, 'insufficient-scope')
    const { body } = await reader.client.query({ query: RSVP, variables: { occurrence } })
    assert.ok(body.errors?.every(({ extensions }) => extensions.code === 'insufficient-scope'))
  })

  test('introspection shows up_rsvp and its type to events:write, and to nobody without it', async () => {
    const asked = '{ __schema { mutationType { fields { name } } } __type(name: "up_own_rsvps") { fields { name } } }'
    const { __schema: schema, __type: type } = await data(await someone(), asked, {})
    assert.ok(schema.mutationType.fields.some(({ name }: { name: string }) => name === 'up_rsvp'))
    assert.ok(type.fields.some(({ name }: { name: string }) => name === 'status'))
    assert.equal((await data(await someone('events:read'), asked, {})).__type, null)
  })

  test('own answers stand beside the events, for whoever may read events too', async () => {
    const [person, occurrence] = [await someone('events:read events:write'), await occurrenceAt()]
    await data(await someone(), RSVP, { occurrence })
    await data(person, RSVP, { occurrence, size: 2 })
    const asked = 'query ($id: uuid!) { up_event_occurrences_by_pk(id: $id) { going_count own_rsvps { party_size } } }'
    assert.deepEqual((await data(person, asked, { id: occurrence })).up_event_occurrences_by_pk, {
      going_count: 3,
      own_rsvps: [{ party_size: 2 }],
    })
  })

  test('a membership is found, and shown as the member’s to the staff; without one the name is', async () => {
    const [member, stranger, occurrence] = [await someone(), await someone(), await occurrenceAt()]
    const memberId = await enrol(member.user.id)
    await data(member, RSVP, { occurrence })
    await data(stranger, RSVP, { occurrence })
    assert.deepEqual(
      (await rowsOf(occurrence)).map(row => [row.member_id, row.user_id, row.guest_name]),
      [
        [memberId, member.user.id, null],
        [null, stranger.user.id, stranger.user.name],
      ],
    )
  })

  test('a person is one row as member, account and guest: whichever comes first keeps its place', async () => {
    const person = await someone()
    const occurrence = await occurrenceAt(HERE, 2)
    await guest(occurrence, person.user.email, 2)
    await data(await someone(), RSVP, { occurrence })
    await data(person, RSVP, { occurrence })
    const [row, other] = await rowsOf(occurrence)
    assert.deepEqual([row?.user_id, row?.guest_email, row?.status], [person.user.id, null, 'going'])
    assert.equal(other?.status, 'waitlisted')
    const memberId = await enrol(person.user.id)
    assert.deepEqual(
      (await rowsOf(occurrence)).map(({ member_id }) => member_id),
      [memberId, null],
    )
    await data(person, RSVP, { occurrence, size: 1 })
    assert.equal((await rowsOf(occurrence)).length, 2)
    assert.equal(await going(occurrence), 2)
  })

  test('a member answered for by staff is the same row as their account, whichever was first', async () => {
    const [person, other] = [await someone(), await someone()]
    const occurrence = await occurrenceAt()
    const memberId = await enrol(person.user.id)
    const byStaff = (member: string) =>
      database().run(
        sql`insert into public.up_event_rsvps (occurrence_id, member_id, party_size) values (${occurrence}, ${member}, 4)`,
      )
    await byStaff(memberId)
    await data(person, RSVP, { occurrence, status: 'maybe' })
    await data(other, RSVP, { occurrence })
    const otherMember = await enrol(other.user.id)
    await assert.rejects(byStaff(otherMember), /duplicate key/)
    assert.deepEqual(
      (await rowsOf(occurrence)).map(row => [row.member_id, row.user_id, row.status, row.party_size]),
      [
        [memberId, person.user.id, 'maybe', 4],
        [otherMember, other.user.id, 'going', 1],
      ],
    )
  })

  test('a guest who is answered for as a member keeps rank and place', async () => {
    const person = await someone()
    const occurrence = await occurrenceAt(HERE, 1)
    await guest(occurrence, person.user.email)
    await data(await someone(), RSVP, { occurrence })
    const memberId = await enrol(person.user.id)
    await database().run(
      sql`insert into public.up_event_rsvps (occurrence_id, member_id) values (${occurrence}, ${memberId})`,
    )
    assert.deepEqual(
      (await rowsOf(occurrence)).map(row => [row.member_id, row.status]),
      [
        [memberId, 'going'],
        [null, 'waitlisted'],
      ],
    )
  })

  test('when an account gets a membership that was answered for, what the person said stays; it leaves with the account', async () => {
    const person = await someone()
    const [one, two] = [await occurrenceAt(), await occurrenceAt()]
    const memberId = await enrol(null)
    for (const occurrence of [one, two])
      await database().run(sql`
        insert into public.up_event_rsvps (occurrence_id, member_id, party_size) values (${occurrence}, ${memberId}, 5)`)
    await data(person, RSVP, { occurrence: one })
    const link = (user: string | null) =>
      database().run(sql`update public.ua_members set user_id = ${user} where id = ${memberId}`)
    await link(person.user.id)
    const found = async () =>
      [...(await rowsOf(one)), ...(await rowsOf(two))].map(row => [row.member_id, row.user_id, row.party_size])
    assert.deepEqual(await found(), [
      [memberId, person.user.id, 1],
      [memberId, person.user.id, 5],
    ])
    assert.equal(await going(one), 1)
    await link(null)
    assert.deepEqual(await found(), [
      [memberId, null, 1],
      [memberId, null, 5],
    ])
    assert.deepEqual((await data(person, OWN, { occurrence: one })).up_own_rsvps, [])
    await link(person.user.id)
    await database().run(sql`delete from public.ua_members where id = ${memberId}`)
    assert.deepEqual(
      (await rowsOf(one)).map(row => [row.member_id, row.user_id, row.guest_name]),
      [[null, person.user.id, person.user.name]],
    )
  })

  test('fifty answers of members, accounts and guests at once: never more than places, each counted once', async () => {
    const occurrence = await occurrenceAt(HERE, 10)
    const person = await someone()
    const people = await Promise.all(Array.from({ length: 15 }, () => makePerson(database())))
    const members = await Promise.all(people.slice(0, 10).map(({ id }) => enrol(id)))
    const answerOf = (id: string) =>
      database().transaction(async transaction => {
        await transaction.run(sql`select set_config('minaret.user_id', ${id}, true)`)
        await transaction.run(sql`select public.up_rsvp(${occurrence}::uuid)`)
      })
    const byMember = (id: string) =>
      database().run(sql`
        insert into public.up_event_rsvps (occurrence_id, member_id) values (${occurrence}, ${id}) on conflict do nothing`)
    await Promise.all([
      ...people.flatMap(({ id }) => [answerOf(id), answerOf(id)]),
      ...members.map(byMember),
      ...Array.from({ length: 10 }, () => guest(occurrence, `${randomUUID()}@example.org`)),
      data(person, RSVP, { occurrence }),
    ])
    const rows = await rowsOf(occurrence)
    assert.equal(rows.length, 26)
    assert.equal(rows.filter(({ status }) => status === 'going').length, 10)
    assert.equal(await going(occurrence), 10)
    assert.equal(new Set(rows.map(row => row.user_id ?? row.guest_email)).size, 26)
  })

  test('when it is full the answer waits; whoever has a place keeps it, and cannot take more than there are', async () => {
    const occurrence = await occurrenceAt(HERE, 2)
    const [first, second] = [await someone(), await someone()]
    await data(first, RSVP, { occurrence, size: 2 })
    assert.equal((await data(second, RSVP, { occurrence })).up_rsvp.status, 'waitlisted')
    assert.equal((await data(first, RSVP, { occurrence })).up_rsvp.status, 'going')
    assert.match((await refusal(first, RSVP, { occurrence, size: 3 })).message, /not enough places left/)
    await data(first, RSVP, { occurrence, size: 1 })
    assert.equal((await data(second, OWN, { occurrence })).up_own_rsvps[0].status, 'going')
  })

  for (const [what, close, words] of [
    [
      'is cancelled',
      "update public.up_event_occurrences set status = 'cancelled' where id = $1",
      'The event is cancelled.',
    ],
    [
      'is over',
      "update public.up_event_occurrences set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1",
      'The event is over.',
    ],
    [
      'is deleted',
      'update public.up_event_occurrences set deleted_at = now() where id = $1',
      'There is no such occurrence.',
    ],
    [
      'belongs to a cancelled event',
      "update public.up_events set status = 'cancelled' where id = (select event_id from public.up_event_occurrences where id = $1)",
      'The event is cancelled.',
    ],
    [
      'belongs to a deleted event',
      'update public.up_events set deleted_at = now() where id = (select event_id from public.up_event_occurrences where id = $1)',
      'There is no such occurrence.',
    ],
  ] as const)
    test(`what ${what} is not answered, by up_rsvp or by hand, except by its staff`, async () => {
      const scopes = 'events:read members:read events:write'
      const [person, board] = [await someone(scopes), await someone(scopes)]
      const memberId = await enrol(person.user.id)
      const boardId = await enrol(board.user.id)
      await database().run(sql`update public.ua_members set role = 'board' where id = ${boardId}`)
      const occurrence = await occurrenceAt()
      const insert = `mutation ($occurrence: uuid!, $member: uuid!) {
        insert_up_event_rsvps_one(object: {occurrence_id: $occurrence, member_id: $member}) { status } }`
      await database().run(rawSql(close.replace('$1', `'${occurrence}'`)))
      assert.equal((await refusal(person, RSVP, { occurrence })).message, words)
      assert.equal((await refusal(person, insert, { occurrence, member: memberId })).message, words)
      assert.deepEqual(await rowsOf(occurrence), [])
      await data(board, insert, { occurrence, member: memberId })
    })

  test('an unlisted masjid, an unknown occurrence, a wrong answer and a wrong party are refused', async () => {
    const person = await someone()
    const occurrence = await occurrenceAt(ELSEWHERE)
    assert.equal((await refusal(person, RSVP, { occurrence: randomUUID() })).message, 'There is no such occurrence.')
    for (const status of ['attended', 'waitlisted'])
      assert.match((await refusal(person, RSVP, { occurrence, status })).message, /going, maybe or declined/)
    for (const size of [0, -1, 51, 2_000_000_000])
      assert.match((await refusal(person, RSVP, { occurrence, size })).message, /1 to 50 people/)
    await database().run(sql`update public.up_masjids set deleted_at = now() where id = ${ELSEWHERE}`)
    assert.equal((await refusal(person, RSVP, { occurrence })).message, 'There is no such occurrence.')
    await database().run(sql`update public.up_masjids set deleted_at = null where id = ${ELSEWHERE}`)
  })

  test('an app by itself answers for nobody, and has no answers of its own', async () => {
    const app = await makeApp(database(), { scopes: ['events:write'], masjids: { only: '*', own: '*' } })
    const { key } = await makeKey(database(), { appId: app.id, scopes: ['events:write'] })
    const alone = { user: await makePerson(database()), client: open(key) }
    const occurrence = await occurrenceAt()
    assert.equal((await refusal(alone, RSVP, { occurrence })).extensions.code, 'not-permitted')
    await data(await someone(), RSVP, { occurrence })
    assert.deepEqual((await data(alone, OWN, { occurrence })).up_own_rsvps, [])
  })

  test('a dry run says what would be, and keeps nothing', async () => {
    const [person, occurrence] = [await someone(), await occurrenceAt()]
    const { up_rsvp: tried } = await data(person, RSVP.replace(') {', ') @dry_run {'), { occurrence })
    assert.equal(tried.status, 'going')
    assert.deepEqual(await rowsOf(occurrence), [])
  })
})
