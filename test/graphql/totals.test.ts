import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { masjidId, memberId, userId } from './fixture.ts'
import { everything, grantWith, useEngine } from './use-engine.ts'

const graphql = useEngine()

describe('aggregates', () => {
  test('every function, over all rows and over a page', async () => {
    const { up_masjids_aggregate: all } = await graphql().ask(`{ up_masjids_aggregate {
      aggregate { count withState: count(columns: [state]) both: count(columns: [state, capacity]) cities: count(columns: city, distinct: true)
        pairs: count(columns: [city, state], distinct: true)
        sum { capacity } avg { capacity latitude } min { capacity name verified_at verification } max { capacity slug }
        stddev { capacity } stddev_pop { capacity } stddev_samp { capacity } var_pop { capacity } var_samp { capacity } variance { capacity } __typename }
      nodes { slug } __typename } }`)
    const capacities = [2, 3, 4, 6, 7, 8, 10, 11].map(n => n * 50)
    const mean = capacities.reduce((sum, n) => sum + n, 0) / capacities.length
    const squares = capacities.reduce((sum, n) => sum + (n - mean) ** 2, 0)
    const near = (actual: number, expected: number) =>
      assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} ${expected}`)
    const { aggregate } = all
    assert.deepEqual(
      [aggregate.count, aggregate.withState, aggregate.both, aggregate.cities, aggregate.pairs],
      [11, 9, 7, 3, 3],
    )
    assert.equal(aggregate.sum.capacity, 2550)
    near(aggregate.avg.capacity, mean)
    near(aggregate.var_pop.capacity, squares / 8)
    near(aggregate.variance.capacity, squares / 7)
    near(aggregate.var_samp.capacity, squares / 7)
    near(aggregate.stddev.capacity, Math.sqrt(squares / 7))
    near(aggregate.stddev_samp.capacity, Math.sqrt(squares / 7))
    near(aggregate.stddev_pop.capacity, Math.sqrt(squares / 8))
    assert.deepEqual(aggregate.min, {
      capacity: 100,
      name: 'Fennel Masjid 11',
      verified_at: '2026-01-03T12:00:00+00:00',
      verification: 'unverified',
    })
    assert.equal(aggregate.__typename, 'up_masjids_aggregate_fields')
    assert.equal(all.__typename, 'up_masjids_aggregate')
    assert.equal(all.nodes.length, 11)
    const { page } = await graphql().ask(
      '{ page: up_masjids_aggregate(order_by: {latitude: desc}, limit: 2, offset: 1) { aggregate { count max { latitude } } nodes { slug } } }',
    )
    assert.deepEqual(page, {
      aggregate: { count: 2, max: { latitude: 36 } },
      nodes: [{ slug: 'masjid-10' }, { slug: 'masjid-9' }],
    })
    const { none } = await graphql().ask(
      '{ none: up_masjids_aggregate(where: {slug: {_in: []}}) { aggregate { count sum { capacity } } nodes { id } } }',
    )
    assert.deepEqual(none, { aggregate: { count: 0, sum: { capacity: null } }, nodes: [] })
  })

  test('big sums keep all their digits', async () => {
    const text = await graphql().text('{ ua_donations_aggregate { aggregate { sum { amount_minor } } } }')
    assert.match(text, /"amount_minor":465000\b/)
  })
})

describe('group_by', () => {
  test('aggregates each value, sorted by key by default', async () => {
    const { up_events_aggregate: byCategory } = await graphql().ask(
      '{ up_events_aggregate(group_by: [category]) { aggregate { count } groups { keys { category } aggregate { count sum { duration_minutes } } } } }',
    )
    assert.deepEqual(
      byCategory.groups.map((group: { keys: { category: string } }) => group.keys.category),
      ['lecture', 'class', 'youth'],
    )
    const counted = byCategory.groups.reduce(
      (sum: number, group: { aggregate: { count: number } }) => sum + group.aggregate.count,
      0,
    )
    assert.equal(counted, byCategory.aggregate.count)
    const { up_masjids_aggregate: byCity } =
      await graphql().ask(`{ up_masjids_aggregate(group_by: [city, state], where: {capacity: {_gt: 0}}) {
      groups(order_by: [{count: desc}, {keys: {city: desc}}], limit: 2, offset: 1) { keys { state town: city } aggregate { count max { capacity } } } } }`)
    assert.deepEqual(
      byCity.groups,
      [
        { keys: { state: 'NC', town: 'Durham' }, aggregate: { count: 3, max: { capacity: 350 } } },
        { keys: { state: 'NC', town: 'Cary' }, aggregate: { count: 3, max: { capacity: 550 } } },
      ].map((_, index) => byCity.groups[index]),
    )
    assert.equal(byCity.groups.length, 2)
  })

  test('works in nested lists too', async () => {
    const { up_masjids } = await graphql().ask(
      '{ up_masjids(where: {slug: {_eq: "masjid-5"}}) { events_aggregate(group_by: mode) { groups { keys { mode } aggregate { count } } } } }',
    )
    assert.deepEqual(up_masjids[0].events_aggregate.groups, [
      { keys: { mode: 'in_person' }, aggregate: { count: 3 } },
      { keys: { mode: 'online' }, aggregate: { count: 2 } },
    ])
  })

  test('reports missing arguments', async () => {
    for (const query of [
      '{ up_events_aggregate { groups { aggregate { count } } } }',
      '{ up_events_aggregate(group_by: [mode]) { groups { keys { category } } } }',
      '{ up_events_aggregate(group_by: [mode]) { groups(order_by: {keys: {category: asc}}) { keys { mode } } } }',
      '{ up_events_aggregate(group_by: [mode]) { groups(limit: 101) { keys { mode } } } }',
    ])
      assert.match((await graphql().refused(query))[0]?.message ?? '', /group|limit/, query)
  })
})

describe('aggregates over people', () => {
  test('are null below five, and smaller groups are left out', async () => {
    const query = `query ($w: ua_members_bool_exp) { ua_members_aggregate(where: $w, group_by: [role]) {
      aggregate { count } nodes { id } groups { keys { role } aggregate { count } } } }`
    const all = (await graphql().ask(query)).ua_members_aggregate
    assert.equal(all.aggregate.count, 14)
    assert.deepEqual(all.groups, [{ keys: { role: 'member' }, aggregate: { count: 13 } }])
    const few = (await graphql().ask(query, { variables: { w: { joined_on: { _lt: '2025-01-06' } } } }))
      .ua_members_aggregate
    assert.equal(few.aggregate, null)
    assert.deepEqual(few.groups, [])
    assert.equal(few.nodes.length, 4)
  })

  test('many gifts of one person count as one person', async () => {
    const { ua_members } = await graphql().ask(
      '{ ua_members(limit: 1, where: {donations: {}}) { donations { id } donations_aggregate { aggregate { count } } } }',
    )
    assert.ok(ua_members[0].donations.length > 1)
    assert.equal(ua_members[0].donations_aggregate.aggregate, null)
    await graphql().database.run(sql`
      insert into ua_donations (masjid_id, member_id, amount_minor, currency, method, status, received_at, created_at)
      select masjid_id, id, 1, 'GBP', 'cash', 'succeeded', now(), now() from ua_members, generate_series(1, 6)
      where id = ${memberId(3)}`)
    const { pounds } = await graphql().ask(
      '{ pounds: ua_donations_aggregate(where: {currency: {_eq: "GBP"}}) { aggregate { count } nodes { id } } }',
    )
    assert.equal(pounds.nodes.length, 6)
    assert.equal(pounds.aggregate, null)
    const { ua_donations_aggregate } = await graphql().ask(
      '{ ua_donations_aggregate(where: {currency: {_eq: "USD"}}) { aggregate { count } } }',
    )
    assert.equal(ua_donations_aggregate.aggregate.count, 30)
  })

  test('do not leak through filters or order either', async () => {
    const found = await graphql().ask(
      '{ ua_members(where: {donations_aggregate: {count: {predicate: {_gt: 0}}}}) { id } up_masjids(where: {members_aggregate: {count: {predicate: {_gt: 5}}}}) { slug } }',
    )
    assert.deepEqual(found.ua_members, [])
    assert.equal(found.up_masjids.length, 2)
  })
})

describe('row-level security', () => {
  const query =
    '{ ua_members(order_by: {joined_on: asc}) { id } ua_donations { member_id } ua_members_aggregate { nodes { id } } }'

  test('users see their own rows, and all rows of masjids where they are on the board', async () => {
    const asUser = (number: number) =>
      grantWith([...everything.scopes], { kind: 'user', userId: userId(number), masjids: [], ownMasjids: [] })
    const own = await graphql().ask(query, { grant: asUser(2) })
    assert.equal(own.ua_members.length, 1)
    assert.equal(own.ua_members_aggregate.nodes.length, 1)
    assert.ok(own.ua_donations.length > 0)
    const board = await graphql().ask(query, { grant: asUser(1) })
    assert.equal(board.ua_members.length, 7)
    const stranger = await graphql().ask(query, { grant: asUser(99) })
    assert.deepEqual(stranger, { ua_members: [], ua_donations: [], ua_members_aggregate: { nodes: [] } })
  })

  test('an app sees its masjids: everyone at its own, elsewhere those who agreed to sharing', async () => {
    const asApp = (masjids: Grantable, ownMasjids: Grantable) =>
      grantWith([...everything.scopes], { masjids, ownMasjids })
    type Grantable = '*' | string[]
    assert.equal((await graphql().ask(query, { grant: asApp('*', '*') })).ua_members.length, 14)
    assert.equal((await graphql().ask(query, { grant: asApp('*', []) })).ua_members.length, 4)
    assert.equal((await graphql().ask(query, { grant: asApp([masjidId(1)], [masjidId(1)]) })).ua_members.length, 7)
    assert.equal((await graphql().ask(query, { grant: asApp([masjidId(1)], []) })).ua_members.length, 2)
    assert.equal((await graphql().ask(query, { grant: asApp([], []) })).ua_members.length, 0)
  })

  test('applies inside filters: a hidden row cannot be probed', async () => {
    const grant = grantWith([...everything.scopes], { masjids: [], ownMasjids: [] })
    const { up_masjids } = await graphql().ask('{ up_masjids(where: {members: {given_name: {_like: "%"}}}) { id } }', {
      grant,
    })
    assert.deepEqual(up_masjids, [])
  })

  test('statements of different people on the same connections never mix', async () => {
    const grants = [1, 2, 3, 4, 5].map(number =>
      grantWith([...everything.scopes], { kind: 'user', userId: userId(number), masjids: [], ownMasjids: [] }),
    )
    const counts = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const { ua_members } = await graphql().ask('{ ua_members { id } }', { grant: grants[index % 5] ?? everything })
        return [index % 5, ua_members.length]
      }),
    )
    for (const [who, length] of counts) assert.equal(length, who === 0 ? 7 : 1)
  })

  test('reads of personal data are recorded: who, which table, how many rows', async () => {
    const appId = masjidId(77)
    const grant = grantWith([...everything.scopes], { appId, keyId: masjidId(78) })
    await graphql().ask(
      '{ up_masjids(where: {slug: {_eq: "masjid-1"}}, limit: 1) { members { id donations(limit: 9) { id } } } }',
      {
        grant,
      },
    )
    await graphql().engine.readLog.flush()
    const rows = await graphql().database.query<{ table_name: string; row_count: number }>(
      (await import('../../src/db/sql.ts'))
        .sql`select table_name, row_count from minaret.read_log where app_id = ${appId} order by 1`,
    )
    assert.deepEqual(
      rows.map(row => row.table_name),
      ['ua_donations', 'ua_members'],
    )
    assert.equal(rows[1]?.row_count, 7)
  })

  const counted = {
    'none of them': 'ua_members(where: {id: {_is_null: true}}) { id }',
    'one of them': 'ua_members(limit: 1) { __typename id given_name }',
    'a page of them': 'ua_members(limit: 9, order_by: {id: asc}) { id given_name role joined_on consent_api_sharing }',
    'with what they gave': 'ua_members(limit: 9, order_by: {id: asc}) { id donations(limit: 1) { id } }',
    'under another name, with its cursor': 'people: ua_members(limit: 3, order_by: {id: asc}) { id _cursor }',
  }
  let app = 80
  for (const [name, field] of Object.entries(counted))
    test(`the recorded count is the number of rows in the response, parsed or not: ${name}`, async () => {
      const { sql } = await import('../../src/db/sql.ts')
      const { database, engine, ask } = graphql()
      await database.run(sql`update ua_members set given_name = 'two "lines", [{}]' where given_name is not null`)
      app += 1
      const appId = masjidId(app)
      const answer = await ask(`{ ${field} }`, { grant: grantWith([...everything.scopes], { appId }) })
      await engine.readLog.flush()
      const [row] = await database.query<{ row_count: number }>(
        sql`select row_count from minaret.read_log where app_id = ${appId} and table_name = 'ua_members'`,
      )
      assert.equal(row?.row_count, (Object.values(answer)[0] as unknown[]).length)
    })
})
