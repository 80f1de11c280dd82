// An app that makes ids up, or asks for rows of people, through /v1/relay.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { masjidId, memberId } from '../../graphql/fixture.ts'
import { idOf, useRelay } from '../../graphql/relay/use-relay.ts'
import type { Data } from '../../support/graphql.ts'

const relay = useRelay()
const byId = 'query ($id: ID!) { node(id: $id) { id __typename } }'

describe('forged ids', () => {
  const raw = (text: string): string => Buffer.from(text).toString('base64url')
  const forged: Readonly<Record<string, string>> = {
    nothing: '',
    'no base64': '%%%',
    'no JSON': raw('up_masjids'),
    'no list': raw('{"0": "up_masjids"}'),
    'no key': idOf('up_masjids'),
    'too many keys': idOf('up_masjids', masjidId(1), masjidId(2)),
    'a key that is a number': idOf('up_masjids', 1),
    'a key that is null': idOf('up_masjids', null),
    'a key that is a list': idOf('up_masjids', [masjidId(1)]),
    'a table that is none': idOf('up_nothing', masjidId(1)),
    'a table of PostgreSQL': idOf('pg_authid', '10'),
    'a table with its schema': idOf('public.up_masjids', masjidId(1)),
    'a table that is not shown': idOf('minaret.users', masjidId(1)),
    'a name that objects have': idOf('__proto__', masjidId(1)),
    'another such name': idOf('constructor', masjidId(1)),
    'a type of the schema': idOf('query_root', masjidId(1)),
    'a long name': idOf('x'.repeat(50_000), masjidId(1)),
  }
  for (const [name, id] of Object.entries(forged))
    test(name, async () => {
      const [error] = await relay().refused(byId, { id })
      assert.equal(error?.extensions.code, 'bad-id')
      const [again] = await relay().refused(byId, { id })
      assert.deepEqual(again, error)
      const [written] = await relay().refused(`{ node(id: ${JSON.stringify(id)}) { id } }`)
      assert.equal(written?.extensions.code, 'bad-id')
    })

  test('a key that its column cannot take is a bad value, and says nothing of the statement', async () => {
    for (const key of ["' or true --", '\u0000', 'x'.repeat(10_000), '\ud800']) {
      const [error] = await relay().refused(byId, { id: idOf('up_masjids', key) })
      assert.equal(error?.extensions.code, 'bad-value', key)
      assert.doesNotMatch(error?.message ?? '', /select|from "public"/)
    }
  })

  test('a refused id leaves good ones alone', async () => {
    await relay().refused(byId, { id: 'x' })
    const id = idOf('up_masjids', masjidId(1))
    assert.deepEqual(await relay().ask(byId, { id }), { node: { id, __typename: 'up_masjids' } })
  })

  test('numbers and cursors are no ids', async () => {
    const { up_masjids_connection: page } = await relay().ask(
      '{ up_masjids_connection(first: 1) { edges { cursor } } }',
    )
    for (const id of [5, page.edges[0].cursor])
      assert.equal((await relay().refused(byId, { id }))[0]?.extensions.code, 'bad-id')
    assert.equal((await relay().refused('{ node(id: 5) { id } }'))[0]?.extensions.code, 'bad-id')
  })

  test('an id is no cursor', async () => {
    const query = 'query ($c: String) { up_masjids_connection(after: $c) { edges { cursor } } }'
    const [error] = await relay().refused(query, { c: idOf('up_masjids', masjidId(1)) })
    assert.equal(error?.extensions.code, 'bad-cursor')
  })
})

describe('a credential without the scope', () => {
  const scopes = ['masjid:read'] as const

  test('is told the same by node as by the connection, in a variable and in the document', async () => {
    const key = await relay().api.keyWith(scopes)
    const [expected] = await relay().refused('{ ua_members_connection { edges { cursor } } }', {}, key)
    assert.equal(expected?.extensions.code, 'insufficient-scope')
    for (const id of [idOf('ua_members', memberId(3)), idOf('ua_members', memberId(99)), idOf('ua_members', 'x')]) {
      const [variable] = await relay().refused(byId, { id }, key)
      const [written] = await relay().refused(`{ node(id: "${id}") { id } }`, {}, key)
      for (const error of [variable, written]) {
        assert.equal(error?.message, expected?.message)
        assert.deepEqual(error?.extensions, expected?.extensions)
      }
    }
  })

  test('meets it wherever the table is named', async () => {
    const key = await relay().api.keyWith(scopes)
    const node = idOf('up_masjids', masjidId(1))
    for (const query of [
      '{ up_masjids_connection { edges { node { members_connection { edges { node { email } } } } } } }',
      '{ up_masjids_connection { edges { node { members_connection { pageInfo { hasNextPage } } } } } }',
      '{ up_masjids_connection { edges { node { members { email } } } } }',
      '{ up_masjids_connection(where: {members: {email: {_like: "a%"}}}) { edges { cursor } } }',
      '{ up_masjids_connection(order_by: {members_aggregate: {count: asc}}) { pageInfo { startCursor } } }',
      `{ node(id: "${node}") { ... on up_masjids { members_connection { edges { cursor } } } } }`,
      `{ node(id: "${node}") { ... on Node { ... on up_masjids { members_aggregate { aggregate { count } } } } } }`,
    ]) {
      const [error] = await relay().refused(query, {}, key)
      assert.equal(error?.extensions.code, 'insufficient-scope', query)
      assert.equal(error?.extensions.table, 'ua_members')
    }
  })

  test('may name other tables in fragments that do not fit the row', async () => {
    const key = await relay().api.keyWith(scopes)
    const query = 'query ($id: ID!) { node(id: $id) { __typename ... on ua_members { email } } }'
    const { node } = await relay().ask(query, { id: idOf('up_masjids', masjidId(1)) }, key)
    assert.deepEqual(node, { __typename: 'up_masjids' })
  })
})

describe('rows of people', () => {
  const shared = memberId(3)
  const hidden = memberId(1)

  test('a hidden row is as absent as one that never was', async () => {
    assert.equal((await relay().ask(byId, { id: idOf('ua_members', shared) })).node.__typename, 'ua_members')
    for (const id of [hidden, memberId(99)])
      assert.deepEqual(await relay().ask(byId, { id: idOf('ua_members', id) }), { node: null })
  })

  test('connections hold the rows of the list and no others, from either end', async () => {
    const { ua_members } = await relay().plain('{ ua_members(order_by: {id: asc}) { id } }')
    for (const args of ['first: 100', 'last: 100']) {
      const { ua_members_connection: page } = await relay().ask(
        `{ ua_members_connection(${args}) { edges { node { id } } pageInfo { hasNextPage hasPreviousPage } } }`,
      )
      assert.deepEqual(
        page.edges.map(({ node }: Data) => node.id),
        ua_members.map(({ id }: Data) => idOf('ua_members', id)),
      )
      assert.deepEqual(page.pageInfo, { hasNextPage: false, hasPreviousPage: false })
    }
  })

  test('a filter cannot feel for them', async () => {
    const { up_masjids_connection: page } = await relay().ask(
      `{ up_masjids_connection(where: {members: {id: {_eq: "${hidden}"}}}) { edges { cursor } pageInfo { hasNextPage } } }`,
    )
    assert.deepEqual(page, { edges: [], pageInfo: { hasNextPage: false } })
  })

  test('totals within connections keep the rule of small groups', async () => {
    const query = `{ up_masjids_connection(where: {slug: {_eq: "masjid-2"}}) { edges { node {
      few: members_aggregate(where: {id: {_eq: "${shared}"}}) { aggregate { count } } } } } }`
    const { up_masjids_connection: page } = await relay().ask(query)
    assert.deepEqual(page.edges[0].node.few, { aggregate: null })
  })

  test('what is read is recorded, row by row, below other rows too', async () => {
    const { database } = relay().api.minaret.service
    const expected = [
      { table_name: 'ua_donations', row_count: 4 },
      { table_name: 'ua_members', row_count: 2 },
    ]
    await relay().ask(`{ ua_members_connection(first: 2, order_by: {id: asc}) {
      pageInfo { hasNextPage }
      edges { node { given_name donations_connection(first: 2, order_by: {id: asc}) { edges { node { id } } } } } } }`)
    const recorded = () =>
      database.query<object>(
        sql`select table_name, row_count from minaret.read_log where row_count > 0
          and at = (select max(at) from minaret.read_log where table_name = 'ua_donations') order by table_name`,
      )
    const isThere = async (): Promise<boolean> => (await recorded()).length === 2
    for (let tries = 0; tries < 100 && !(await isThere()); tries += 1)
      await new Promise(resolve => setTimeout(resolve, 100))
    assert.deepEqual(await recorded(), expected)
  })
})
