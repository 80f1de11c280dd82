// Pages of rows as Relay asks for them, at /v1/relay: https://relay.dev/graphql/connections.htm
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Data } from '../../support/graphql.ts'
import { masjidId } from '../fixture.ts'
import { type Relay, useRelay } from './use-relay.ts'

const relay = useRelay()

const orders: readonly (readonly [name: string, order: string])[] = [
  ['the key alone', '[]'],
  ['a column with ties', '{city: asc}'],
  ['a column with ties, downwards', '{city: desc}'],
  ['nulls last', '{capacity: asc}'],
  ['nulls first', '[{capacity: asc_nulls_first}, {name: desc}]'],
  ['nulls last, downwards', '{state: desc_nulls_last}'],
  ['a related row', '{entity: {legal_name: desc}}'],
  ['a total', '{events_aggregate: {count: desc}}'],
  ['directions that differ', '[{state: asc}, {city: desc}, {id: desc}]'],
]

const PAGE = 4

interface Walk {
  readonly slugs: string[]
  readonly pages: number
}

const walk = async (query: string, backward: boolean): Promise<Walk> => {
  const slugs: string[] = []
  let cursor: string | null = null
  for (let pages = 1; ; pages += 1) {
    const { up_masjids_connection: page } = await relay().ask(query, { size: PAGE, cursor })
    const found = page.edges.map(({ node }: Data) => node.slug)
    if (backward) slugs.unshift(...found)
    else slugs.push(...found)
    assert.equal(page.pageInfo.startCursor, page.edges[0].cursor)
    assert.equal(page.pageInfo.endCursor, page.edges.at(-1).cursor)
    assert.equal(backward ? page.pageInfo.hasNextPage : page.pageInfo.hasPreviousPage, pages > 1)
    const hasMore = backward ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage
    if (!hasMore) return { slugs, pages }
    cursor = backward ? page.pageInfo.startCursor : page.pageInfo.endCursor
  }
}

const pageQuery = (order: string, backward: boolean): string =>
  `query ($size: Int!, $cursor: String) {
    up_masjids_connection(order_by: ${order}, ${backward ? 'last: $size, before: $cursor' : 'first: $size, after: $cursor'}) {
      edges { cursor node { slug } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`

/** In the order of the list, ties broken by the key. */
const listed = async ({ plain }: Relay, order: string): Promise<string[]> => {
  const keys = order.startsWith('[') ? order.slice(1, -1) : order
  const { up_masjids } = await plain(`{ up_masjids(order_by: [${keys} {id: asc}]) { slug } }`)
  return up_masjids.map(({ slug }: Data) => slug)
}

describe('page after page, a connection is the list', () => {
  for (const [name, order] of orders)
    test(name, async () => {
      const expected = await listed(relay(), order)
      assert.equal(expected.length, 11)
      assert.deepEqual(await walk(pageQuery(order, false), false), { slugs: expected, pages: 3 })
      assert.deepEqual(await walk(pageQuery(order, true), true), { slugs: expected, pages: 3 })
    })

  test('a filter holds on every page', async () => {
    const query = `query ($after: String) {
      up_masjids_connection(where: {capacity: {_is_null: false}}, first: 5, after: $after) {
        edges { node { capacity } } pageInfo { hasNextPage endCursor }
      }
    }`
    const one = (await relay().ask(query)).up_masjids_connection
    const two = (await relay().ask(query, { after: one.pageInfo.endCursor })).up_masjids_connection
    const capacities = [...one.edges, ...two.edges].map(({ node }: Data) => node.capacity)
    assert.deepEqual(capacities, [100, 150, 200, 300, 350, 400, 500, 550])
    assert.deepEqual([one.pageInfo.hasNextPage, two.pageInfo.hasNextPage], [true, false])
  })
})

describe('a page', () => {
  const slugsOf = ({ edges }: Data): string[] => edges.map(({ node }: Data) => node.slug)
  const cursors = async (): Promise<string[]> => {
    const { up_masjids_connection: page } = await relay().ask('{ up_masjids_connection { edges { cursor } } }')
    return page.edges.map(({ cursor }: Data) => cursor)
  }

  test('lies between two cursors, counted from either end', async () => {
    const all = await cursors()
    const query = (size: string) => `query ($after: String, $before: String) {
      up_masjids_connection(${size}, after: $after, before: $before) {
        edges { node { slug } } pageInfo { hasNextPage hasPreviousPage }
      }
    }`
    const between = { after: all[1], before: all[6] }
    const from = (await relay().ask(query('first: 2'), between)).up_masjids_connection
    const to = (await relay().ask(query('last: 2'), between)).up_masjids_connection
    const whole = (await relay().ask(query('first: 10'), between)).up_masjids_connection
    assert.deepEqual(slugsOf(from), ['masjid-3', 'masjid-4'])
    assert.deepEqual(slugsOf(to), ['masjid-5', 'masjid-6'])
    assert.deepEqual(slugsOf(whole), ['masjid-3', 'masjid-4', 'masjid-5', 'masjid-6'])
    assert.deepEqual(from.pageInfo, { hasNextPage: true, hasPreviousPage: true })
    assert.deepEqual(to.pageInfo, { hasNextPage: true, hasPreviousPage: true })
    assert.deepEqual(whole.pageInfo, { hasNextPage: false, hasPreviousPage: true })
  })

  test('of nothing has no edges and no cursors', async () => {
    const { none, empty } = await relay().ask(`{
      none: up_masjids_connection(where: {slug: {_eq: "x"}}) { edges { cursor } pageInfo { hasNextPage startCursor endCursor } }
      empty: up_masjids_connection(first: 0) { edges { cursor } pageInfo { hasNextPage startCursor endCursor } }
    }`)
    assert.deepEqual(none, { edges: [], pageInfo: { hasNextPage: false, startCursor: null, endCursor: null } })
    assert.deepEqual(empty, { edges: [], pageInfo: { hasNextPage: true, startCursor: null, endCursor: null } })
  })

  test('names its types, and may be asked for under several names', async () => {
    const { page } = await relay().ask(`{
      page: up_masjids_connection(first: 1) {
        __typename
        a: edges { __typename cursor }
        b: edges { one: node { __typename slug } two: node { city } }
        pageInfo { __typename }
      }
    }`)
    assert.equal(typeof page.a[0].cursor, 'string')
    assert.deepEqual(page, {
      __typename: 'up_masjidsConnection',
      a: [{ __typename: 'up_masjidsEdge', cursor: page.a[0].cursor }],
      b: [{ one: { __typename: 'up_masjids', slug: 'masjid-1' }, two: { city: 'Durham' } }],
      pageInfo: { __typename: 'PageInfo' },
    })
  })

  test('may stand within a row, cut and walked through like any other', async () => {
    const query = `query ($after: String, $before: String) {
      up_masjids_connection(where: {slug: {_eq: "masjid-5"}}) {
        edges { node {
          forward: events_connection(order_by: {title: asc}, first: 2, after: $after) {
            edges { node { title masjid { slug } } } pageInfo { hasNextPage endCursor }
          }
          backward: events_connection(order_by: {title: asc}, last: 2, before: $before) {
            edges { node { title } } pageInfo { hasPreviousPage startCursor }
          }
          events(limit: 1, order_by: {title: desc}) { title }
          events_aggregate { aggregate { count } }
        } }
      }
    }`
    const titles = ({ edges }: Data) => edges.map(({ node }: Data) => node.title)
    const { node } = (await relay().ask(query)).up_masjids_connection.edges[0]
    assert.deepEqual(titles(node.forward), ['Event 5.1', 'Event 5.2'])
    assert.equal(node.forward.edges[0].node.masjid.slug, 'masjid-5')
    assert.deepEqual(titles(node.backward), ['Event 5.4', 'Event 5.5'])
    assert.deepEqual([node.forward.pageInfo.hasNextPage, node.backward.pageInfo.hasPreviousPage], [true, true])
    assert.deepEqual(node.events, [{ title: 'Event 5.5' }])
    assert.equal(node.events_aggregate.aggregate.count, 5)
    const next = { after: node.forward.pageInfo.endCursor, before: node.backward.pageInfo.startCursor }
    const { node: second } = (await relay().ask(query, next)).up_masjids_connection.edges[0]
    assert.deepEqual(titles(second.forward), ['Event 5.3', 'Event 5.4'])
    assert.deepEqual(titles(second.backward), ['Event 5.2', 'Event 5.3'])
  })
})

describe('refused', () => {
  const cases: readonly (readonly [name: string, args: string, code: string, message: RegExp])[] = [
    ['first above the maximum', 'first: 101', 'page-out-of-range', /first is 101.*100/],
    ['last above the maximum', 'last: 101', 'page-out-of-range', /last is 101.*100/],
    ['first below zero', 'first: -1', 'page-out-of-range', /first is -1/],
    ['last below zero', 'last: -1', 'page-out-of-range', /last is -1/],
    ['both ends at once', 'first: 1, last: 1', 'validation-failed', /first and last/],
    ['a cursor that is none', 'after: "x"', 'bad-cursor', /cursor/],
    ['a cursor backwards that is none', 'last: 1, before: "x"', 'bad-cursor', /cursor/],
    ['the arguments of lists', 'limit: 1', 'validation-failed', /limit/],
  ]
  for (const [name, args, code, message] of cases)
    test(name, async () => {
      const [error] = await relay().refused(`{ up_masjids_connection(${args}) { edges { cursor } } }`)
      assert.equal(error?.extensions.code, code)
      assert.match(error?.message ?? '', message)
    })

  test('the same in variables', async () => {
    const query =
      'query ($first: Int, $last: Int) { up_masjids_connection(first: $first, last: $last) { edges { cursor } } }'
    for (const [variables, code] of [
      [{ first: 101 }, 'page-out-of-range'],
      [{ last: -1 }, 'page-out-of-range'],
      [{ first: 1, last: 1 }, 'validation-failed'],
    ] as const)
      assert.equal((await relay().refused(query, variables))[0]?.extensions.code, code)
    const { up_masjids_connection: page } = await relay().ask(query, { first: 2, last: null })
    assert.equal(page.edges.length, 2)
  })

  test('a cursor of another table or another order', async () => {
    const { a, b } = await relay().ask(`{
      a: up_events_connection(first: 1) { edges { cursor } }
      b: up_masjids_connection(first: 1, order_by: {name: asc}) { edges { cursor } }
    }`)
    const query = 'query ($c: String) { up_masjids_connection(after: $c) { edges { cursor } } }'
    const back = 'query ($c: String) { up_masjids_connection(last: 1, before: $c) { edges { cursor } } }'
    for (const { edges } of [a, b])
      for (const one of [query, back]) {
        const [error] = await relay().refused(one, { c: edges[0].cursor })
        assert.equal(error?.extensions.code, 'bad-cursor')
      }
  })

  test('the roots of /v1/graphql here, and those of this view there', async () => {
    assert.match((await relay().refused('{ up_masjids { slug } }'))[0]?.message ?? '', /Cannot query field/)
    for (const query of ['{ up_masjids_connection { edges { cursor } } }', '{ node(id: "x") { id } }']) {
      const { errors } = await relay().send('/v1/graphql', { query })
      assert.equal(errors?.[0]?.extensions.code, 'validation-failed')
    }
  })

  test('more rows than an operation may read', async () => {
    const [error] = await relay().refused(`{ ua_members_connection { edges { node {
      donations_connection { edges { node { member { donations_connection { edges { node { id } } } } } } } } } } }`)
    assert.equal(error?.extensions.code, 'too-costly')
  })
})

describe('over HTTP', () => {
  const url = (path: string) => relay().api.minaret.baseUrl + path
  const query = '{ up_masjids_connection(first: 1) { edges { node { slug } } } }'
  const authorization = () => ({ authorization: `Bearer ${relay().api.key}` })

  test('GET, cost and batches as at /v1/graphql', async () => {
    const response = await fetch(url(`/v1/relay?${new URLSearchParams({ query })}`), {
      headers: { ...authorization(), 'x-minaret-explain': '1' },
    })
    const { data, extensions } = (await response.json()) as Data
    assert.equal(data.up_masjids_connection.edges[0].node.slug, 'masjid-1')
    assert.equal(extensions.cost.rows, 1)
    const looking = query.replace('edges', 'pageInfo { hasNextPage } edges')
    const more = await fetch(url(`/v1/relay?${new URLSearchParams({ query: looking })}`), {
      headers: { ...authorization(), 'x-minaret-explain': '1' },
    })
    assert.equal(((await more.json()) as Data).extensions.cost.rows, 2, 'the row that tells of a next page is read too')
    const batch = await fetch(url('/v1/relay'), {
      method: 'POST',
      headers: { ...authorization(), 'content-type': 'application/json' },
      body: JSON.stringify([{ query }, { query: '{ x }' }]),
    })
    const [one, two] = (await batch.json()) as Data
    assert.equal(one.data.up_masjids_connection.edges.length, 1)
    assert.equal(two.errors[0].extensions.code, 'validation-failed')
  })

  test('a credential is needed, other methods are refused, other origins may ask', async () => {
    assert.equal((await fetch(url('/v1/relay'), { method: 'POST', body: '{}' })).status, 401)
    assert.equal((await fetch(url('/v1/relay'), { method: 'DELETE' })).status, 405)
    const preflight = await fetch(url('/v1/relay'), {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
    })
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  })

  test('the sandbox answers in both views, and never one with the answer of the other', async () => {
    const { sandboxUrl } = relay().api.minaret
    const body = JSON.stringify({ query: '{ __schema { queryType { fields { name } } } }' })
    const headers = { 'content-type': 'application/json' }
    const names = async (path: string): Promise<string[]> => {
      const response = await fetch(sandboxUrl + path, { method: 'POST', body, headers })
      return ((await response.json()) as Data).data.__schema.queryType.fields.map(({ name }: Data) => name)
    }
    for (let round = 0; round < 2; round += 1) {
      assert.ok((await names('/v1/graphql')).includes('up_masjids'))
      assert.ok((await names('/v1/relay')).includes('node'))
    }
  })
})

test('rows deleted meanwhile do not disturb the walk', async () => {
  const { database } = relay().api.minaret.service
  const query = 'query ($c: String) { up_masjids_connection(first: 2, after: $c) { edges { cursor node { slug } } } }'
  const { up_masjids_connection: page } = await relay().ask(query)
  await database.run(sql`update public.up_masjids set deleted_at = now() where id = ${masjidId(2)}`)
  const { up_masjids_connection: next } = await relay().ask(query, { c: page.edges[1].cursor })
  await database.run(sql`update public.up_masjids set deleted_at = null where id = ${masjidId(2)}`)
  assert.deepEqual(
    next.edges.map(({ node }: Data) => node.slug),
    ['masjid-3', 'masjid-4'],
  )
})
