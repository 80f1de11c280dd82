// Who sees which people and gifts, over HTTP: in lists, by key, and through every filter, order and aggregate that could leak them.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readingScopes } from '../../src/access/scopes.ts'
import type { MasjidChoice } from '../../src/apps/masjids.ts'
import type { Database } from '../../src/db/database.ts'
import { rawSql, type Sql, sql } from '../../src/db/sql.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type Data, type GraphqlClient, openClient } from '../support/graphql.ts'
import { type TestMinaret, useMinaret } from '../support/minaret.ts'
import { getTokens, makeClient, makePerson, signIn } from '../support/oauth.ts'
import { fixtureTemplate, masjidId, memberId } from './fixture.ts'

/** A caller, and what it may see, in the plainest SQL: the rule of the contract, not the policy. */
interface Asker {
  readonly name: string
  readonly open: (minaret: TestMinaret) => Promise<string>
  readonly members: Sql
  readonly donations: Sql
  /** The rows that aggregates cover when small groups at other masjids are suppressed. */
  readonly counted?: Sql
  /** The member linked to the signed-in person. */
  readonly self?: string
}

const keyOf =
  (masjids: MasjidChoice) =>
  async ({ service: { database } }: TestMinaret): Promise<string> => {
    const { id } = await makeApp(database, { scopes: readingScopes, masjids })
    return (await makeKey(database, { appId: id, scopes: readingScopes })).key
  }

/** A token of the person linked to that member. */
const tokenOf =
  (member: number) =>
  async (minaret: TestMinaret): Promise<string> => {
    const { database } = minaret.service
    const user = await makePerson(database)
    await database.run(sql`update public.ua_members set user_id = ${user.id} where id = ${memberId(member)}`)
    const flow = { app: await makeClient(database), user, cookie: await signIn(database, user) }
    return (await getTokens(minaret, flow, { scope: readingScopes.join(' ') })).access_token
  }

const [first, second] = [masjidId(1), masjidId(2)]
const shared = sql`consent_api_sharing`
const givers = (condition: Sql): Sql =>
  sql`member_id in (select id from public.ua_members where deleted_at is null and (${condition}))`

const ofMembers = (condition: Sql): Pick<Asker, 'members' | 'donations'> => ({
  members: condition,
  donations: givers(condition),
})

const askers: readonly Asker[] = [
  { name: 'an app', open: keyOf({ only: '*', own: [] }), ...ofMembers(shared) },
  {
    name: 'an app narrowed to one masjid',
    open: keyOf({ only: [first], own: [] }),
    ...ofMembers(sql`${shared} and masjid_id = ${first}`),
  },
  {
    name: 'the own app of one masjid',
    open: keyOf({ only: [first], own: [first] }),
    ...ofMembers(sql`masjid_id = ${first}`),
  },
  {
    name: 'the own app of one masjid that reaches all',
    open: keyOf({ only: '*', own: [second] }),
    ...ofMembers(sql`masjid_id = ${second} or ${shared}`),
    counted: sql`masjid_id = ${second}`,
  },
  { name: 'a member', open: tokenOf(2), self: memberId(2), ...ofMembers(sql`id = ${memberId(2)}`) },
  {
    name: 'a member of the board',
    open: tokenOf(1),
    self: memberId(1),
    ...ofMembers(sql`masjid_id = ${second}`),
  },
]

const idsOf = async (database: Database, table: string, condition: Sql): Promise<string[]> => {
  const rows = await database.query<{ id: string }>(
    sql`select id from ${rawSql(`public.${table}`)} where deleted_at is null and (${condition}) order by id`,
  )
  return rows.map(({ id }) => id)
}

const FEWEST = 5

describe('rows with people in them', () => {
  const open = new Map<string, GraphqlClient>()
  after(() => {
    for (const client of open.values()) client.close()
  })
  const minaret = useMinaret(
    {},
    async running => {
      for (const asker of askers) open.set(asker.name, openClient(running, await asker.open(running)))
    },
    { template: fixtureTemplate },
  )
  const database = (): Database => minaret().service.database

  for (const asker of askers)
    describe(asker.name, () => {
      const ask = async (query: string, variables: Record<string, unknown> = {}): Promise<Data> => {
        const client = open.get(asker.name) as GraphqlClient
        const { body, text } = await client.query({ query, variables })
        assert.equal(body.errors, undefined, text)
        return body.data
      }
      const visible = (table: 'ua_members' | 'ua_donations'): Promise<string[]> =>
        idsOf(database(), table, table === 'ua_members' ? asker.members : asker.donations)
      /** An aggregate over rows of these people, if it is shown: the minimum of five protects others, not oneself. */
      const shown = (total: number, people: ReadonlySet<string>): number | null => {
        const others = [...people].filter(one => one !== asker.self).length
        return others >= FEWEST || (asker.self !== undefined && others === 0) ? total : null
      }
      const hidden = async (table: 'ua_members' | 'ua_donations'): Promise<string[]> => {
        const seen = new Set(await visible(table))
        return (await idsOf(database(), table, sql`true`)).filter(id => !seen.has(id))
      }

      for (const table of ['ua_members', 'ua_donations'] as const) {
        test(`${table}: the list`, async () => {
          const data = await ask(`{ rows: ${table}(order_by: {id: asc}) { id } }`)
          const ids = data.rows.map((row: { id: string }) => row.id)
          assert.deepEqual(ids, await visible(table))
          assert.ok((await hidden(table)).length > 0, 'the test needs hidden rows')
        })

        test(`${table}: by key`, async () => {
          const [unseen] = await hidden(table)
          const data = await ask(`query ($id: uuid!) { row: ${table}_by_pk(id: $id) { id } }`, { id: unseen })
          assert.equal(data.row, null)
        })

        test(`${table}: aggregates cover only visible rows, and at least five people`, async () => {
          const data = await ask(`{ all: ${table}_aggregate { aggregate { count max { created_at } } nodes { id } } }`)
          const seen = await visible(table)
          const counted = asker.counted === undefined ? seen : await idsOf(database(), table, asker.counted)
          const people = table === 'ua_members' ? new Set(counted) : await giversOf(counted)
          assert.equal(data.all.aggregate?.count ?? null, shown(counted.length, people))
          assert.equal(data.all.nodes.length, seen.length)
        })

        test(`${table}: a filter by hidden values finds nothing`, async () => {
          const unseen = await hidden(table)
          const data = await ask(
            `query ($ids: [uuid!]) { rows: ${table}(where: {id: {_in: $ids}}) { id }
              total: ${table}_aggregate(where: {id: {_in: $ids}}) { aggregate { count } } }`,
            { ids: unseen },
          )
          assert.deepEqual(data.rows, [])
          assert.equal(data.total.aggregate?.count ?? null, shown(0, new Set()))
        })
      }

      const giversOf = async (donations: readonly string[]): Promise<ReadonlySet<string>> => {
        const rows = await database().query<{ giver: string }>(sql`
          select distinct coalesce(member_id::text, donor_email, id::text) as giver
          from public.ua_donations where id = any (${donations}::uuid[])`)
        return new Set(rows.map(({ giver }) => giver))
      }

      test('filtering masjids by members considers only visible members', async () => {
        const unseen = await hidden('ua_members')
        const query = `query ($ids: [uuid!]) {
          found: up_masjids(where: {members: {id: {_in: $ids}}}) { id }
          not: up_masjids(where: {_not: {members: {id: {_in: $ids}}}}) { id }
          counted: up_masjids(where: {members_aggregate: {count: {predicate: {_gte: 1}, filter: {id: {_in: $ids}}}}}) { id }
          events: up_events(where: {masjid: {members: {id: {_in: $ids}}}}) { id }
        }`
        const data = await ask(query, { ids: unseen })
        assert.deepEqual([data.found, data.counted, data.events], [[], [], []])
        assert.equal(data.not.length, 11)
      })

      test('guessing a name letter by letter through a filter reveals nothing about hidden people', async () => {
        const seen = await visible('ua_members')
        const letters = await ask(
          '{ a: up_masjids(where: {members: {given_name: {_like: "Sample Member 1%"}}}) { id } }',
        )
        const expected = await database().query<{ id: string }>(sql`
          select distinct masjid_id as id from public.ua_members
          where given_name like 'Sample Member 1%' and id = any (${seen}::uuid[]) order by 1`)
        assert.deepEqual(
          letters.a.map((row: { id: string }) => row.id).sort(),
          expected.map(({ id }) => id),
        )
      })

      test('the members of a masjid, and their count', async () => {
        const seen = new Set(await visible('ua_members'))
        const data = await ask(`{ up_masjids(order_by: {id: asc}, limit: 2) {
          id members(order_by: {id: asc}) { id } members_aggregate { aggregate { count } } } }`)
        for (const masjid of data.up_masjids) {
          const own = await idsOf(database(), 'ua_members', sql`masjid_id = ${masjid.id}`)
          const expected = own.filter(id => seen.has(id))
          assert.deepEqual(
            masjid.members.map((row: { id: string }) => row.id),
            expected,
          )
          assert.equal(masjid.members_aggregate.aggregate?.count ?? null, shown(expected.length, new Set(expected)))
        }
      })

      test('ordering masjids by their members reveals no more than the visible rows', async () => {
        const seen = new Set(await visible('ua_members'))
        const data = await ask(
          '{ up_masjids(where: {slug: {_in: ["masjid-1", "masjid-2"]}}, order_by: [{members_aggregate: {count: desc_nulls_last}}, {id: asc}]) { id } }',
        )
        const counts = new Map<string, number>()
        for (const id of [first, second]) {
          const own = await idsOf(database(), 'ua_members', sql`masjid_id = ${id}`)
          const known = own.filter(one => seen.has(one))
          counts.set(id, shown(known.length, new Set(known)) ?? -1)
        }
        const expected = [first, second].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1))
        assert.deepEqual(
          data.up_masjids.map((row: { id: string }) => row.id),
          expected,
        )
      })

      test('groups of fewer than five people are suppressed', async () => {
        const data = await ask(
          '{ ua_members_aggregate(group_by: [masjid_id]) { groups { keys { masjid_id } aggregate { count } } } }',
        )
        const seen = await visible('ua_members')
        const rows = await database().query<{ masjid_id: string; count: number }>(sql`
          select masjid_id, count(*)::int as count from public.ua_members where id = any (${seen}::uuid[])
          group by 1 having count(*) filter (where id is distinct from ${asker.self ?? null}::uuid) >= ${FEWEST}
            or bool_and(id is not distinct from ${asker.self ?? null}::uuid) order by 1`)
        const groups = data.ua_members_aggregate.groups.map((group: Data) => ({
          masjid_id: group.keys.masjid_id,
          count: group.aggregate.count,
        }))
        assert.deepEqual(groups, rows)
      })

      test('aggregates over a few selected people are suppressed', async () => {
        const [one] = await idsOf(
          database(),
          'ua_donations',
          sql`${asker.donations} and member_id is distinct from ${asker.self ?? null}::uuid`,
        )
        if (one === undefined) return
        const data = await ask(
          `query ($id: uuid!) {
            direct: ua_donations_aggregate(where: {id: {_eq: $id}}) { aggregate { sum { amount_minor } } }
            guess: up_masjids(where: {donations_aggregate: {sum: {predicate: {amount_minor: {_gt: 0}}, filter: {id: {_eq: $id}}}}}) { id }
            grouped: ua_donations_aggregate(where: {id: {_eq: $id}}, group_by: fund) { groups { keys { fund } } }
          }`,
          { id: one },
        )
        assert.equal(data.direct.aggregate?.sum?.amount_minor ?? null, null)
        assert.deepEqual(data.guess, [])
        assert.deepEqual(data.grouped.groups, [])
      })
    })

  test('two people who send the same query at the same time each get their own rows', async () => {
    const question = { query: '{ ua_members(order_by: {id: asc}) { id } }' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const asker = askers[index % askers.length] as Asker
        return open.get(asker.name)?.query(question)
      }),
    )
    for (const [index, answer] of answers.entries()) {
      const expected = await idsOf(database(), 'ua_members', (askers[index % askers.length] as Asker).members)
      assert.deepEqual(
        answer?.body.data.ua_members.map((row: { id: string }) => row.id),
        expected,
      )
    }
  })
})
