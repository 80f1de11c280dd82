import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grantWith, useEngine } from './use-engine.ts'

const graphql = useEngine()

const numbers = async (args: string, variables: Record<string, unknown> = {}, declared = ''): Promise<number[]> => {
  const { up_masjids } = await graphql().ask(`query ${declared} { up_masjids(${args}) { slug } }`, { variables })
  return up_masjids.map(({ slug }: { slug: string }) => Number(slug.slice(7)))
}

describe('order_by', () => {
  test('directions and nulls', async () => {
    assert.deepEqual((await numbers('order_by: {capacity: asc}')).slice(0, 8), [2, 3, 4, 6, 7, 8, 10, 11])
    const by = async (direction: string) =>
      (await numbers(`order_by: [{capacity: ${direction}}, {latitude: asc}]`)).join(' ')
    assert.equal(await by('asc'), '2 3 4 6 7 8 10 11 1 5 9')
    assert.equal(await by('asc_nulls_last'), '2 3 4 6 7 8 10 11 1 5 9')
    assert.equal(await by('asc_nulls_first'), '1 5 9 2 3 4 6 7 8 10 11')
    assert.equal(await by('desc'), '1 5 9 11 10 8 7 6 4 3 2')
    assert.equal(await by('desc_nulls_first'), '1 5 9 11 10 8 7 6 4 3 2')
    assert.equal(await by('desc_nulls_last'), '11 10 8 7 6 4 3 2 1 5 9')
  })

  test('several keys, in one object and in a list, as literals and as variables', async () => {
    const expected = '2 5 8 11 1 4 7 10 3 6 9'
    assert.equal((await numbers('order_by: {city: asc, latitude: asc}')).join(' '), expected)
    assert.equal((await numbers('order_by: [{city: asc}, {latitude: asc}]')).join(' '), expected)
    const variables = { o: { city: 'asc', latitude: 'asc' } }
    assert.equal((await numbers('order_by: $o', variables, '($o: [up_masjids_order_by!])')).join(' '), expected)
    assert.equal(
      (await numbers('order_by: [{city: $d}, {latitude: $d}]', { d: 'asc' }, '($d: order_by!)')).join(' '),
      expected,
    )
    assert.equal(
      (await numbers('order_by: [{city: $d}, {latitude: $d}]', { d: 'desc' }, '($d: order_by!)')).join(' '),
      expected.split(' ').reverse().join(' '),
    )
  })

  test('by a related row, and by aggregates over related rows', async () => {
    assert.equal(
      (await numbers('order_by: [{entity: {legal_name: desc}}, {latitude: asc}]')).join(' '),
      '4 8 3 7 11 2 6 10 1 5 9',
    )
    assert.equal(
      (await numbers('order_by: [{events_aggregate: {count: desc}}, {latitude: asc}]')).join(' '),
      '5 11 4 10 3 9 2 8 1 7 6',
    )
    assert.equal(
      (
        await numbers('order_by: [{events_aggregate: {max: {duration_minutes: asc_nulls_first}}}, {latitude: desc}]')
      ).join(' '),
      '6 7 1 8 2 9 3 10 4 11 5',
    )
  })
})

describe('null in order_by', () => {
  const inOrder = '1 2 3 4 5 6 7 8 9 10 11'

  for (const nothing of [
    '{city: null}',
    '{entity: null}',
    '{entity: {kind: null}}',
    '{events_aggregate: null}',
    '{events_aggregate: {count: null}}',
    '{events_aggregate: {max: null}}',
    '{events_aggregate: {max: {capacity: null}}}',
  ])
    test(`is ignored: ${nothing}`, async () =>
      assert.equal((await numbers(`order_by: [${nothing}, {latitude: asc}]`)).join(' '), inOrder))

  test('in a variable too, beside other keys of the same object, and alone', async () => {
    const one = await numbers('order_by: {city: $d, latitude: asc}', { d: null }, '($d: order_by)')
    assert.equal(one.join(' '), inOrder)
    const all = await numbers('order_by: $o', { o: { city: null, latitude: 'asc' } }, '($o: [up_masjids_order_by!])')
    assert.equal(all.join(' '), inOrder)
    assert.equal((await numbers('order_by: {city: null}')).length, 11)
    assert.equal((await numbers('order_by: null')).length, 11)
  })

  test('names no table, so it needs no scope', async () => {
    const grant = grantWith(['masjid:read'])
    const { up_masjids } = await graphql().ask('{ up_masjids(order_by: {events_aggregate: null}, limit: 1) { id } }', {
      grant,
    })
    assert.equal(up_masjids.length, 1)
  })

  test('sorts groups by their keys', async () => {
    const { up_masjids_aggregate } = await graphql().ask(
      '{ up_masjids_aggregate(group_by: city) { groups(order_by: [{keys: null}, {keys: {city: null}}, {count: null}]) { keys { city } } } }',
    )
    assert.deepEqual(
      up_masjids_aggregate.groups.map(({ keys }: { keys: { city: string } }) => keys.city),
      ['Cary', 'Durham', 'Raleigh'],
    )
  })
})

describe('distinct_on', () => {
  test('keeps the first row of each group, with relationships and computed fields', async () => {
    const { up_masjids } =
      await graphql().ask(`{ up_masjids(distinct_on: [city], order_by: [{city: asc}, {latitude: desc}]) {
      city slug events(limit: 1) { title } distance_km(args: {latitude: 35, longitude: -78}) } }`)
    assert.deepEqual(
      up_masjids.map(({ city, slug }: { city: string; slug: string }) => [city, slug]),
      [
        ['Cary', 'masjid-11'],
        ['Durham', 'masjid-10'],
        ['Raleigh', 'masjid-9'],
      ],
    )
    assert.equal(typeof up_masjids[0].distance_km, 'number')
    assert.deepEqual(
      await numbers('distinct_on: city, limit: 2, offset: 1, order_by: [{city: asc}, {latitude: asc}]'),
      [1, 3],
    )
    assert.equal(
      (await numbers('distinct_on: $d', { d: ['city', 'state'] }, '($d: [up_masjids_select_column!])')).length,
      5,
    )
  })

  test('must match the first columns of order_by', async () => {
    const [error] = await graphql().refused('{ up_masjids(distinct_on: [city], order_by: {slug: asc}) { slug } }')
    assert.equal(error?.extensions.code, 'validation-failed')
    assert.match(error?.message ?? '', /distinct_on.*order_by/)
  })
})
