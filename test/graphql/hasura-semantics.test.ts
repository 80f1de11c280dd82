// The Hasura semantics that clients rely on, one test each, over HTTP.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { dataScopes } from '../../src/access/scopes.ts'
import { rawSql } from '../../src/db/sql.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type Data, type GraphqlClient, openClient, waitForTable } from '../support/graphql.ts'
import { useMinaret } from '../support/minaret.ts'
import { fixtureTemplate, masjidId } from './fixture.ts'
import { addSpecimens } from './property/specimens.ts'

describe('as in Hasura', () => {
  let client: GraphqlClient | undefined
  after(() => client?.close())
  useMinaret(
    {},
    async running => {
      const { database } = running.service
      await addSpecimens(database)
      await database.run(
        rawSql(`insert into public.ua_campaigns (id, masjid_id, title, goal_minor, currency)
      values ('00000000-0000-4000-8000-000000006001', '${masjidId(1)}', 'Dome', 9007199254740993, 'USD')`),
      )
      const { id } = await makeApp(database, { scopes: dataScopes })
      const opened = openClient(running, (await makeKey(database, { appId: id, scopes: dataScopes })).key)
      client = opened
      await waitForTable(opened, 'up_specimens')
    },
    { template: fixtureTemplate },
  )
  const send = async (query: string, variables: Record<string, unknown> = {}) => {
    const answer = await (client as GraphqlClient).query({ query, variables })
    assert.equal(answer.body.errors, undefined, answer.text)
    return answer
  }
  const ask = async (query: string, variables: Record<string, unknown> = {}): Promise<Data> =>
    (await send(query, variables)).body.data
  const slugs = async (given: string): Promise<string[]> =>
    (await ask(`{ rows: up_masjids(${given}) { slug } }`)).rows.map(({ slug }: { slug: string }) => slug)
  const all = 11

  test('@cached is accepted, with its arguments and without, and answers the same', async () => {
    const rows = '{ up_masjids(limit: 2, order_by: {slug: asc}) { slug } }'
    const expected = await ask(rows)
    for (const directive of ['@cached', '@cached(ttl: 120)', '@cached(refresh: true)'])
      assert.deepEqual(await ask(`query ${directive} ${rows}`), expected)
    assert.deepEqual(await ask(`query ($ttl: Int!) @cached(ttl: $ttl) ${rows}`, { ttl: 5 }), expected)
  })

  describe('filters', () => {
    const counts: readonly (readonly [name: string, where: string, count: number])[] = [
      ['{} is no filter', '{}', all],
      ['an empty comparison is no filter', '{name: {}}', all],
      ['_in: [] matches nothing', '{name: {_in: []}}', 0],
      ['_nin: [] matches everything', '{name: {_nin: []}}', all],
      ['_nin: [] matches null too', '{state: {_nin: []}, name_ar: {_nin: []}}', all],
      ['_and: [] is true', '{_and: []}', all],
      ['_or: [] is false', '{_or: []}', 0],
      ['_not: {} is false', '{_not: {}}', 0],
      ['_or: [{}] is true', '{_or: [{}]}', all],
      ['_not of nothing is everything', '{_not: {_or: []}}', all],
      ['_neq leaves nulls out', '{state: {_neq: "XX"}}', 9],
      ['_not of _eq leaves nulls out', '{_not: {state: {_eq: "XX"}}}', 9],
      ['_is_null: true', '{state: {_is_null: true}}', 2],
      ['_is_null: false', '{state: {_is_null: false}}', 9],
      ['keys of one object all hold', '{city: {_eq: "Durham"}, state: {_is_null: false}}', 3],
      ['operators of one column all hold', '{capacity: {_gt: 100, _lte: 300}}', 3],
      ['an object relationship must be there', '{entity: {}}', 9],
      ['one that is not there', '{_not: {entity: {}}}', 2],
      ['an array relationship means any', '{events: {title: {_like: "%.1"}}}', 10],
      ['_not of it means none', '{_not: {events: {title: {_like: "%.1"}}}}', 1],
      ['a relationship of a relationship', '{events: {masjid: {city: {_eq: "Cary"}}}}', 4],
      ['a count of related rows', '{events_aggregate: {count: {predicate: {_gte: 4}}}}', 4],
      ['a count with a filter', '{events_aggregate: {count: {predicate: {_eq: 0}, filter: {mode: {_eq: online}}}}}', 3],
      ['a count of zero', '{events_aggregate: {count: {predicate: {_eq: 0}}}}', 1],
      ['a single value where a list is expected', '{slug: {_in: "masjid-1"}}', 1],
      ['_ilike', '{name: {_ilike: "%LANE%"}}', 1],
      ['_like sees capitals', '{name: {_like: "%LANE%"}}', 0],
      ['_similar matches the whole', '{slug: {_similar: "masjid-(1|2)"}}', 2],
      ['_regex matches a part', '{slug: {_regex: "-1"}}', 3],
      ['_iregex', '{name: {_iregex: "^LARK"}}', 1],
      ['_contains of an array', '{languages: {_contains: ["ar", "en"]}}', 6],
      ['_contained_in of an array', '{languages: {_contained_in: ["en"]}}', 5],
      ['_overlaps of an array', '{languages: {_overlaps: ["ur", "ar"]}}', 6],
      ['_has_key', '{adjustments: {_has_key: "fajr"}}', 5],
      ['_has_keys_any', '{adjustments: {_has_keys_any: ["asr", "fajr"]}}', 5],
      ['_has_keys_all', '{adjustments: {_has_keys_all: ["asr", "fajr"]}}', 0],
      ['_contains of jsonb', '{adjustments: {_contains: {fajr: 2}}}', 5],
      ['_jsonb_path_exists', '{adjustments: {_jsonb_path_exists: "$.fajr"}}', 5],
      ['_jsonb_path_exists with a filter', '{adjustments: {_jsonb_path_exists: "$.fajr ? (@ > 2)"}}', 0],
      ['_jsonb_path_match', '{adjustments: {_jsonb_path_match: "$.fajr == 2"}}', 5],
      ['_jsonb_path_match of something else', '{adjustments: {_jsonb_path_match: "$.fajr.x.y > 1"}}', 0],
    ]
    for (const [name, where, count] of counts)
      test(name, async () => {
        const data = await ask(
          `{ rows: up_masjids(where: ${where}) { id } total: up_masjids_aggregate(where: ${where}) { aggregate { count } } }`,
        )
        assert.equal(data.rows.length, count)
        assert.equal(data.total.aggregate.count, count)
      })

    test('a jsonpath may be a variable; one that cannot be read is a bad value, one that is too long is refused', async () => {
      const query = 'query ($p: String) { up_masjids(where: {adjustments: {_jsonb_path_match: $p}}) { id } }'
      assert.equal((await ask(query, { p: '$.fajr == 2' })).up_masjids.length, 5)
      const codeFor = async (p: string | null) =>
        (await (client as GraphqlClient).query({ query, variables: { p } })).body.errors?.[0]?.extensions.code
      assert.equal(await codeFor('$.fajr =='), 'bad-value')
      assert.equal(await codeFor(`$.${'a'.repeat(200)}`), 'search-too-long')
      assert.equal(await codeFor(null), 'validation-failed')
    })

    test('a deleted row never appears: not by key, by filter or through a relationship', async () => {
      const data =
        await ask(`{ one: up_masjids_by_pk(id: "${masjidId(12)}") { id } slug: up_masjids_by_slug(slug: "masjid-12") { id }
        list: up_masjids(where: {slug: {_eq: "masjid-12"}}) { id } entities: up_entities(where: {masjids: {slug: {_eq: "masjid-12"}}}) { id } }`)
      assert.deepEqual(data, { one: null, slug: null, list: [], entities: [] })
    })
  })

  describe('order and pages', () => {
    const states = async (direction: string): Promise<(string | null)[]> =>
      (await ask(`{ rows: up_masjids(order_by: [{state: ${direction}}, {id: asc}]) { state } }`)).rows.map(
        ({ state }: { state: string | null }) => state,
      )

    test('plain asc and asc_nulls_last put nulls last', async () => {
      for (const direction of ['asc', 'asc_nulls_last'])
        assert.deepEqual((await states(direction)).slice(-2), [null, null])
    })
    test('plain desc and desc_nulls_first put nulls first', async () => {
      for (const direction of ['desc', 'desc_nulls_first'])
        assert.deepEqual((await states(direction)).slice(0, 2), [null, null])
    })
    test('asc_nulls_first and desc_nulls_last', async () => {
      assert.deepEqual((await states('asc_nulls_first')).slice(0, 2), [null, null])
      assert.deepEqual((await states('desc_nulls_last')).slice(-2), [null, null])
    })
    test('several keys, in the order of the list', async () => {
      const data = await ask(
        '{ rows: up_masjids(order_by: [{city: asc}, {capacity: desc_nulls_last}]) { city capacity } }',
      )
      const cities = data.rows.map(({ city }: { city: string }) => city)
      assert.deepEqual(cities, [...cities].sort())
      assert.deepEqual(
        data.rows.filter(({ city }: { city: string }) => city === 'Cary').map((row: Data) => row.capacity),
        [550, 400, 100, null],
      )
    })
    test('by a column of a related row, and by a count of related rows', async () => {
      const related = await ask(
        '{ up_masjids(order_by: [{entity: {legal_name: desc_nulls_last}}, {id: asc}], limit: 1) { entity { legal_name } } }',
      )
      assert.equal(related.up_masjids[0].entity.legal_name, 'Entity 3')
      const counted = await ask(
        '{ up_masjids(order_by: [{events_aggregate: {count: desc}}, {id: asc}]) { events_aggregate { aggregate { count } } } }',
      )
      const found = counted.up_masjids.map((row: Data) => row.events_aggregate.aggregate.count)
      assert.deepEqual(
        found,
        [...found].sort((a, b) => b - a),
      )
    })
    test('limit, offset, limit: 0, an offset beyond the end', async () => {
      const everyone = await slugs('order_by: {slug: asc}')
      assert.deepEqual(await slugs('order_by: {slug: asc}, limit: 3, offset: 2'), everyone.slice(2, 5))
      assert.deepEqual(await slugs('limit: 0'), [])
      assert.deepEqual(await slugs('offset: 1000'), [])
    })
    test('distinct_on keeps the first row of each group in the given order', async () => {
      const data = await ask(
        '{ rows: up_masjids(distinct_on: city, order_by: [{city: asc}, {slug: desc}]) { city slug } }',
      )
      assert.deepEqual(data.rows, [
        { city: 'Cary', slug: 'masjid-8' },
        { city: 'Durham', slug: 'masjid-7' },
        { city: 'Raleigh', slug: 'masjid-9' },
      ])
    })
    test('a column repeated in distinct_on counts once', async () => {
      const once = await slugs('distinct_on: city, order_by: [{city: asc}, {slug: desc}]')
      assert.deepEqual(await slugs('distinct_on: [city, city], order_by: [{city: asc}, {slug: desc}]'), once)
      assert.deepEqual(
        await slugs('distinct_on: [city, city], order_by: [{city: asc}, {city: asc}, {slug: desc}]'),
        once,
      )
      const { rows } = await ask(
        'query ($d: [up_masjids_select_column!]) { rows: up_masjids(distinct_on: $d, order_by: [{city: asc}, {slug: desc}]) { slug } }',
        { d: ['city', 'city'] },
      )
      assert.deepEqual(
        rows.map((row: Data) => row.slug),
        once,
      )
    })
    test('a nested list has its own arguments', async () => {
      const data = await ask(
        '{ up_masjids_by_slug(slug: "masjid-5") { events(where: {capacity: {_is_null: false}}, order_by: {title: desc}, limit: 2, offset: 1) { title } } }',
      )
      assert.deepEqual(data.up_masjids_by_slug.events, [{ title: 'Event 5.4' }, { title: 'Event 5.2' }])
    })
  })

  describe('responses', () => {
    test('keys are in query order, merged at their first position', async () => {
      const { text } = await send(
        `{ b: up_masjids_by_slug(slug: "masjid-1") { slug __typename city ...F id } a: __typename } fragment F on up_masjids { state slug city_again: city }`,
      )
      assert.equal(
        text,
        `{"data":{"b":{"slug":"masjid-1","__typename":"up_masjids","city":"Durham","state":"NC","city_again":"Durham","id":"${masjidId(1)}"},"a":"query_root"}}`,
      )
    })
    test('a field selected twice appears once, with both selections merged', async () => {
      const data = await ask('{ up_masjids_by_slug(slug: "masjid-1") { entity { kind } entity { legal_name } id id } }')
      assert.deepEqual(data.up_masjids_by_slug, {
        entity: { kind: 'nonprofit', legal_name: 'Entity 1' },
        id: masjidId(1),
      })
    })
    test('a missing row by key is null, a missing related row too, an empty list is []', async () => {
      const data = await ask(`{ none: up_masjids_by_pk(id: "${masjidId(99)}") { id }
        four: up_masjids_by_slug(slug: "masjid-4") { entity { id } } six: up_masjids_by_slug(slug: "masjid-6") { events { id } } }`)
      assert.deepEqual(data, { none: null, four: { entity: null }, six: { events: [] } })
    })
    test('aggregates over no rows: count 0, the others null', async () => {
      const data = await ask(
        '{ up_masjids_aggregate(where: {slug: {_eq: "none"}}) { aggregate { count sum { capacity } max { name } avg { capacity } } nodes { id } } }',
      )
      assert.deepEqual(data.up_masjids_aggregate, {
        aggregate: { count: 0, sum: { capacity: null }, max: { name: null }, avg: { capacity: null } },
        nodes: [],
      })
    })
    test('count of columns and of distinct values', async () => {
      const data = await ask(
        '{ up_masjids_aggregate { aggregate { all: count states: count(columns: state) cities: count(columns: city, distinct: true) pairs: count(columns: [city, state], distinct: true) } } }',
      )
      assert.deepEqual(data.up_masjids_aggregate.aggregate, { all, states: 9, cities: 3, pairs: 3 })
    })
  })

  describe('values', () => {
    const specimen = async (id: number, column: string): Promise<string> => {
      const { text } = await send(`{ up_specimens_by_pk(id: ${id}) { v: ${column} } }`)
      return text.slice('{"data":{"up_specimens_by_pk":{"v":'.length, -3)
    }
    // The table is generated by arithmetic: row 1 has the second value of each list, row 2 the third, and so on.
    const written: readonly (readonly [column: string, id: number, json: string])[] = [
      ['flag', 1, 'false'],
      ['small', 3, '32767'],
      ['whole', 4, '-2147483648'],
      ['large', 1, '9007199254740993'],
      ['large', 2, '9223372036854775807'],
      ['precise', 3, '12345678901234567890.123456789'],
      ['precise', 4, '-0.00000000000000000001'],
      ['double_number', 1, '0.1'],
      ['double_number', 2, '1e-300'],
      ['words', 6, '"two\\nlines"'],
      ['words', 7, '"back\\\\slash"'],
      ['words', 8, '"\\"quoted\\""'],
      ['words', 12, '"\u{1F54C}"'],
      ['mark', 2, '"a0000000-0000-4000-8000-000000000001"'],
      ['day', 2, '"2024-02-29"'],
      ['clock', 1, '"23:59:59.999999"'],
      ['moment', 1, '"2026-01-01T00:00:00.000001"'],
      ['instant', 1, '"2026-01-01T00:00:00+00:00"'],
      ['instant', 2, '"2026-03-29T01:00:00.123456+00:00"'],
      ['length', 5, '"1 day 02:03:04.5"'],
      ['colour', 2, '"amber"'],
      ['colours', 2, '["green","red"]'],
      ['tags', 6, '["x y","with \\"quote\\"","NULL"]'],
      ['tags', 5, '["a",null]'],
      ['numbers', 2, '[1,2,3]'],
      ['document', 1, '{"a": {"b": 1}}'],
      ['document', 3, '[1, "a", null]'],
      ['document', 5, '2.0'],
      ['days', 1, '"[2026-02-01,2026-03-01)"'],
      ['days', 5, '"empty"'],
      ['span', 2, '"[3,4)"'],
    ]
    for (const [column, id, json] of written)
      test(`${column} ${json}`, async () => assert.equal(await specimen(id, column), json))

    test('big numbers keep their digits in literals, variables, filters and sums', async () => {
      const literal = await send('{ up_specimens(where: {large: {_eq: 9007199254740993}}, limit: 1) { large } }')
      assert.equal(literal.text, '{"data":{"up_specimens":[{"large":9007199254740993}]}}')
      const query =
        'query ($v: bigint, $n: numeric) { a: up_specimens_aggregate(where: {large: {_eq: $v}}) { aggregate { count } } b: up_specimens_aggregate(where: {precise: {_eq: $n}}) { aggregate { count } } }'
      for (const [large, precise] of [
        ['9007199254740993', '12345678901234567890.123456789'],
        ['"9007199254740993"', '"12345678901234567890.123456789"'],
      ]) {
        const { text } = await (client as GraphqlClient).send(
          `{"query":${JSON.stringify(query)},"variables":{"v":${large},"n":${precise}}}`,
        )
        assert.equal(text, '{"data":{"a":{"aggregate":{"count":18}},"b":{"aggregate":{"count":13}}}}')
      }
      const sum = await send('{ ua_campaigns_aggregate { aggregate { sum { goal_minor } max { goal_minor } } } }')
      assert.match(sum.text, /"sum":\{"goal_minor" ?: ?9007199254740993\},"max":\{"goal_minor" ?: ?9007199254740993\}/)
    })

    test('decimals keep their digits in lists and in JSON, and are numbers as Float', async () => {
      const query = `query ($n: [numeric!], $w: up_specimens_bool_exp, $j: jsonb, $f: Float) {
        a: up_specimens_aggregate(where: {precise: {_in: $n}}) { aggregate { count } }
        b: up_specimens_aggregate(where: $w) { aggregate { count } }
        c: up_specimens_aggregate(where: {document: {_contains: $j}}) { aggregate { count } }
        d: up_specimens_aggregate(where: {double_number: {_lt: $f}}) { aggregate { count } } }`
      const variables =
        `{"n":[12345678901234567890.123456789],"w":{"_and":[{"precise":{_eq:12345678901234567890.123456789}}]},
        "j":{"a":1.00000000000000000000},"f":12345678901234567890.123456789}`.replace('_eq', '"_eq"')
      const { text } = await (client as GraphqlClient).send(
        `{"query":${JSON.stringify(query)},"variables":${variables}}`,
      )
      const { data } = JSON.parse(text)
      assert.deepEqual(
        [data.a, data.b, data.c, data.d].map(one => one.aggregate.count),
        [13, 13, 10, 75],
      )
      const whole = await (client as GraphqlClient).send(
        '{"query":"query ($f: Float) { a: up_specimens_aggregate(where: {double_number: {_lt: $f}}) { aggregate { count } } }","variables":{"f":12345678901234567890}}',
      )
      assert.equal(JSON.parse(whole.text).data?.a.aggregate.count, 75, whole.text)
    })

    test('a path into JSON', async () => {
      const data = await ask(
        '{ up_specimens_by_pk(id: 2) { a: document(path: "$.a[2].b") b: document(path: "a[0]") c: document(path: "$.x.y") d: document(path: "$") } }',
      )
      assert.deepEqual(data.up_specimens_by_pk, { a: null, b: 1, c: null, d: { a: [1, 2, { b: null }], dhuhr: 2 } })
    })

    test('a timestamp may be in any time zone', async () => {
      for (const given of [
        '2026-01-01T00:00:00Z',
        '2026-01-01T05:30:00+05:30',
        '2025-12-31T19:00:00-05:00',
        '2026-01-01',
      ])
        assert.equal(
          (await ask(`{ a: up_specimens_aggregate(where: {instant: {_eq: "${given}"}}) { aggregate { count } } }`)).a
            .aggregate.count,
          45,
          given,
        )
    })
  })

  describe('variables and directives', () => {
    test('a whole where, order_by, limit and offset as variables', async () => {
      const query =
        'query ($w: up_masjids_bool_exp, $o: [up_masjids_order_by!], $l: Int, $s: Int) { up_masjids(where: $w, order_by: $o, limit: $l, offset: $s) { slug } }'
      const variables = { w: { city: { _eq: 'Cary' } }, o: [{ slug: 'desc' }], l: 2, s: 1 }
      assert.deepEqual((await ask(query, variables)).up_masjids, [{ slug: 'masjid-5' }, { slug: 'masjid-2' }])
    })
    test('a variable that is not provided omits its field', async () => {
      const query =
        'query ($c: String, $w: up_masjids_bool_exp) { a: up_masjids(where: {city: {_eq: $c}}) { id } b: up_masjids(where: $w) { id } }'
      const data = await ask(query)
      assert.deepEqual([data.a.length, data.b.length], [all, all])
    })
    test('variable defaults', async () => {
      const query =
        'query ($l: Int = 2, $w: up_masjids_bool_exp = {city: {_eq: "Cary"}}) { up_masjids(where: $w, limit: $l) { city } }'
      assert.deepEqual((await ask(query)).up_masjids, [{ city: 'Cary' }, { city: 'Cary' }])
    })
    test('@skip and @include, and both together', async () => {
      const query =
        'query ($yes: Boolean!) { up_masjids(limit: 1) { a: id @skip(if: $yes) b: id @include(if: $yes) c: id @include(if: $yes) @skip(if: $yes) ... @skip(if: false) { d: id } } }'
      assert.deepEqual(Object.keys((await ask(query, { yes: true })).up_masjids[0]), ['b', 'd'])
      assert.deepEqual(Object.keys((await ask(query, { yes: false })).up_masjids[0]), ['a', 'd'])
    })
    test('a function takes arguments, and filters, orders and pages like a list', async () => {
      const data = await ask(
        '{ up_masjids_nearby(args: {latitude: 35.5, longitude: -78.5, radius_km: 200}, where: {city: {_eq: "Cary"}}, order_by: {slug: asc}, limit: 2) { slug distance_km(args: {latitude: 35.5, longitude: -78.5}) } }',
      )
      assert.deepEqual(
        data.up_masjids_nearby.map((row: Data) => row.slug),
        ['masjid-11', 'masjid-2'],
      )
      assert.ok(data.up_masjids_nearby.every((row: Data) => row.distance_km > 0 && row.distance_km < 200))
    })
  })
})
