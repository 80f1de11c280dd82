import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useEngine } from './use-engine.ts'

const graphql = useEngine()

describe('edge cases of the language', () => {
  test('when every field is skipped the object is empty, at the root and in rows', async () => {
    assert.deepEqual(await graphql().ask('{ up_masjids @skip(if: true) { id } }'), {})
    assert.deepEqual(await graphql().ask('{ up_masjids(limit: 2) { id @include(if: false) } }'), {
      up_masjids: [{}, {}],
    })
    const totals = await graphql().ask(
      '{ up_masjids_aggregate { aggregate { count @skip(if: true) } nodes @skip(if: true) { id } } }',
    )
    assert.deepEqual(totals, { up_masjids_aggregate: { aggregate: {} } })
    const names = await graphql().ask('{ up_masjids_aggregate { aggregate { __typename max { __typename } } } }')
    assert.deepEqual(names.up_masjids_aggregate.aggregate, {
      __typename: 'up_masjids_aggregate_fields',
      max: { __typename: 'up_masjids_max_fields' },
    })
  })

  test('variable defaults apply to pages, directives and order', async () => {
    const query = `query ($n: Int = 2, $with: Boolean = false, $o: [up_masjids_order_by!] = {latitude: desc}) {
      up_masjids(limit: $n, order_by: $o) { slug city @include(if: $with) } }`
    assert.deepEqual(await graphql().ask(query), { up_masjids: [{ slug: 'masjid-11' }, { slug: 'masjid-10' }] })
    const given = await graphql().ask(query, { variables: { n: 1, with: true, o: [{ latitude: 'asc' }] } })
    assert.deepEqual(given, { up_masjids: [{ slug: 'masjid-1', city: 'Durham' }] })
  })

  test('an empty order_by is no order_by', async () => {
    for (const order of ['[]', '{}', '[{}]', 'null'])
      assert.equal((await graphql().ask(`{ up_masjids(order_by: ${order}) { id } }`)).up_masjids.length, 11)
  })

  test('the same relationship under several aliases, each with its own arguments', async () => {
    const { up_masjids_by_slug: masjid } = await graphql().ask(`{ up_masjids_by_slug(slug: "masjid-5") {
      first: events(limit: 1, order_by: {starts_local: asc}) { title } last: events(limit: 1, order_by: {starts_local: desc}) { title }
      online: events_aggregate(where: {mode: {_eq: online}}) { aggregate { count } } all: events_aggregate { aggregate { count } } } }`)
    assert.deepEqual(masjid, {
      first: [{ title: 'Event 5.1' }],
      last: [{ title: 'Event 5.5' }],
      online: { aggregate: { count: 2 } },
      all: { aggregate: { count: 5 } },
    })
  })

  test('the same field in several fragments is merged', async () => {
    const query = `{ up_masjids_by_slug(slug: "masjid-5") { ...a ...b entity { id } } }
      fragment a on up_masjids { entity { legal_name } events(limit: 1) { id } }
      fragment b on up_masjids { entity { kind __typename } events(limit: 1) { title } }`
    const { up_masjids_by_slug: masjid } = await graphql().ask(query)
    assert.deepEqual(Object.keys(masjid.entity), ['legal_name', 'kind', '__typename', 'id'])
    assert.deepEqual(Object.keys(masjid.events[0]), ['id', 'title'])
  })

  test('more fields than a PostgreSQL function takes arguments', async () => {
    const counts = Array.from({ length: 70 }, (_, index) => `c${index}: count`).join(' ')
    const maxima = Array.from({ length: 70 }, (_, index) => `m${index}: latitude`).join(' ')
    const { up_masjids_aggregate: totals } = await graphql().ask(
      `{ up_masjids_aggregate { aggregate { ${counts} max { ${maxima} } } } }`,
    )
    assert.equal(totals.aggregate.c69, 11)
    assert.equal(totals.aggregate.max.m69, 36.1)
    const long = 'x'.repeat(70)
    const many = Array.from({ length: 60 }, (_, index) => `${long}${index}: name_ar`).join(' ')
    const { up_masjids } = await graphql().ask(`{ up_masjids(limit: 1, order_by: {latitude: asc}) { ${many} } }`)
    assert.equal(Object.keys(up_masjids[0]).length, 60)
    assert.equal(up_masjids[0][`${long}0`], null)
  })

  test('distinct rows in aggregates, with cursors and computed fields in nodes', async () => {
    const { up_masjids_aggregate: totals } =
      await graphql().ask(`{ up_masjids_aggregate(distinct_on: city, order_by: [{city: asc}, {latitude: desc}]) {
      aggregate { count sum { latitude } } nodes { slug _cursor distance_km(args: {latitude: 35, longitude: -78}) entity { legal_name } } } }`)
    assert.equal(totals.aggregate.count, 3)
    assert.deepEqual(
      totals.nodes.map(({ slug }: { slug: string }) => slug),
      ['masjid-11', 'masjid-10', 'masjid-9'],
    )
  })

  test('a page of groups over a page of rows', async () => {
    const { up_masjids_aggregate: totals } =
      await graphql().ask(`{ up_masjids_aggregate(order_by: {latitude: asc}, limit: 4, group_by: city) {
      groups { keys { city __typename } aggregate { count } __typename } } }`)
    assert.deepEqual(
      totals.groups.map((group: { keys: { city: string }; aggregate: { count: number } }) => [
        group.keys.city,
        group.aggregate.count,
      ]),
      [
        ['Cary', 1],
        ['Durham', 2],
        ['Raleigh', 1],
      ],
    )
  })
})
