// Invalid documents and values: each error names what is wrong, and no value is coerced.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Expected, useRefusals } from './use-refusals.ts'

interface Case extends Expected {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
}

type Says = readonly [query: string, says: RegExp, variables?: Readonly<Record<string, unknown>>]

const all = (code: string, says: readonly Says[]): Case[] =>
  says.map(([query, message, variables]) => ({
    query,
    code,
    says: message,
    ...(variables === undefined ? {} : { variables }),
  }))

const documents = [
  ...all('parse-failed', [
    ['', /Unexpected/],
    ['{', /Syntax Error/],
    ['{ up_masjids { id }', /Syntax Error/],
    ['query { up_masjids(limit: ) { id } }', /Syntax Error/],
    ['{ up_masjids(where: {name: {_eq: "unended}}) { id } }', /Syntax Error/],
    ['{ \u0000 }', /Syntax Error/],
    ['{ up_masjids(where: {name: {_eq: "\\uD83D"}}) { id } }', /Syntax Error|Invalid Unicode/],
    ['{ __typename } 🕌', /Syntax Error/],
  ]),
  ...all('validation-failed', [
    ['{ up_masjid { id } }', /Did you mean "up_masjids"/],
    ['{ up_masjids { nam } }', /Did you mean "name"/],
    ['{ up_masjids(wher: {}) { id } }', /Did you mean "where"/],
    ['{ up_masjids(where: {nam: {_eq: "x"}}) { id } }', /Did you mean "name/],
    ['{ up_masjids(where: {name: {_equals: "x"}}) { id } }', /unknown field "_equals"/],
    ['{ up_masjids(order_by: {name: up}) { id } }', /"up" does not exist in "order_by"/],
    ['{ up_masjids(distinct_on: nam) { id } }', /Did you mean.*"name"/],
    ['{ up_masjids(where: {verification: {_eq: sure}}) { id } }', /"sure" does not exist in "up_verification"/],
    ['{ up_masjids(where: {verification: {_eq: "verified"}}) { id } }', /verified/],
    ['{ up_masjids(where: {name: {_eq: 5}}) { id } }', /String cannot represent/],
    ['{ up_masjids(where: {capacity: {_eq: "5"}}) { id } }', /Int cannot represent/],
    ['{ up_masjids(where: {capacity: {_eq: 5.5}}) { id } }', /Int cannot represent/],
    ['{ up_masjids(where: {capacity: {_eq: 2147483648}}) { id } }', /Int cannot represent/],
    ['{ up_masjids(where: {latitude: {_eq: "north"}}) { id } }', /Float cannot represent/],
    ['{ ua_donations(where: {amount_minor: {_gt: "12x"}}) { id } }', /bigint.*12x/],
    ['{ pc_prayer_sources(where: {confidence: {_gt: "high"}}) { id } }', /numeric.*high/],
    ['{ up_masjids(where: "name") { id } }', /up_masjids_bool_exp/],
    ['{ up_masjids(where: []) { id } }', /up_masjids_bool_exp/],
    ['{ up_masjids(limit: "5") { id } }', /Int cannot represent/],
    ['{ up_masjids(limit: 5.0) { id } }', /Int cannot represent/],
    ['{ up_masjids(limit: 99999999999) { id } }', /Int cannot represent/],
    ['{ up_masjids(offset: 2147483648) { id } }', /Int cannot represent/],
    ['{ up_masjids }', /must have a selection of subfields/],
    ['{ up_masjids { id { id } } }', /must not have a selection/],
    ['{ up_masjids_by_pk { id } }', /id.*is required/],
    ['{ up_masjids_by_pk(id: null) { id } }', /null/],
    ['{ ...A } fragment A on query_root { ...B } fragment B on query_root { ...A }', /Cannot spread fragment "A"/],
    ['{ ...A } fragment A on query_root { ...A }', /Cannot spread fragment "A" within itself/],
    ['{ ...Missing }', /Unknown fragment "Missing"/],
    ['{ __typename } fragment Unused on up_masjids { id }', /"Unused" is never used/],
    ['{ up_masjids { ... on up_events { title } } }', /can never be of type/],
    ['{ up_masjids(limit: $n) { id } }', /"\$n" is not defined/],
    ['query ($n: Int) { __typename }', /"\$n" is never used/],
    ['query ($n: String) { up_masjids(limit: $n) { id } }', /type "String".*"Int"/],
    ['query ($n: Nonsense) { up_masjids(limit: $n) { id } }', /Unknown type "Nonsense"/],
    ['query ($w: [up_masjids_bool_exp]) { up_masjids(where: $w) { id } }', /up_masjids_bool_exp/],
    ['{ up_masjids @nonsense { id } }', /Unknown directive/],
    ['{ up_masjids @skip { id } }', /if.*is required/],
    ['{ up_masjids(limit: 1, limit: 2) { id } }', /only one argument named "limit"/],
    ['{ up_masjids(where: {name: {_eq: "a"}, name: {_eq: "b"}}) { id } }', /only one input field named "name"/],
    ['{ a: up_masjids { id } a: up_events { id } }', /Fields "a" conflict/],
    ['{ up_masjids(limit: 1) { id } up_masjids(limit: 2) { id } }', /Fields "up_masjids" conflict/],
    [
      '{ up_masjids(where: {_or: [{}, {name: {}}]}) { id } up_masjids(where: {_or: [{name: {}}, {}]}) { id } }',
      /conflict/,
    ],
    ['query A { __typename } query A { __typename }', /only one operation named "A"/],
    ['{ __typename } { __typename }', /anonymous operation must be the only/],
    ['mutation { insert_up_masjids { id } }', /[Mm]utation/],
    ['subscription { up_masjids { id } up_events { id } }', /[Ss]ubscription/],
    ['type Query { a: Int }', /executable/],
  ]),
]

const nulls = all('validation-failed', [
  ['{ up_masjids(where: {name: {_eq: null}}) { id } }', /[Nn]ull.*_eq.*_is_null/],
  ['{ up_masjids(where: {name: {_in: null}}) { id } }', /[Nn]ull/],
  ['{ up_masjids(where: {name: {_in: ["a", null]}}) { id } }', /null/],
  ['{ up_masjids(where: {name: {_is_null: null}}) { id } }', /[Nn]ull/],
  ['{ up_masjids(where: {name: null}) { id } }', /[Nn]ull/],
  ['{ up_masjids(where: {_and: null}) { id } }', /[Nn]ull/],
  ['{ up_masjids(where: {_and: [null]}) { id } }', /null/],
  ['{ up_masjids(where: {_not: null}) { id } }', /[Nn]ull/],
  ['{ up_masjids(where: {entity: null}) { id } }', /[Nn]ull/],
  ['{ up_masjids(where: {events: {title: {_eq: null}}}) { id } }', /[Nn]ull/],
  ['{ up_masjids(where: {events_aggregate: {count: {predicate: {_eq: null}}}}) { id } }', /[Nn]ull/],
  ['query ($v: String) { up_masjids(where: {name: {_eq: $v}}) { id } }', /[Nn]ull/, { v: null }],
  ['query ($v: String_comparison_exp) { up_masjids(where: {name: $v}) { id } }', /[Nn]ull/, { v: { _eq: null } }],
  ['query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }', /[Nn]ull/, { w: { name: { _eq: null } } }],
])

const pages = all('page-out-of-range', [
  ['{ up_masjids(limit: 101) { id } }', /limit is 101.*100/],
  ['{ up_masjids(limit: -1) { id } }', /limit is -1.*100/],
  ['{ up_masjids(offset: -1) { id } }', /offset is -1/],
  ['{ up_masjids(limit: 1) { events(limit: 101) { id } } }', /limit is 101.*100/],
  ['{ up_masjids(limit: 1) { events(offset: -5) { id } } }', /offset is -5/],
  ['{ up_masjids_aggregate(limit: 101) { nodes { id } } }', /limit is 101.*100/],
  ['{ up_masjids_search(args: {search: "a"}, limit: 101) { id } }', /limit is 101.*100/],
  ['query ($n: Int) { up_masjids(limit: $n) { id } }', /limit is 101.*100/, { n: 101 }],
  ['query ($n: Int = 101) { up_masjids(limit: $n) { id } }', /limit is 101.*100/],
  ['query ($n: Int) { up_masjids(offset: $n) { id } }', /offset.*negative|offset is -1/i, { n: -1 }],
])

const variables = all('bad-variables', [
  ['query ($n: Int) { up_masjids(limit: $n) { id } }', /\$n.*Int cannot represent/, { n: '5' }],
  ['query ($n: Int) { up_masjids(limit: $n) { id } }', /\$n.*Int cannot represent/, { n: 1.5 }],
  ['query ($n: Int) { up_masjids(offset: $n) { id } }', /\$n.*Int cannot represent/, { n: 2 ** 31 }],
  ['query ($n: Int!) { up_masjids(limit: $n) { id } }', /\$n/],
  ['query ($n: Int!) { up_masjids(limit: $n) { id } }', /\$n/, { n: null }],
  ['query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }', /\$w.*nam\b/, { w: { nam: { _eq: 'x' } } }],
  ['query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }', /\$w/, { w: { name: { _eq: 5 } } }],
  ['query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }', /\$w/, { w: { name: { _in: ['a', null] } } }],
  ['query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }', /\$w/, { w: 'name' }],
  ['query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }', /\$w/, { w: { constructor: { _eq: 'x' } } }],
  ['query ($o: [up_masjids_order_by!]) { up_masjids(order_by: $o) { id } }', /\$o.*up/, { o: [{ name: 'up' }] }],
  ['query ($v: up_verification) { up_masjids(where: {verification: {_eq: $v}}) { id } }', /sure/, { v: 'sure' }],
  ['query ($if: Boolean!) { __typename @skip(if: $if) }', /\$if.*Boolean cannot represent/, { if: 'yes' }],
])

const value = (column: string, operand: string): string => `{ up_masjids(where: {${column}: ${operand}}) { id } }`

const values = all('bad-value', [
  ['{ up_masjids_by_pk(id: "not-a-uuid") { id } }', /uuid.*not-a-uuid/],
  ['query ($id: uuid!) { up_masjids_by_pk(id: $id) { id } }', /uuid.*nonsense/, { id: 'nonsense' }],
  [value('id', '{_in: ["00000000-0000-4000-8000-000000000001", "x"]}'), /uuid/],
  [value('name', '{_regex: "("}'), /regular expression/],
  [value('name', '{_iregex: "[z-a]"}'), /regular expression/],
  [value('name', '{_nregex: "*"}'), /regular expression/],
  [value('name', '{_similar: "["}'), /regular expression|pattern/],
  [value('name', '{_like: "%\\\\"}'), /escape character/],
  [value('name', '{_eq: "with \\u0000 inside"}'), /NUL|0x00|null character/i],
  ['query ($v: String) { up_masjids(where: {name: {_eq: $v}}) { id } }', /NUL|0x00|null character/i, { v: 'a\u0000' }],
  [value('languages', '{_contains: ["\\u0000"]}'), /NUL|0x00|null character/i],
  [value('created_at', '{_gt: "yesterday noon"}'), /timestamp.*yesterday noon/],
  [value('created_at', '{_gt: "2026-02-30T00:00:00Z"}'), /out of range.*2026-02-30/],
  [value('created_at', '{_gt: "300000-01-01"}'), /out of range/],
  [value('hijri_adjustment', '{_eq: 40000}'), /40000.*out of range.*smallint/],
  ['{ ua_donations(where: {amount_minor: {_gt: 99999999999999999999}}) { id } }', /out of range.*bigint/],
  ['{ up_masjids { adjustments(path: "$[") } }', /path/],
  ['{ ua_members(where: {joined_on: {_eq: "31/12/2025"}}) { id } }', /out of range.*31\/12\/2025/],
  ['{ pc_iqamah_schedules(where: {fixed_time: {_eq: "25:00"}}) { id } }', /out of range.*25:00/],
  ['{ pc_iqamah_schedules(where: {valid: {_contains: "[2026-02-01,2026-01-01)"}}) { id } }', /range/],
  ['{ pc_iqamah_schedules(where: {valid: {_contains: "soon"}}) { id } }', /range.*soon/],
  ['{ up_masjids_nearby(args: {latitude: 91, longitude: 0}) { id } }', /latitude is 91; it may be -90 to 90/],
  ['{ up_masjids_nearby(args: {latitude: 0, longitude: "NaN"}) { id } }', /longitude is NaN/],
  ['{ up_masjids { distance_km(args: {latitude: "Infinity", longitude: 0}) } }', /out of range/],
])

const operations: readonly Case[] = [
  { query: 'query A { __typename } query B { __typename }', code: 'unknown-operation', says: /operationName: A, B/ },
  { query: 'query A { __typename }', operationName: 'B', code: 'unknown-operation', says: /no operation "B".*A/ },
  { query: '{ __typename }', operationName: '__proto__', code: 'unknown-operation', says: /no operation "__proto__"/ },
]

const others = [
  ...all('validation-failed', [
    ['{ up_masjids(distinct_on: city, order_by: {name: asc}) { id } }', /distinct_on.*city.*order_by/],
    [
      '{ up_masjids(distinct_on: [city, state], order_by: [{city: asc}, {city: desc}, {name: asc}]) { id } }',
      /distinct_on.*order_by/,
    ],
    ['{ up_masjids_aggregate { groups { keys { city } } } }', /group_by/],
    ['{ up_masjids_aggregate(group_by: state) { groups { keys { city } } } }', /city.*group_by/],
  ]),
  ...all('bad-cursor', [
    ['{ up_masjids(after: "nonsense") { id } }', /cursor/],
    ['{ up_masjids(after: "") { id } }', /cursor/],
    ['{ up_masjids(after: "W10") { id } }', /cursor/],
    ['{ up_masjids(after: "bnVsbA") { id } }', /cursor/],
  ]),
]

describe('an invalid document or value', () => {
  const refusals = useRefusals()
  for (const { query, variables: given, operationName, ...expected } of [
    ...documents,
    ...nulls,
    ...pages,
    ...variables,
    ...values,
    ...operations,
    ...others,
  ]) {
    const name = JSON.stringify(given === undefined ? query : { query, given })
    test(name.slice(0, 150), async () => {
      await refusals().refused(
        {
          query,
          ...(given === undefined ? {} : { variables: given }),
          ...(operationName === undefined ? {} : { operationName }),
        },
        expected,
      )
    })
  }

  test('an odd-looking but valid document is answered', async () => {
    const { answered } = refusals()
    const right = [
      { query: '{ up_masjids(limit: 0) { id } }' },
      { query: '{ up_masjids(limit: 100, offset: 2147483647) { id } }' },
      { query: '{ up_masjids(limit: null, offset: null, where: null, order_by: null, distinct_on: null) { id } }' },
      { query: 'query ($n: Int) { up_masjids(limit: $n) { id } }', variables: { n: null } },
      { query: 'query ($n: Int) { up_masjids(limit: $n) { id } }' },
      { query: 'query ($n: Int) { up_masjids(limit: $n) { id } }', variables: { n: 5, unknown: 1 } },
      { query: '{ __typename }', operationName: null },
      { query: '{ __typename }', variables: {}, extensions: {} },
      { query: '{ up_masjids(order_by: {name: asc, city: desc}) { id } }' },
      { query: '{ up_masjids(where: {name: {_in: "not a list"}}) { id } }' },
      { query: '\uFEFF{ __typename }' },
      { query: '{ up_masjids(where: {name: {_eq: """block "quoted" text"""}}) { id } }' },
      { query: '{ up_masjids(where: {name: {_eq: "\\u{1F54C} \\uD83D\\uDD4C"}}) { id } }' },
    ]
    for (const question of right) assert.ok(await answered(question), question.query)
  })

  test('arguments and the fields of their objects may be merged in any order', async () => {
    const { answered } = refusals()
    const one = 'limit: 1, where: {name: {_neq: "x", _is_null: false}, _or: [{city: {}, state: {}}]}'
    const same = 'where: {_or: [{state: {}, city: {}}], name: {_is_null: false, _neq: "x"}}, limit: 1'
    const { up_masjids: rows } = await answered({ query: `{ up_masjids(${one}) { id } up_masjids(${same}) { slug } }` })
    assert.deepEqual(Object.keys((rows as object[])[0] ?? {}), ['id', 'slug'])
  })

  test('every error is reported, with its location', async () => {
    const { client } = refusals()
    const { body } = await client.query({ query: '{\n  up_masjids { nam citi }\n  up_event { id }\n}' })
    assert.equal(body.errors?.length, 3)
    assert.deepEqual(body.errors?.[0]?.locations, [{ line: 2, column: 16 }])
  })

  test('a literal that a database scalar refuses is reported with its location', async () => {
    const { client } = refusals()
    for (const [query, column] of [
      ['{ up_masjids(where: {id: {_eq: 5}}) { id } }', 32],
      ['{ ua_donations(where: {amount_minor: {_gt: "12x"}}) { id } }', 44],
      ['{ pc_prayer_sources(where: {confidence: {_gt: "high"}}) { id } }', 47],
      ['{ up_masjids(where: {created_at: {_in: ["2026-01-01", true]}}) { id } }', 55],
      ['{ up_masjids(where: {id: {_eq: {a: 1}}}) { id } }', 32],
    ] as const) {
      const { body } = await client.query({ query })
      assert.deepEqual(body.errors?.[0]?.locations, [{ line: 1, column }], query)
    }
  })

  test('with application/json an invalid document gets 200 and errors', async () => {
    const { client } = refusals()
    const { status, body } = await client.query({ query: '{ nonsense }' }, { accept: 'application/json' })
    assert.equal(status, 200)
    assert.equal(body.errors?.[0]?.extensions.code, 'validation-failed')
  })
})
