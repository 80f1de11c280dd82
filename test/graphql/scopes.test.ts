import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getIntrospectionQuery } from 'graphql'
import { grantWith, useEngine } from './use-engine.ts'

const graphql = useEngine()
const masjidsOnly = grantWith(['masjid:read'])

describe('a table whose scope is missing', () => {
  for (const [place, query, table, variables] of [
    ['a root', '{ up_events { id } }', 'up_events'],
    ['a row by key', '{ up_events_by_pk(id: "00000000-0000-4000-8000-000000000001") { id } }', 'up_events'],
    ['totals', '{ up_events_aggregate { aggregate { count } } }', 'up_events'],
    ['a relationship', '{ up_masjids { events { id } } }', 'up_events'],
    ['totals of a relationship', '{ up_masjids { events_aggregate { aggregate { count } } } }', 'up_events'],
    ['nodes of totals', '{ up_masjids_aggregate { nodes { events { id } } } }', 'up_events'],
    [
      'a relationship back',
      '{ up_masjids(limit: 9) { entity { masjids(limit: 9) { members { id } } } } }',
      'ua_members',
    ],
    ['a filter', '{ up_masjids(where: {events: {title: {_eq: "x"}}}) { id } }', 'up_events'],
    ['a filter below _or', '{ up_masjids(where: {_or: [{_not: {events: {}}}]}) { id } }', 'up_events'],
    [
      'a filter by totals',
      '{ up_masjids(where: {events_aggregate: {count: {predicate: {_eq: 1}}}}) { id } }',
      'up_events',
    ],
    ['a filter in totals', '{ up_masjids_aggregate(where: {members: {}}) { aggregate { count } } }', 'ua_members'],
    ['a filter of a function', '{ up_masjids_search(args: {search: "a"}, where: {events: {}}) { id } }', 'up_events'],
    [
      'a filter in a variable',
      'query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }',
      'up_events',
      { w: { _and: [{ events: { title: { _eq: 'x' } } }] } },
    ],
    [
      'a part of a filter in a variable',
      'query ($w: up_events_bool_exp) { up_masjids(where: {events: $w}) { id } }',
      'up_events',
      { w: {} },
    ],
    ['order', '{ up_masjids(order_by: {events_aggregate: {count: asc}}) { id } }', 'up_events'],
    [
      'order in a variable',
      'query ($o: [up_masjids_order_by!]) { up_masjids(order_by: $o) { id } }',
      'up_events',
      { o: [{ events_aggregate: { max: { capacity: 'asc' } } }] },
    ],
    ['a function', '{ pc_prayer_times_nearby(args: {latitude: 1, longitude: 1}) { date } }', 'pc_prayer_times'],
    ['a fragment', 'query { up_masjids { ...f } } fragment f on up_masjids { events { id } }', 'up_events'],
    ['an operation named __schema', 'query __schema { up_events { id } }', 'up_events'],
    ['beside a question about the schema', '{ __schema { queryType { name } } up_events { id } }', 'up_events'],
  ] as const)
    test(`is refused at ${place}`, async () => {
      const errors = await graphql().refused(query, {
        grant: masjidsOnly,
        variables: (variables ?? {}) as Record<string, unknown>,
      })
      const error = errors.find(({ extensions }) => extensions.table === table)
      assert.equal(error?.extensions.code, 'insufficient-scope', JSON.stringify(errors))
      assert.match(error?.message ?? '', new RegExp(`${table}.*:read`))
    })

  test('needs all of its scopes: RSVPs need events and members', async () => {
    const query = '{ up_event_rsvps { id } }'
    for (const scopes of [['events:read'], ['members:read']] as const)
      assert.equal(
        (await graphql().refused(query, { grant: grantWith(scopes) }))[0]?.extensions.code,
        'insufficient-scope',
      )
    assert.deepEqual(await graphql().ask(query, { grant: grantWith(['events:read', 'members:read']) }), {
      up_event_rsvps: [],
    })
  })

  test('a plan cached for one credential does not open the table to another', async () => {
    const query = '{ up_events(limit: 1) { id } }'
    assert.equal((await graphql().ask(query)).up_events.length, 1)
    assert.equal((await graphql().refused(query, { grant: masjidsOnly }))[0]?.extensions.code, 'insufficient-scope')
    assert.equal((await graphql().ask(query)).up_events.length, 1)
  })
})

describe('introspection', () => {
  const typeNames = async (grant = masjidsOnly): Promise<string[]> => {
    const { __schema } = await graphql().ask(getIntrospectionQuery(), { grant })
    return __schema.types.map(({ name }: { name: string }) => name)
  }

  test('shows what the credential may read, and no relationship to anything else', async () => {
    const names = await typeNames()
    assert.ok(names.includes('up_masjids') && names.includes('up_entities'))
    // The names of prayers are an enum, which announcements of a janazah use too.
    const isPrayerName = (name: string): boolean => /^pc_prayer(_comparison_exp)?$/.test(name)
    assert.deepEqual(
      names.filter(name => /^(up_event|ua_|pc_p)/.test(name) && !isPrayerName(name)),
      [],
    )
    assert.ok((await typeNames(grantWith(['masjid:read', 'events:read']))).includes('up_events'))
    const { __type } = await graphql().ask('{ __type(name: "up_masjids") { fields { name description } } }', {
      grant: masjidsOnly,
    })
    const fields: { name: string; description: string }[] = __type.fields
    assert.ok(!fields.some(({ name }) => name === 'events'))
    assert.equal(fields.find(({ name }) => name === 'city')?.description, 'City or town.')
    assert.ok(!fields.some(({ name }) => ['deleted_at', 'search_document'].includes(name)))
    assert.equal((await graphql().ask('{ __type(name: "up_events") { name } }', { grant: masjidsOnly })).__type, null)
  })

  test('can be combined with data, under any alias and with variables', async () => {
    const data = await graphql().ask(
      'query ($n: String!) { a: __type(name: $n) { kind } up_masjids(limit: 1) { __typename } t: __typename s: __schema { queryType { name } } }',
      { variables: { n: 'order_by' }, grant: masjidsOnly },
    )
    assert.deepEqual(data, {
      a: { kind: 'ENUM' },
      up_masjids: [{ __typename: 'up_masjids' }],
      t: 'query_root',
      s: { queryType: { name: 'query_root' } },
    })
    assert.deepEqual(Object.keys(data), ['a', 'up_masjids', 't', 's'])
  })

  test('has a cost, and is refused when that is too high', async () => {
    const types = Array.from(
      { length: 20 },
      (_, index) => `a${index}: types { fields { args { name type { name } } } }`,
    ).join(' ')
    assert.equal((await graphql().refused(`{ __schema { ${types} } }`))[0]?.extensions.code, 'too-costly')
    const deep = '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }'
    assert.ok((await graphql().refused(deep)).length > 0)
  })

  test('a credential for no table sees an empty schema', async () => {
    const names = await typeNames(grantWith([]))
    assert.deepEqual(
      names.filter(name => /^(up|ua|pc)_/.test(name)),
      [],
    )
  })
})
