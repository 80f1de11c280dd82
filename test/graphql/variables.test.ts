// Variables: scoped to their own operation, and never matching every row when null.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dataScopes } from '../../src/access/scopes.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import type { Question } from '../support/graphql.ts'

import { masjidId } from './fixture.ts'
import { useRefusals } from './use-refusals.ts'

const refusals = useRefusals()

// biome-ignore lint/suspicious/noExplicitAny: a response has the shape of its query
const ask = (question: Question): Promise<any> => refusals().answered(question)

describe('a variable has one meaning in each operation', () => {
  const query = `
    query A($x: Int) { up_masjids(limit: $x) { id } }
    query F($x: Int) { ...page }
    query G($x: up_masjids_bool_exp) { up_masjids(where: $x) { slug } }
    query H($x: String!) { up_masjids_by_slug(slug: $x) { slug } }
    query B($x: String) { up_masjids(where: {slug: {_eq: $x}}) { slug } }
    query E($x: Boolean!) { up_masjids(limit: 1) { id name @include(if: $x) } }
    fragment page on query_root { ...inner }
    fragment inner on query_root { up_masjids(limit: $x) { id } }`
  const named = async (operationName: string, x: unknown) => ask({ query, operationName, variables: { x } })

  test('a page size in one is a filter, a key, a value or a condition in the others', async () => {
    // again, since repeated queries take another path
    for (const _ of [1, 2, 3]) {
      assert.equal((await named('A', 3)).up_masjids.length, 3)
      assert.deepEqual(await named('G', { slug: { _eq: 'masjid-3' } }), { up_masjids: [{ slug: 'masjid-3' }] })
      assert.deepEqual(await named('H', 'nobody'), { up_masjids_by_slug: null })
      assert.deepEqual(await named('H', 'masjid-5'), { up_masjids_by_slug: { slug: 'masjid-5' } })
      assert.deepEqual(await named('B', 'masjid-4'), { up_masjids: [{ slug: 'masjid-4' }] })
      assert.deepEqual(Object.keys((await named('E', true)).up_masjids[0]), ['id', 'name'])
      assert.deepEqual(Object.keys((await named('E', false)).up_masjids[0]), ['id'])
    }
  })

  test('a page size within fragments applies', async () => {
    for (const size of [1, 4, 0]) assert.equal((await named('F', size)).up_masjids.length, size)
    await refusals().refused(
      { query, operationName: 'F', variables: { x: 101 } },
      { code: 'page-out-of-range', says: /limit is 101/ },
    )
  })
})

describe('null in a variable with a default, where a value is needed', () => {
  const id = `"${masjidId(1)}"`
  const places: readonly (readonly [place: string, query: string])[] = [
    ['the primary key', `query ($v: uuid = ${id}) { up_masjids_by_pk(id: $v) { id } }`],
    ['the primary key of people', `query ($v: uuid = ${id}) { ua_members_by_pk(id: $v) { id } }`],
    ['a unique key', 'query ($v: String = "masjid-1") { up_masjids_by_slug(slug: $v) { id } }'],
    [
      'a part of a key',
      'query ($v: String = "US") { up_entities_by_country_registration_no(country: $v, registration_no: "00-2") { id } }',
    ],
    [
      'a key in a fragment',
      `query ($v: uuid = ${id}) { ...f } fragment f on query_root { up_masjids_by_pk(id: $v) { id } }`,
    ],
    [
      'a key asked for twice',
      `query ($v: uuid = ${id}) { up_masjids_by_pk(id: $v) { id } up_masjids_by_pk(id: $v) { name } }`,
    ],
    ['@include', 'query ($v: Boolean = true) { up_masjids(limit: 1) { id name @include(if: $v) } }'],
    ['@skip', 'query ($v: Boolean = true) { up_masjids(limit: 1) { id ... @skip(if: $v) { name } } }'],
    ['_in', 'query ($v: Int = 1) { up_masjids(where: {capacity: {_in: [$v]}}) { id } }'],
    ['_nin', 'query ($v: Int = 1) { up_masjids(where: {capacity: {_nin: [100, $v]}}) { id } }'],
    ['_and', 'query ($v: up_masjids_bool_exp = {}) { up_masjids(where: {_and: [$v]}) { id } }'],
    [
      'a condition on totals',
      'query ($v: Int_comparison_exp = {_gt: 1}) { up_masjids(where: {events_aggregate: {count: {predicate: $v}}}) { id } }',
    ],
    ['distinct_on', 'query ($v: up_masjids_select_column = city) { up_masjids(distinct_on: [$v]) { id } }'],
    ['order_by', 'query ($v: up_masjids_order_by = {}) { up_masjids(order_by: [$v]) { id } }'],
    [
      'group_by, even if no groups are asked for',
      'query ($v: up_masjids_select_column = city) { up_masjids_aggregate(group_by: [$v]) { aggregate { count } } }',
    ],
    [
      'the arguments of a function',
      'query ($v: up_masjids_nearby_args = {latitude: 35, longitude: -78}) { up_masjids_nearby(args: $v) { id } }',
    ],
    ['a question about the schema', 'query ($v: String = "up_masjids") { __type(name: $v) { name } }'],
  ]
  for (const [place, query] of places)
    test(`is refused at ${place}`, async () => {
      const says = /^Variable "\$v" has invalid value: .*null/
      const error = await refusals().refused({ query, variables: { v: null } }, { code: 'bad-variables', says })
      assert.deepEqual(error.locations, [{ line: 1, column: query.indexOf('$v', query.indexOf('{ ')) + 1 }])
      await ask({ query })
    })

  test('is ignored where the field is skipped', async () => {
    const query = `query ($v: uuid = ${id}, $s: Boolean!) { up_masjids_by_pk(id: $v) @skip(if: $s) { id } }`
    assert.deepEqual(await ask({ query, variables: { v: null, s: true } }), {})
  })

  test('is null where null is allowed', async () => {
    const query = 'query ($v: Int = 1) { up_masjids(limit: $v, where: null) { id } }'
    assert.equal((await ask({ query, variables: { v: null } })).up_masjids.length, 11)
    assert.equal((await ask({ query })).up_masjids.length, 1)
  })
})

describe('a variable that is not provided', () => {
  const holding = (literal: string, declared: string): string =>
    `query (${declared}) { up_masjids(where: {adjustments: {_contains: ${literal}}}) { id } }`
  const count = async (query: string, variables: Record<string, unknown>): Promise<number> =>
    (await ask({ query, variables })).up_masjids.length

  test('omits its field from JSON', async () => {
    assert.equal(await count(holding('{fajr: 2, z: $v}', '$v: Int'), {}), 5)
    assert.equal(await count(holding('{fajr: $v}', '$v: Int'), {}), 11)
    assert.equal(await count(holding('{fajr: $v}', '$v: Int = 2'), {}), 5)
    assert.equal(await count(holding('{fajr: $v}', '$v: Int'), { v: 2 }), 5)
  })

  test('is null in a list, and null is null', async () => {
    assert.equal(await count(holding('{fajr: 2, z: $v}', '$v: Int'), { v: null }), 0)
    assert.equal(await count(holding('[$v]', '$v: Int'), {}), 0)
  })
})

test('introspection works beside a skipped table, whatever its variables are', async () => {
  const { client, minaret } = refusals()
  const { database } = minaret.service
  const { id: appId } = await makeApp(database, { scopes: dataScopes })
  const { key } = await makeKey(database, { appId, scopes: ['masjid:read'] })
  const query = `query ($w: ua_donations_bool_exp, $s: Boolean!, $t: String!) {
    ...about ua_donations(where: $w) @skip(if: $s) { id } }
    fragment about on query_root { ...inner }
    fragment inner on query_root { __schema { queryType { name @skip(if: $s) kind } } __type(name: $t) { name } }`
  const variables = { w: { amount_minor: { _gt: 5 } }, s: true, t: 'up_masjids' }
  const headers = { authorization: `Bearer ${key}` }
  const { body } = await client.query({ query, variables }, headers)
  assert.deepEqual(body, { data: { __schema: { queryType: { kind: 'OBJECT' } }, __type: { name: 'up_masjids' } } })
  const asked = await client.query({ query, variables: { ...variables, s: false } }, headers)
  assert.equal(asked.body.errors?.[0]?.extensions.code, 'insufficient-scope')
})

describe('null for an argument of a function that has a default', () => {
  const near = 'latitude: 35.3, longitude: -78.3'

  test('is the default, as a literal or in a variable', async () => {
    const slugs = async (args: string, declared = '', variables = {}): Promise<unknown> =>
      (await ask({ query: `query ${declared} { up_masjids_nearby(args: ${args}) { slug } }`, variables }))
        .up_masjids_nearby
    const usual = [{ slug: 'masjid-3' }]
    assert.deepEqual(await slugs(`{${near}}`), usual)
    assert.deepEqual(await slugs(`{${near}, radius_km: null}`), usual)
    assert.deepEqual(await slugs(`{${near}, radius_km: $r}`, '($r: Float)', { r: null }), usual)
    assert.deepEqual(await slugs(`{${near}, radius_km: $r}`, '($r: Float = 0)', { r: null }), usual)
    const given = { latitude: 35.3, longitude: -78.3, radius_km: null }
    assert.deepEqual(await slugs('$args', '($args: up_masjids_nearby_args!)', { args: given }), usual)
    assert.deepEqual(await slugs(`{${near}, radius_km: 0}`), [{ slug: 'masjid-3' }])
    assert.deepEqual(await slugs('{latitude: 35.31, longitude: -78.3, radius_km: 0}'), [])
  })

  test('sends the same statement as without the argument', async () => {
    const sqlOf = async (more: string): Promise<string> => {
      const query = `{ pc_prayer_times_today(args: {masjid_id: "${masjidId(1)}"${more}}) { prayer } }`
      const { body } = await refusals().client.query({ query }, { 'x-minaret-explain': '1' })
      return body.extensions.sql
    }
    assert.match(await sqlOf(', at: "2026-01-01T00:00:00Z"'), /"at" =>/)
    assert.equal(await sqlOf(', at: null'), await sqlOf(''))
  })
})
