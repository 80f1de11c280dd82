// An app that is not the masjid's own compares totals: over everyone and over everyone but one, in every way a total can be filtered.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { dataScopes } from '../../../src/access/scopes.ts'
import type { MasjidChoice } from '../../../src/apps/masjids.ts'
import { sql } from '../../../src/db/sql.ts'
import { fixtureTemplate, masjidId, memberId } from '../../graphql/fixture.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { type Data, type GraphqlClient, openClient } from '../../support/graphql.ts'
import { type TestMinaret, useMinaret } from '../../support/minaret.ts'

const keyOf = async ({ service: { database } }: TestMinaret, masjids: MasjidChoice): Promise<string> => {
  const { id } = await makeApp(database, { scopes: dataScopes, masjids })
  return (await makeKey(database, { appId: id, scopes: dataScopes })).key
}

/** Everyone agrees to sharing, except three at masjid 1: seven share at masjid 2, and four at masjid 1. */
const notShared = [2, 4, 6].map(memberId)
const victim = memberId(5)
const victimGifts = sql`select sum(amount_minor)::int as sum, count(*)::int as count from public.ua_donations where member_id = ${victim}`

describe('two totals that differ by one person', () => {
  let outsider: GraphqlClient
  let own: GraphqlClient
  after(() => {
    outsider.close()
    own.close()
  })
  const minaret = useMinaret(
    {},
    async running => {
      const { database } = running.service
      await database.run(
        sql`update public.ua_members set consent_api_sharing = id <> all (${notShared}::uuid[]), consent_at = now()`,
      )
      await database.run(sql`update public.ua_donations set fund = 'general'`)
      await database.run(sql`
      insert into public.ua_households (id, masjid_id, name, city) values (${masjidId(90)}, ${masjidId(2)}, 'A household', 'Apex')`)
      await database.run(sql`update public.ua_members set household_id = ${masjidId(90)} where id = ${victim}`)
      outsider = openClient(running, await keyOf(running, { only: '*', own: [] }))
      own = openClient(running, await keyOf(running, { only: '*', own: [masjidId(2)] }))
    },
    { template: fixtureTemplate },
  )

  const ask = async (client: GraphqlClient, query: string): Promise<Data> => {
    const { body, text } = await client.query({ query })
    assert.equal(body.errors, undefined, text)
    return body.data
  }

  test('the totals themselves are returned, over groups of at least five people', async () => {
    const data = await ask(
      outsider,
      `{ members: ua_members_aggregate { aggregate { count } }
        second: ua_members_aggregate(where: {masjid_id: {_eq: "${masjidId(2)}"}}) { aggregate { count } }
        first: ua_members_aggregate(where: {masjid_id: {_eq: "${masjidId(1)}"}}) { aggregate { count } }
        named: ua_members_aggregate(where: {masjid: {slug: {_eq: "masjid-2"}}}) { aggregate { count } }
        gifts: ua_donations_aggregate(where: {currency: {_eq: "USD"}, _not: {fund: {_eq: zakat}}}) { aggregate { count sum { amount_minor } } }
        below: up_masjids(where: {members_aggregate: {count: {predicate: {_gte: 1}}}}) { slug members_aggregate { aggregate { count } } }
        groups: ua_members_aggregate(group_by: masjid_id) { groups { keys { masjid_id } aggregate { count } } } }`,
    )
    assert.deepEqual(
      [data.members.aggregate.count, data.second.aggregate.count, data.first.aggregate, data.named.aggregate.count],
      [7, 7, null, 7],
    )
    assert.ok(data.gifts.aggregate.sum.amount_minor > 0)
    assert.deepEqual(data.below, [{ slug: 'masjid-2', members_aggregate: { aggregate: { count: 7 } } }])
    assert.deepEqual(data.groups.groups, [{ keys: { masjid_id: masjidId(2) }, aggregate: { count: 7 } }])
  })

  const others = `{id: {_neq: "${victim}"}}`
  /** Ways to leave one person out of a total over members, or to add one to a total over others. */
  const narrowings: Record<string, string> = {
    'by id': `where: ${others}`,
    'by _not': `where: {_not: {id: {_eq: "${victim}"}}}`,
    'by _nin': `where: {id: {_nin: ["${victim}"]}}`,
    'by name': 'where: {given_name: {_neq: "Sample Member 5"}}',
    'by date range': 'where: {_or: [{joined_on: {_lt: "2025-01-06"}}, {joined_on: {_gt: "2025-01-06"}}]}',
    'by the city of the household': 'where: {_not: {household: {city: {_eq: "Apex"}}}}',
    'by gifts': `where: {_not: {donations: {member_id: {_eq: "${victim}"}}}}`,
    'by a total of gifts': 'where: {donations_aggregate: {count: {predicate: {_gte: 0}}}}',
    'by a tracker': `where: {_or: [{masjid_id: {_eq: "${masjidId(2)}"}}, {id: {_eq: "${memberId(9)}"}}]}`,
    'by a filter that matches everyone': 'where: {given_name: {_like: "%"}}',
    'by an empty branch': `where: {_and: [{}, ${others}]}`,
    'by a page': 'order_by: {id: asc}, limit: 6',
    'by an offset': 'order_by: {id: asc}, offset: 1',
    'by different values': 'distinct_on: role',
  }
  for (const [name, narrowing] of Object.entries(narrowings))
    test(`${name}: no total, whatever the data`, async () => {
      const data = await ask(
        outsider,
        `{ total: ua_members_aggregate(${narrowing}) { aggregate { count min { email } } }
          groups: ua_members_aggregate(${narrowing}, group_by: masjid_id) { groups { keys { masjid_id } } } }`,
      )
      assert.equal(data.total.aggregate, null)
      assert.deepEqual(data.groups.groups, [])
    })

  test('by a cursor: totals accept none', async () => {
    const { body } = await outsider.query({ query: '{ ua_members_aggregate(after: "x") { aggregate { count } } }' })
    assert.match(body.errors?.[0]?.message ?? '', /Unknown argument "after"/)
  })

  test('groups by columns that single people out are omitted, also next to a total', async () => {
    const data = await ask(
      outsider,
      `{ ua_members_aggregate(group_by: [joined_on]) { aggregate { count } groups { keys { joined_on } } }
        gifts: ua_donations_aggregate(group_by: [masjid_id, method]) { groups { aggregate { count } } }
        mixed: ua_donations_aggregate(group_by: [masjid_id, member_id]) { groups { aggregate { count } } } }`,
    )
    assert.equal(data.ua_members_aggregate.aggregate.count, 7)
    assert.deepEqual([data.ua_members_aggregate.groups, data.gifts.groups, data.mixed.groups], [[], [], []])
  })

  test('gifts: by person, amount, day, relationship: no total', async () => {
    const filters = [
      `{member_id: {_neq: "${victim}"}}`,
      `{member: {id: {_neq: "${victim}"}}}`,
      `{_not: {member_id: {_eq: "${victim}"}, amount_minor: {_gt: 4000}}}`,
      '{amount_minor: {_lt: 1000000}}',
      '{received_at: {_lt: "2026-02-01T10:00:00Z"}}',
      '{fund: {_eq: general}, _not: {method: {_eq: cash}}}',
      `{masjid_id: {_eq: "${masjidId(2)}"}, member: {household: {city: {_neq: "Apex"}}}}`,
    ]
    for (const filter of filters) {
      const data = await ask(
        outsider,
        `{ total: ua_donations_aggregate(where: ${filter}) { aggregate { count sum { amount_minor } } } }`,
      )
      assert.equal(data.total.aggregate, null, filter)
    }
  })

  test('filtering or ordering masjids by totals reveals no more', async () => {
    const data = await ask(
      outsider,
      `{ without: up_masjids(where: {members_aggregate: {count: {predicate: {_gte: 0}, filter: ${others}}}}) { slug }
        gifts: up_masjids(where: {donations_aggregate: {sum: {predicate: {amount_minor: {_gte: 0}}, filter: {member_id: {_neq: "${victim}"}}}}}) { slug }
        highest: up_masjids(where: {donations_aggregate: {max: {predicate: {amount_minor: {_gte: 0}}}}}) { slug }
        values: up_masjids(where: {donations_aggregate: {sum: {predicate: {amount_minor: {_gte: 0}}, distinct: true}}}) { slug }
        nested: ua_members(where: {donations_aggregate: {count: {predicate: {_gte: 0}}}}) { id }
        below: ua_members(where: {id: {_eq: "${victim}"}}) { donations_aggregate { aggregate { sum { amount_minor } } } }
        sorted: up_masjids(where: {slug: {_in: ["masjid-1", "masjid-3"]}}, order_by: [{members_aggregate: {count: desc_nulls_last}}, {slug: desc}]) { slug } }`,
    )
    assert.deepEqual(
      [data.without, data.gifts, data.highest, data.values, data.nested, data.below[0].donations_aggregate.aggregate],
      [[], [], [], [], [], null],
    )
    // Four people share at masjid 1, none at masjid 3: the order does not distinguish them.
    assert.deepEqual(data.sorted, [{ slug: 'masjid-3' }, { slug: 'masjid-1' }])
  })

  test('minimum and maximum belong to one person, and are not returned', async () => {
    const { total } = await ask(
      outsider,
      '{ total: ua_donations_aggregate { aggregate { count max { amount_minor received_at donor_email } min { amount_minor } sum { amount_minor } } } }',
    )
    assert.deepEqual(total.aggregate.max, { amount_minor: null, received_at: null, donor_email: null })
    assert.deepEqual(total.aggregate.min, { amount_minor: null })
    assert.ok(total.aggregate.sum.amount_minor > 0)
  })

  test('an app’s own masjid does not make other masjids’ small groups large', async () => {
    const data = await ask(
      own,
      `{ all: ua_members_aggregate { aggregate { count } }
        first: ua_members_aggregate(where: {masjid_id: {_eq: "${masjidId(1)}"}}) { aggregate { count } } }`,
    )
    assert.equal(data.all.aggregate.count, 7)
    assert.equal(data.first.aggregate, null)
  })

  test('the masjid’s own app still filters its totals freely', async () => {
    const row = await minaret().service.database.first<{ sum: number; count: number }>(victimGifts)
    const data = await ask(
      own,
      `{ all: ua_donations_aggregate(where: {masjid_id: {_eq: "${masjidId(2)}"}}) { aggregate { count sum { amount_minor } max { amount_minor } } }
        others: ua_donations_aggregate(where: {masjid_id: {_eq: "${masjidId(2)}"}, member_id: {_neq: "${victim}"}}) { aggregate { count sum { amount_minor } } }
        page: ua_members_aggregate(where: {joined_on: {_gt: "2025-01-02"}}, order_by: {id: asc}, limit: 5) { aggregate { count } } }`,
    )
    assert.equal(data.all.aggregate.sum.amount_minor - data.others.aggregate.sum.amount_minor, row?.sum)
    assert.equal(data.all.aggregate.count - data.others.aggregate.count, row?.count)
    assert.ok(data.all.aggregate.max.amount_minor > 0)
    assert.equal(data.page.aggregate.count, 5)
  })
})
