import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type OperationDefinitionNode, parse } from 'graphql'
import { planOperation } from '../../src/graphql/plan/plan-operation.ts'
import { masjidId, memberId } from './fixture.ts'
import { useEngine } from './use-engine.ts'

const graphql = useEngine()

describe('one row by a unique key', () => {
  test('of one column and of several', async () => {
    const data = await graphql().ask(
      `{ up_masjids_by_slug(slug: "masjid-7") { id }
         up_entities_by_country_registration_no(country: "US", registration_no: "00-2") { legal_name }
         ua_members_by_masjid_id_email(masjid_id: "${masjidId(1)}", email: "member2@example.org") { id }
         none: ua_members_by_masjid_id_email(masjid_id: "${masjidId(2)}", email: "member2@example.org") { id } }`,
    )
    assert.deepEqual(data, {
      up_masjids_by_slug: { id: masjidId(7) },
      up_entities_by_country_registration_no: { legal_name: 'Entity 2' },
      ua_members_by_masjid_id_email: { id: memberId(2) },
      none: null,
    })
  })

  test('every column of a key is required', async () => {
    assert.match((await graphql().refused('{ up_masjids_by_pk { id } }'))[0]?.message ?? '', /id/)
  })

  test('it is never planned without a value for each of its columns, whatever validation let through', () => {
    const { model, roots } = graphql().engine.structures.current()
    const plan = (query: string): unknown => {
      const [operation] = parse(query).definitions as [OperationDefinitionNode]
      const variables = { shapes: new Map([['v', { kind: 'null' } as const]]), defaults: new Map() }
      return planOperation({
        model,
        roots,
        operation,
        variables,
        fragments: new Map(),
        required: new Map(),
        relay: false,
      })
    }
    assert.ok(plan('{ up_masjids_by_slug(slug: "a") { id } }'))
    for (const query of [
      '{ up_masjids_by_pk { id } }',
      '{ up_masjids_by_slug(slug: null) { id } }',
      'query ($v: String) { up_masjids_by_slug(slug: $v) { id } }',
      '{ up_entities_by_country_registration_no(country: "US") { id } }',
    ])
      assert.throws(() => plan(query), /no value for the key/, query)
  })
})

describe('functions', () => {
  const near = 'args: {latitude: 35.3, longitude: -78.3, radius_km: 30}'

  test('return rows in their own order, and take the arguments of lists', async () => {
    const { up_masjids_nearby: rows } = await graphql().ask(
      `{ up_masjids_nearby(${near}) { slug distance_km(args: {latitude: 35.3, longitude: -78.3}) events(limit: 1) { id } } }`,
    )
    assert.equal(rows[0].slug, 'masjid-3')
    const distances = rows.map((row: { distance_km: number }) => row.distance_km)
    assert.deepEqual(
      distances,
      [...distances].sort((left: number, right: number) => left - right),
    )
    const filtered = await graphql().ask(
      `query ($args: up_masjids_nearby_args!) { up_masjids_nearby(args: $args, where: {slug: {_neq: "masjid-3"}}, order_by: {slug: desc}, limit: 1) { slug } }`,
      { variables: { args: { latitude: 35.3, longitude: -78.3, radius_km: 30 } } },
    )
    assert.deepEqual(filtered, { up_masjids_nearby: [{ slug: 'masjid-5' }] })
    const { up_masjids_nearby_aggregate: totals } = await graphql().ask(
      `{ up_masjids_nearby_aggregate(${near}) { aggregate { count } nodes { slug } } }`,
    )
    assert.equal(totals.aggregate.count, rows.length)
  })

  test('use the defaults of the database for omitted arguments', async () => {
    const { up_masjids_nearby: rows } = await graphql().ask(
      '{ up_masjids_nearby(args: {latitude: 35.3, longitude: -78.3}) { slug } }',
    )
    assert.deepEqual(rows, [{ slug: 'masjid-3' }])
  })

  test('search ignores accents and tolerates typos', async () => {
    for (const search of ['olive masjid', 'Ölive', 'Larkspurr lane', 'larkspur']) {
      const { up_masjids_search: rows } = await graphql().ask(
        'query ($s: String!) { up_masjids_search(args: {search: $s}, limit: 1) { name } }',
        { variables: { s: search } },
      )
      assert.match(rows[0]?.name ?? '', /Ölive|Larkspur/, search)
    }
  })

  test('report a missing argument', async () => {
    for (const query of [
      '{ up_masjids_nearby { slug } }',
      '{ up_masjids_nearby(args: {latitude: 1}) { slug } }',
      '{ up_masjids_nearby(args: {latitude: "a", longitude: 1}) { slug } }',
      '{ up_masjids { distance_km } }',
    ])
      assert.equal((await graphql().refused(query))[0]?.extensions.code, 'validation-failed', query)
  })
})

describe('views', () => {
  test('with a declared key support lookups, relationships and cursors', async () => {
    const { up_changes } = await graphql().ask(
      '{ up_changes(limit: 3, order_by: {changed_at: asc}) { table_name id _cursor } }',
    )
    assert.equal(up_changes.length, 3)
    const data = await graphql().ask(
      'query ($t: String!, $id: uuid!) { up_changes_by_pk(table_name: $t, id: $id) { table_name } pc_prayer_times(limit: 1) { prayer masjid { slug } } }',
      { variables: { t: up_changes[0].table_name, id: up_changes[0].id } },
    )
    assert.equal(data.up_changes_by_pk.table_name, up_changes[0].table_name)
  })
})
