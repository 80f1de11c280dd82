// Global ids at /v1/relay: https://relay.dev/docs/guides/graphql-server-specification/#object-identification
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { buildSchema, isObjectType } from 'graphql'
import { rawSql } from '../../../src/db/sql.ts'
import { publicTestKey } from '../../../src/sandbox/public-test-key.ts'
import type { Data } from '../../support/graphql.ts'
import { useMinaret } from '../../support/minaret.ts'
import { masjidId } from '../fixture.ts'
import { idOf, useRelay } from './use-relay.ts'

const relay = useRelay()

describe('node', () => {
  const masjid = () => idOf('up_masjids', masjidId(3))

  test('finds the row by the id that a connection gave', async () => {
    const { up_masjids_connection: page } = await relay().ask(
      '{ up_masjids_connection(first: 2) { edges { node { id slug } } } }',
    )
    const { id, slug } = page.edges[1].node
    const query = 'query ($id: ID!) { node(id: $id) { __typename id ... on up_masjids { slug entity { id } } } }'
    const { node } = await relay().ask(query, { id })
    assert.deepEqual([node.__typename, node.id, node.slug], ['up_masjids', id, slug])
    const entity = await relay().ask(query, { id: node.entity.id })
    assert.deepEqual(entity.node, { __typename: 'up_entities', id: node.entity.id })
  })

  test('takes an id in the document, or as the default of a variable', async () => {
    for (const query of [
      `{ node(id: "${masjid()}") { ... on up_masjids { slug } } }`,
      `query ($id: ID = "${masjid()}") { node(id: $id) { ... on up_masjids { slug } } }`,
    ])
      assert.deepEqual(await relay().ask(query), { node: { slug: 'masjid-3' } })
  })

  test('answers with the fragments on its own type and on Node, wherever they stand', async () => {
    const query = `query ($id: ID!) {
      node(id: $id) {
        ... on Node { id ... on up_events { title } ... on up_masjids { city } }
        ... on up_events { title }
        ...masjid
        ...event
      }
    }
    fragment masjid on up_masjids { slug ... on Node { again: id ... on up_events { mode } } }
    fragment event on up_events { masjid { slug } }`
    const id = masjid()
    assert.deepEqual(await relay().ask(query, { id }), {
      node: { id, city: 'Raleigh', slug: 'masjid-3', again: id },
    })
    const event = (await relay().ask('{ up_events_connection(first: 1) { edges { node { id } } } }'))
      .up_events_connection
    const { node } = await relay().ask(query, { id: event.edges[0].node.id })
    assert.deepEqual(Object.keys(node), ['id', 'title', 'masjid'])
  })

  test('is null for a row that is not there, or deleted', async () => {
    const query = 'query ($id: ID!) { node(id: $id) { id } }'
    for (const id of [idOf('up_masjids', masjidId(99)), idOf('up_masjids', masjidId(12))])
      assert.deepEqual(await relay().ask(query, { id }), { node: null })
  })

  test('several at once, each of its own table', async () => {
    const data = await relay().ask(
      `query ($a: ID!, $b: ID!) { a: node(id: $a) { __typename } b: node(id: $b) { __typename } c: node(id: $a) { id } }`,
      { a: masjid(), b: idOf('up_entities', '00000000-0000-4000-8000-000000003001') },
    )
    assert.deepEqual(data, { a: { __typename: 'up_masjids' }, b: { __typename: 'up_entities' }, c: { id: masjid() } })
  })
})

describe('keys of any kind', () => {
  before(async () => {
    const { database } = relay().api.minaret.service
    for (const statement of [
      `create table public.up_shelf (room text, "row" int, day date, label text, primary key (room, "row", day))`,
      `insert into public.up_shelf values ('a "b", [c]', 1, '2026-01-02', 'one'), ('a "b", [c]', 2, '2026-01-02', 'two')`,
      `comment on table public.up_shelf is '@scope masjid:read'`,
      `create table public.up_plaque (id int, text text, shelf_room text)`,
    ])
      await database.run(rawSql(statement))
  })

  test('of several columns', async () => {
    const query = '{ up_shelf_connection(last: 1) { edges { node { id label } } } }'
    const find = async (): Promise<Data> => {
      const { data, errors } = await relay().send('/v1/relay', { query })
      if (errors === undefined) return data
      await new Promise(resolve => setTimeout(resolve, 50))
      return find()
    }
    const { node } = (await find()).up_shelf_connection.edges[0]
    assert.equal(node.label, 'two')
    const asked = 'query ($id: ID!) { node(id: $id) { id ... on up_shelf { row label } } }'
    assert.deepEqual(await relay().ask(asked, { id: node.id }), { node: { id: node.id, row: 2, label: 'two' } })
    const other = idOf('up_shelf', 'a "b", [c]', '1', '2026-01-02')
    assert.equal((await relay().ask(asked, { id: other })).node.label, 'one')
    for (const id of [idOf('up_shelf', 'a "b", [c]'), idOf('up_shelf', 'a', '1', '2026-01-02', 'more')])
      assert.equal((await relay().refused(asked, { id }))[0]?.extensions.code, 'bad-id')
  })
})

describe('the schema', () => {
  const schemaText = async (): Promise<string> => {
    const { baseUrl } = relay().api.minaret
    const headers = { authorization: `Bearer ${relay().api.key}` }
    return (await fetch(`${baseUrl}/v1/relay/schema.graphql`, { headers })).text()
  }

  test('has nodes, edges and pages as Relay expects them', async () => {
    const schema = buildSchema(await schemaText())
    const fieldsOf = (name: string): Record<string, string> => {
      const type = schema.getType(name)
      assert.ok(isObjectType(type))
      return Object.fromEntries(Object.values(type.getFields()).map(field => [field.name, String(field.type)]))
    }
    assert.deepEqual(fieldsOf('PageInfo'), {
      hasNextPage: 'Boolean!',
      hasPreviousPage: 'Boolean!',
      startCursor: 'String',
      endCursor: 'String',
    })
    assert.deepEqual(fieldsOf('up_masjidsConnection'), { edges: '[up_masjidsEdge!]!', pageInfo: 'PageInfo!' })
    assert.deepEqual(fieldsOf('up_masjidsEdge'), { cursor: 'String!', node: 'up_masjids!' })
    assert.equal(fieldsOf('up_masjids').id, 'ID!')
    assert.equal(fieldsOf('up_masjids').events_connection, 'up_eventsConnection!')
    const { node, ...roots } = fieldsOf('query_root')
    assert.equal(node, 'Node')
    assert.ok(Object.keys(roots).every(name => name.endsWith('_connection')))
  })

  test('shows what the credential may read, in introspection as in the file', async () => {
    const key = await relay().api.keyWith(['masjid:read'])
    const query = '{ __schema { queryType { fields { name } } } node: __type(name: "Node") { possibleTypes { name } } }'
    const data = await relay().ask(query, {}, key)
    const names = data.__schema.queryType.fields.map(({ name }: Data) => name)
    assert.ok(names.includes('up_masjids_connection') && names.includes('node'))
    assert.ok(!names.includes('ua_members_connection'))
    assert.ok(!data.node.possibleTypes.some(({ name }: Data) => name === 'ua_members'))
    assert.match(await schemaText(), /ua_members_connection/)
    const whole = await relay().ask(query)
    assert.ok(whole.node.possibleTypes.some(({ name }: Data) => name === 'ua_members'))
  })
})

describe('every table of the sandbox', () => {
  const minaret = useMinaret({ SANDBOX_DATA: 'on' })
  const ask = async (query: string, variables: object = {}): Promise<Data> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${publicTestKey}` }
    const body = JSON.stringify({ query, variables })
    const { data, errors } = (await (
      await fetch(`${minaret().sandboxUrl}/v1/relay`, { method: 'POST', body, headers })
    ).json()) as Data
    assert.equal(errors, undefined, `${query}: ${JSON.stringify(errors)}`)
    return data
  }

  test('gives its rows ids by which they are found', async () => {
    const { __schema } = await ask('{ __schema { queryType { fields { name } } } }')
    const roots = __schema.queryType.fields.map(({ name }: Data) => name).filter((name: string) => name !== 'node')
    assert.ok(roots.length > 10, roots.join())
    let found = 0
    for (const root of roots) {
      const { [root]: page } = await ask(`{ ${root}(first: 2) { edges { node { __typename id } } } }`)
      for (const { node } of page.edges) {
        found += 1
        const asked = `query ($id: ID!) { node(id: $id) { __typename id ... on ${node.__typename} { _cursor } } }`
        const { _cursor, ...rest } = (await ask(asked, { id: node.id })).node
        assert.deepEqual(rest, node)
      }
    }
    assert.ok(found > 20, String(found))
  })
})
